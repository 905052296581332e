import { message, type Message } from '../../../preload/contract/messages.ts'
import type { AccessoryTest, AccessoryView, LineState } from '../../../preload/contract/gateway/accessories.ts'
import type { Json } from '../../../preload/contract/define.ts'
import type { OutputLogEntry } from '../../../preload/contract/gateway/remoteOutputs.ts'

/** What switching through the gateway needs; times are by its clock. */
export interface OutputGateway {
  nowMs(): Promise<number>
  deviceOf(vehicleId: number, signal: AbortSignal): Promise<string | null>
  readView(vehicleId: number, signal: AbortSignal): Promise<AccessoryView>
  readLines(imei: string, signal: AbortSignal): Promise<{ lines: LineState[]; at: string | null }>
  commands: {
    /** "On" is taken back by `untilSent` as long as nothing of it has left; "off" waits for no other request. */
    setOutput(
      vehicleId: number,
      command: { otype: string; out: number; state: boolean },
      signal: AbortSignal
    ): Promise<{ message: string; deviceIsOnline: boolean | null; raw: Json }>
    outputLog(vehicleId: number, signal: AbortSignal): Promise<OutputLogEntry[]>
    userName(): Promise<string | null>
  }
}

/** Follows what must appear at the gateway, with a time limit. */
export interface Follower {
  start(follow: {
    kind: 'output'
    vehicleId: number
    title: Message
    note: Message
    limitMs: number
    everyMs: number
    look(signal: AbortSignal): Promise<Look>
    whenOver: { note: Message; remedy: Message }
    ended(test: AccessoryTest): void
  }): AccessoryTest
  list(): AccessoryTest[]
}
type Look =
  | { kind: 'waiting'; note: Message }
  | { kind: 'found'; note: Message; evidence: Json }
  | { kind: 'problem'; note: Message; remedy: Message; evidence: Json }

/** Logs what is sent: the intent before the first byte, then the result. */
export interface CommandLog {
  begin(write: { imei: string; operation: string; input: Json }): number
  end(id: number, outcome: 'done' | 'unknown' | 'refused', detail: string, answer: Json): void
}

/** An output of a vehicle: its type and number, `e 1`. */
export interface GatewayOutputName {
  vehicleId: number
  otype: string
  out: number
}

/** A command that was sent, or may have been. */
export interface SentCommand extends GatewayOutputName {
  on: boolean
  /** The device whose lines show the effect. Throws what makes following it pointless. */
  device(signal: AbortSignal): Promise<string>
  user: string | null
  /** By the clock of the gateway. */
  startMs: number
  answer: { deviceIsOnline: boolean | null; raw: Json } | null
  /** Why it is unknown whether it arrived. */
  lost: Message | undefined
  expiresMs: number
  /** How long an earlier "on" can still take effect: Infinity while it is being sent. */
  lateOnLeftMs(): number
  /** What the lines say, read after the command. */
  read(isOn: boolean | undefined): void
  ended(test: AccessoryTest): void
}

const lookEveryMs = 3_000
/** The gateway's clock has whole seconds. */
const clockMarginMs = 2_000

/** Follows a command until the gateway's log and `ios_state` show its effect, or its time is over. */
export function followCommand(gateway: OutputGateway, waits: Follower, sent: SentCommand): AccessoryTest {
  const { vehicleId, otype, out, on, user, startMs, answer, lost, expiresMs, lateOnLeftMs } = sent
  const name = nameOutput(sent)
  const lateOnMs = on ? 0 : Math.min(lateOnLeftMs(), 2 * expiresMs)
  const isOffline = answer?.deviceIsOnline === false
  const offRemedy = message(on ? 'gatewayOutputs.sendOff' : 'gatewayOutputs.sendOffAgain')
  const sinceMs = wholeSeconds(startMs - clockMarginMs)
  /** By the clock of the gateway. */
  let lateOnOverMs: number | undefined
  return waits.start({
    kind: 'output',
    vehicleId,
    title: message(on ? 'gatewayOutputs.titleOn' : 'gatewayOutputs.titleOff', { name }),
    note: isOffline ? message('gatewayOutputs.offline') : afterLost(lost, message('gatewayOutputs.waiting')),
    limitMs: expiresMs + lateOnMs,
    everyMs: lookEveryMs,
    async look(abort) {
      const [entries, lines] = await Promise.all([
        gateway.commands.outputLog(vehicleId, abort),
        sent.device(abort).then((imei) => gateway.readLines(imei, abort))
      ])
      const entry = entries.find((one) => isOurs(one, { otype, out, on, user, sinceMs }))
      const line = lineOf(lines.lines, otype, out)
      const isFresh = isSince(lines.at, sinceMs)
      const isShown = line?.on === on && isFresh
      sent.read(isFresh ? (line?.on ?? undefined) : undefined)
      const evidence = {
        entry: entry ?? null,
        line: line ?? null,
        linesAt: lines.at,
        answer: answer?.raw ?? null
      } as Json
      if (line?.isShorted === true)
        return {
          kind: 'problem',
          note: message('gatewayOutputs.shorted', { name }),
          remedy: message('gatewayOutputs.checkWire', { then: offRemedy }),
          evidence
        }
      if (entry && isShown && !on) {
        // Only a reading from after the last possible effect of an "on" proves it.
        if (lateOnLeftMs() > 0) lateOnOverMs = undefined
        else lateOnOverMs ??= lateOnMs > 0 ? await gateway.nowMs() : startMs
        if (!isSince(lines.at, wholeSeconds(lateOnOverMs ?? Infinity)))
          return { kind: 'waiting', note: message('gatewayOutputs.lateOn', { name }) }
      }
      if (entry && isShown)
        return {
          kind: 'found',
          note: message(on ? 'gatewayOutputs.shownOn' : 'gatewayOutputs.shownOff', { name }),
          evidence
        }
      if (entry && line === undefined) return { kind: 'waiting', note: message('gatewayOutputs.lineNotShown') }
      if (entry) return { kind: 'waiting', note: message('gatewayOutputs.lineNotYet') }
      return {
        kind: 'waiting',
        note: afterLost(lost, message(isOffline ? 'gatewayOutputs.notInLogOffline' : 'gatewayOutputs.notInLog'))
      }
    },
    whenOver: { note: message('gatewayOutputs.expired', { limitS: expiresMs / 1000 }), remedy: offRemedy },
    ended: (test) => sent.ended(test)
  })
}

/** What has no time is older. */
function isSince(at: string | null, sinceMs: number): boolean {
  return Date.parse(at ?? '') >= sinceMs
}

function wholeSeconds(ms: number): number {
  return Math.floor(ms / 1000) * 1000
}

/** What to wait for, after why the arrival of the command is unknown. */
function afterLost(why: Message | undefined, then: Message): Message {
  return why ? message('gatewayOutputs.lost', { why, then }) : then
}

function isOurs(
  entry: OutputLogEntry,
  wanted: { otype: string; out: number; on: boolean; user: string | null; sinceMs: number }
): boolean {
  const isSameUser =
    wanted.user === null || entry.user === null || entry.user.toLowerCase() === wanted.user.toLowerCase()
  const isNew = isSince(entry.at, wanted.sinceMs)
  return isSameUser && isNew && entry.otype === wanted.otype && entry.out === wanted.out && entry.on === wanted.on
}

/** The expander's lines are documented as `e`; any other type is assumed to be a wired one. */
export function lineOf(lines: readonly LineState[], otype: string, out: number): LineState | undefined {
  const line = lines.find(
    ({ kind, number }) => kind === (otype === 'e' ? 'expanderOutput' : 'output') && number === out
  )
  return line?.on === null ? undefined : line
}

export function nameOutput({ otype, out }: Pick<GatewayOutputName, 'otype' | 'out'>): Message {
  return otype === 'e'
    ? message('gatewayOutputs.expander', { out })
    : message('gatewayOutputs.output', { type: otype, out })
}
