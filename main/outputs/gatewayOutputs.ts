import { message, type Message } from '../../preload/contract/messages.ts'
import type { AccessoryTest, AccessoryView, LineState } from '../../preload/contract/gateway/accessories.ts'
import type { Json } from '../../preload/contract/define.ts'
import { AppError } from '../../preload/contract/errors.ts'
import type { OutputCondition, OutputLogEntry } from '../../preload/contract/gateway/remoteOutputs.ts'
import type { GatewayOutputLimits } from './limits.ts'

/** What switching through the gateway needs; times are by its clock. */
export interface OutputGateway {
  nowMs(): Promise<number>
  deviceOf(vehicleId: number, signal: AbortSignal): Promise<string | null>
  readView(vehicleId: number, signal: AbortSignal): Promise<AccessoryView>
  readLines(imei: string, signal: AbortSignal): Promise<{ lines: LineState[]; at: string | null }>
  commands: {
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
interface Follower {
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
  ended(id: string): Promise<AccessoryTest>
}
type Look =
  | { kind: 'waiting'; note: Message }
  | { kind: 'found'; note: Message; evidence: Json }
  | { kind: 'problem'; note: Message; remedy: Message; evidence: Json }

/** Logs what is sent: the intent before the first byte, then the result. */
interface CommandLog {
  begin(write: { imei: string; operation: string; input: Json }): number
  end(id: number, outcome: 'done' | 'unknown' | 'refused', detail: string, answer: Json): void
}

export interface GatewayOutputName {
  imei: string
  output: string
  vehicleId: number
}

/** What the gateway switched on stays on: the ledger keeps it until the gateway, or a person, sees it off. */
export interface GatewayLedger {
  /** Before "on" is sent; from then on it may take effect at any time. */
  begin(output: GatewayOutputName): void
  /** How long it can still take effect: 0 when the gateway showed the effect, or when it was never sent. */
  setLateOn(output: GatewayOutputName, leftMs: number): void
  /** How long an earlier "on" can still take effect. */
  lateOnLeftMs(output: GatewayOutputName): number
  has(output: GatewayOutputName): boolean
  /** Adds an output that is or may be on to the ledger. */
  note(output: GatewayOutputName, state: 'on' | 'goingOff' | 'mayBeOn'): void
  end(output: GatewayOutputName, how: 'proved' | 'notSent'): void
}

export interface GatewayOutputsParts {
  gateway: OutputGateway
  waits: Follower
  log: CommandLog
  ledger: GatewayLedger
  limits(): GatewayOutputLimits
}

interface SetOutput {
  vehicleId: number
  otype: string
  out: number
  on: boolean
}

const lookEveryMs = 3_000
/** The gateway's clock has whole seconds. */
const clockMarginMs = 2_000

type Ages = Pick<GatewayOutputLimits, 'gatewayFreshS' | 'gatewayAheadS'>
type JudgedView = Pick<AccessoryView, 'event' | 'engineBus' | 'lines' | 'linesAt'>

/** Whether an output may be switched on from here. Every condition needs a fresh reading; an unknown value does not meet it. */
export function judgeOutput(
  view: JudgedView,
  { isBusy, nowMs, limits }: { isBusy: boolean; nowMs: number; limits: Ages }
): OutputCondition[] {
  const { event, engineBus } = view
  const ignition = newestIgnition(view, nowMs, limits)
  const engineOn = engineBus?.isDetected === true ? engineBus.isEngineOn : null
  const eventAgeS = event === null ? null : Math.round((nowMs - Date.parse(event.at)) / 1000)
  return [
    {
      id: 'fresh',
      holds: event !== null && isFresh(event.at, nowMs, limits),
      what:
        eventAgeS === null
          ? message('gatewayOutputs.noEvent')
          : eventAgeS < -limits.gatewayAheadS
            ? message('gatewayOutputs.eventAhead', { aheadS: -eventAgeS })
            : message('gatewayOutputs.eventAge', { ageS: eventAgeS, mostS: limits.gatewayFreshS })
    },
    {
      id: 'standing',
      holds: event?.speedKmh === 0 && event.validPosition === true && isFresh(event.speedAt, nowMs, limits),
      what: saySpeed(event, nowMs, limits)
    },
    {
      id: 'engineOff',
      holds: ignition === false && engineOn !== true,
      what:
        ignition === null
          ? message('gatewayOutputs.noIgnition', { mostS: limits.gatewayFreshS })
          : ignition
            ? message('gatewayOutputs.ignitionOn')
            : engineOn === true
              ? message('gatewayOutputs.engineRuns')
              : message('gatewayOutputs.ignitionOff')
    },
    { id: 'idle', holds: !isBusy, what: message(isBusy ? 'gatewayOutputs.busy' : 'gatewayOutputs.idle') }
  ]
}

/** What is known of the speed, and why it does not count: it is of the newest event that names one, which may be older than the newest event. */
function saySpeed(event: JudgedView['event'], nowMs: number, limits: Ages): Message {
  if (event === null || event.speedKmh === null || event.speedAt === null) return message('gatewayOutputs.noSpeed')
  const ageS = Math.round((nowMs - Date.parse(event.speedAt)) / 1000)
  if (isFresh(event.speedAt, nowMs, limits))
    return event.validPosition === true
      ? message('gatewayOutputs.speed', { speedKmh: event.speedKmh })
      : message('gatewayOutputs.positionInvalid')
  return ageS < 0
    ? message('gatewayOutputs.eventAhead', { aheadS: -ageS })
    : message('gatewayOutputs.speedAge', { ageS, mostS: limits.gatewayFreshS })
}

function isFresh(at: string | null, nowMs: number, { gatewayFreshS, gatewayAheadS }: Ages): boolean {
  const ageMs = at === null ? NaN : nowMs - Date.parse(at)
  return ageMs >= -gatewayAheadS * 1000 && ageMs <= gatewayFreshS * 1000
}

/** By the line or by an event, whichever is newer; null when neither is fresh. At the same time, "on" counts. */
function newestIgnition({ event, lines, linesAt }: JudgedView, nowMs: number, limits: Ages): boolean | null {
  const line = lines.find(({ kind }) => kind === 'ignition')?.on ?? null
  const seen = [
    { on: line, at: linesAt },
    { on: event?.ignition ?? null, at: event?.ignitionAt ?? null }
  ].filter(({ on, at }) => on !== null && isFresh(at, nowMs, limits))
  const newestMs = Math.max(...seen.map(({ at }) => Date.parse(at ?? '')))
  const newest = seen.filter(({ at }) => Date.parse(at ?? '') === newestMs)
  return newest.length === 0 ? null : newest.some(({ on }) => on === true)
}

/** The only one who switches outputs through the gateway: one command per vehicle at a time. */
export function createGatewayOutputs(parts: GatewayOutputsParts) {
  const { waits, limits } = parts
  /** Claimed before any wait: of several at once, one is sent. */
  const sending = new Map<number, { command: string; test: Promise<AccessoryTest> }>()
  const isFollowed = (vehicleId: number) =>
    waits.list().some((test) => test.kind === 'output' && test.vehicleId === vehicleId && test.state === 'waiting')

  return {
    conditions: (view: JudgedView, vehicleId: number, nowMs: number): OutputCondition[] =>
      judgeOutput(view, { isBusy: sending.has(vehicleId) || isFollowed(vehicleId), nowMs, limits: limits() }),
    set(input: SetOutput, signal: AbortSignal): Promise<AccessoryTest> {
      const { vehicleId, otype, out, on } = input
      const command = `${otype} ${out} ${String(on)}`
      const present = sending.get(vehicleId)
      // A repetition is the same command; "off" is sent whatever else is in progress.
      if (present?.command === command) return on ? Promise.reject(busy()) : present.test
      if (on && present) return Promise.reject(busy())
      const isBusy = isFollowed(vehicleId)
      const test = setOutput(parts, input, isBusy, signal).finally(() => {
        if (sending.get(vehicleId)?.test === test) sending.delete(vehicleId)
      })
      sending.set(vehicleId, { command, test })
      return test
    }
  }
}

function busy(): AppError {
  return new AppError('INTERLOCK', message('gatewayOutputs.notSwitchedOn', { why: message('gatewayOutputs.busy') }))
}

/** Sends an output command once, at once, or never. Only our log entry with `ios_state` proves it. Off is always allowed. */
async function setOutput(
  { gateway, waits, log, ledger, limits: limitsNow }: GatewayOutputsParts,
  input: SetOutput,
  isBusy: boolean,
  signal: AbortSignal
): Promise<AccessoryTest> {
  const { vehicleId, otype, out, on } = input
  const limits = limitsNow()
  const imei = await gateway.deviceOf(vehicleId, signal)
  if (imei === null) throw new AppError('NOT_FOUND', message('gatewayOutputs.noDevice'))
  if (on) {
    const view = await gateway.readView(vehicleId, signal)
    const broken = judgeOutput(view, { isBusy, nowMs: await gateway.nowMs(), limits }).filter(({ holds }) => !holds)
    if (broken.length > 0)
      throw new AppError(
        'INTERLOCK',
        message('gatewayOutputs.notSwitchedOn', {
          why: broken
            .map(({ what }) => what)
            .reduce((first, second) => message('gatewayOutputs.two', { first, second }))
        })
      )
  }
  const [user, startMs] = await Promise.all([gateway.commands.userName(), gateway.nowMs()])
  const name =
    otype === 'e' ? message('gatewayOutputs.expander', { out }) : message('gatewayOutputs.output', { type: otype, out })
  const output: GatewayOutputName = { imei, output: `${otype} ${out}`, vehicleId }
  // The document does not say when the gateway drops a command: the limit of the profile also applies to a late "on".
  const expiresMs = limits.gatewayExpiresS * 1000
  const earlierMs = ledger.has(output) ? ledger.lateOnLeftMs(output) : undefined
  if (on) ledger.begin(output)
  else ledger.note(output, 'goingOff')
  const id = log.begin({ imei, operation: 'remote.output', input: { vehicleId, otype, out, state: on } })
  let answer: { message: string; deviceIsOnline: boolean | null; raw: Json } | null = null
  let lost: Message | undefined
  try {
    answer = await gateway.commands.setOutput(vehicleId, { otype, out, state: on }, signal)
    log.end(id, 'done', answer.message, answer.raw)
  } catch (error) {
    // "It already exists" may be our own command: the next reading of the lines decides.
    if (!(error instanceof AppError) || (error.fate !== 'unknown' && error.code !== 'CONFLICT')) {
      log.end(id, 'refused', error instanceof Error ? error.message : 'failed', null)
      if (on && earlierMs === undefined) ledger.end(output, 'notSent')
      else if (on) ledger.setLateOn(output, earlierMs ?? 0)
      if (ledger.has(output)) ledger.note(output, 'mayBeOn')
      throw error
    }
    log.end(id, 'unknown', error.message, null)
    lost = error.sentence
  }
  if (on) ledger.setLateOn(output, expiresMs)
  // The end of one that is still being sent is unknown.
  const lateOnMs = on ? 0 : Math.min(ledger.lateOnLeftMs(output), 2 * expiresMs)
  const isOffline = answer?.deviceIsOnline === false
  const offRemedy = message(on ? 'gatewayOutputs.sendOff' : 'gatewayOutputs.sendOffAgain')
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
        gateway.readLines(imei, abort)
      ])
      const entry = entries.find((one) => isOurs(one, { otype, out, on, user, sinceMs: startMs - clockMarginMs }))
      const line = lineOf(lines.lines, otype, out)
      const isShown =
        line?.on === on &&
        lines.at !== null &&
        Date.parse(lines.at) >= Math.floor((startMs - clockMarginMs) / 1000) * 1000
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
        const leftMs = ledger.lateOnLeftMs(output)
        if (leftMs > 0) lateOnOverMs = undefined
        else lateOnOverMs ??= lateOnMs > 0 ? await gateway.nowMs() : startMs
        if (lateOnOverMs === undefined || Date.parse(lines.at ?? '') < Math.floor(lateOnOverMs / 1000) * 1000)
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
    whenOver: { note: message('gatewayOutputs.expired', { limitS: limits.gatewayExpiresS }), remedy: offRemedy },
    ended({ state }) {
      if (state !== 'found') return on && !ledger.has(output) ? undefined : ledger.note(output, 'mayBeOn')
      if (!on) return ledger.end(output, 'proved')
      ledger.setLateOn(output, 0)
      ledger.note(output, 'on')
    }
  })
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
  const isSince = entry.at !== null && Date.parse(entry.at) >= Math.floor(wanted.sinceMs / 1000) * 1000
  return isSameUser && isSince && entry.otype === wanted.otype && entry.out === wanted.out && entry.on === wanted.on
}

/** The expander's lines are documented as `e`; any other type is assumed to be a wired one. */
function lineOf(lines: readonly LineState[], otype: string, out: number): LineState | undefined {
  const line = lines.find(
    ({ kind, number }) => kind === (otype === 'e' ? 'expanderOutput' : 'output') && number === out
  )
  return line?.on === null ? undefined : line
}
