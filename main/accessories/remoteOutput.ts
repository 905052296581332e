import type { AccessoryTest, AccessoryView, LineState } from '../../preload/contract/accessories.ts'
import type { Json } from '../../preload/contract/define.ts'
import { AppError } from '../../preload/contract/errors.ts'
import type { OutputCondition, OutputLogEntry } from '../../preload/contract/remoteOutputs.ts'
import type { AccessoryGateway, CommandLog } from './ports.ts'
import type { Waits } from './waits.ts'

/** What is not seen by then has expired: nobody may wait for an output that acts later. */
export const outputLifeMs = 60_000
const lookEveryMs = 3_000
const freshWithinS = 60
const clockMarginMs = 2_000

/** Whether an output may be switched on from here. Every condition must be seen; what is not known does not hold. */
export function judgeOutput(view: Pick<AccessoryView, 'event' | 'engineBus' | 'lines'>, isBusy: boolean): OutputCondition[] {
  const { event, engineBus, lines } = view
  const ignition = lines.find(({ kind }) => kind === 'ignition')?.on ?? null
  const engineOn = engineBus?.isDetected === true ? engineBus.isEngineOn : null
  const isStanding = event !== null && event.speedKmh === 0 && event.validPosition === true
  return [
    {
      id: 'fresh',
      holds: event !== null && event.ageS <= freshWithinS,
      what: event === null ? 'No event of the vehicle in the last 6 hours.' : `Newest event ${event.ageS} s old; at most ${freshWithinS} s: an offline device would carry it out later.`
    },
    {
      id: 'standing',
      holds: isStanding,
      what:
        event === null || event.speedKmh === null
          ? 'The gateway shows no speed.'
          : event.validPosition !== true
            ? 'The position is not valid, so the speed says nothing.'
            : `Speed ${event.speedKmh} km/h; it must be 0.`
    },
    {
      id: 'engineOff',
      holds: ignition === false && engineOn !== true,
      what:
        ignition === null
          ? 'The gateway does not show the ignition.'
          : ignition
            ? 'The ignition is on: switch it off.'
            : engineOn === true
              ? 'The engine bus says that the engine runs.'
              : 'The ignition is off.'
    },
    { id: 'idle', holds: !isBusy, what: isBusy ? 'Another output of this vehicle is being followed.' : 'No other output of this vehicle is being followed.' }
  ]
}

/**
 * Sends an output command: at once and once, or not at all. Only a log entry of ours together with `ios_state` proves
 * it; after 60 s it has expired. Off is always allowed.
 */
export async function setRemoteOutput(
  parts: { gateway: AccessoryGateway; waits: Waits; log: CommandLog },
  input: { vehicleId: number; otype: string; out: number; on: boolean },
  signal: AbortSignal
): Promise<AccessoryTest> {
  const { gateway, waits, log } = parts
  const { vehicleId, otype, out, on } = input
  const isBusy = waits.list().some((test) => test.kind === 'output' && test.vehicleId === vehicleId && test.state === 'waiting')
  const imei = await gateway.deviceOf(vehicleId, signal)
  if (imei === null) throw new AppError('NOT_FOUND', 'The gateway shows no device in this vehicle.')
  if (on) {
    const broken = judgeOutput(await gateway.readView(vehicleId, signal), isBusy).filter(({ holds }) => !holds)
    if (broken.length > 0) throw new AppError('INTERLOCK', `Not switched on. ${broken.map(({ what }) => what).join(' ')}`)
  }
  const [user, startMs] = await Promise.all([gateway.commands.userName(), gateway.nowMs()])
  const name = `${otype === 'e' ? 'Expander output' : `Output (${otype})`} ${out}`
  const id = log.begin({ imei, operation: 'remote.output', input: { vehicleId, otype, out, state: on } })
  let answer: { message: string; deviceIsOnline: boolean | null; raw: Json } | null = null
  let lost = ''
  try {
    answer = await gateway.commands.setOutput(vehicleId, { otype, out, state: on }, signal)
    log.end(id, 'done', answer.message, answer.raw)
  } catch (error) {
    if (!(error instanceof AppError) || error.fate !== 'unknown') {
      log.end(id, 'refused', error instanceof Error ? error.message : 'failed', null)
      throw error
    }
    log.end(id, 'unknown', error.message, null)
    lost = `It is not known whether the command arrived (${error.message}). `
  }
  const isOffline = answer?.deviceIsOnline === false
  const offRemedy = on ? 'Send “off” now, stay with the vehicle, and do not leave before the gateway shows it off.' : 'Send “off” again and watch the output itself.'
  return waits.start({
    kind: 'output',
    vehicleId,
    title: `${name} ${on ? 'on' : 'off'}`,
    note: isOffline ? 'The device is offline: the gateway may hold this command and carry it out later.' : `${lost}Waiting for the log and the line state of the gateway.`,
    limitMs: outputLifeMs,
    everyMs: lookEveryMs,
    async look(abort) {
      const [entries, lines] = await Promise.all([gateway.commands.outputLog(vehicleId, abort), gateway.readLines(imei, abort)])
      const entry = entries.find((one) => isOurs(one, { otype, out, on, user, sinceMs: startMs - clockMarginMs }))
      const line = lineOf(lines.lines, otype, out)
      const isShown = line?.on === on && lines.at !== null && Date.parse(lines.at) >= Math.floor((startMs - clockMarginMs) / 1000) * 1000
      const evidence = { entry: entry ?? null, line: line ?? null, linesAt: lines.at, answer: answer?.raw ?? null } as Json
      if (line?.isShorted === true) return { kind: 'problem', note: `${name} is shorted.`, remedy: `Check its wire for contact with ground. ${offRemedy}`, evidence }
      if (entry && isShown) return { kind: 'found', note: `The log of the gateway has it, and it shows ${name.toLowerCase()} ${on ? 'on' : 'off'}.`, evidence }
      if (entry && line === undefined) return { kind: 'waiting', note: 'The log of the gateway has it; the gateway does not show this line.' }
      if (entry) return { kind: 'waiting', note: 'The log of the gateway has it; the line does not show it yet.' }
      return { kind: 'waiting', note: `${lost}${isOffline ? 'The device is offline. ' : ''}The log of the gateway does not have it yet.` }
    },
    whenOver: { note: `Expired: not seen at the gateway within ${outputLifeMs / 1000} s. It is not sent again, and nobody knows whether it will act.`, remedy: offRemedy }
  })
}

function isOurs(entry: OutputLogEntry, wanted: { otype: string; out: number; on: boolean; user: string | null; sinceMs: number }): boolean {
  const isSameUser = wanted.user === null || entry.user === null || entry.user.toLowerCase() === wanted.user.toLowerCase()
  const isSince = entry.at !== null && Date.parse(entry.at) >= Math.floor(wanted.sinceMs / 1000) * 1000
  return isSameUser && isSince && entry.otype === wanted.otype && entry.out === wanted.out && entry.on === wanted.on
}

/** The expander's lines are documented under `e`; any other type is taken for the wired ones. */
function lineOf(lines: readonly LineState[], otype: string, out: number): LineState | undefined {
  const line = lines.find(({ kind, number }) => kind === (otype === 'e' ? 'expanderOutput' : 'output') && number === out)
  return line?.on === null ? undefined : line
}
