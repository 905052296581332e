import { message, nameMessage, type Message } from '../../../preload/contract/messages.ts'
import type { Json } from '../../../preload/contract/define.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import type { DeviceOutputs } from './deviceOutputs.ts'
import { unread, type OutputRecord } from './outputRecord.ts'
import { answerWithinMs, askEveryMs, readProved } from './provedReading.ts'
import type { OutputDevice, OutputReading, SwitchEntry } from './outputTypes.ts'

/** Logs what is sent to an output that goes off, and the answers. */
export type Tell = (phase: SwitchEntry['phase'], what: Message, raw: Json) => void

const readBackOffMs = 1_500
/** The pause between two attempts to switch off: at first, and for as long as Fitter runs. */
export const againSoonMs = 500
const againLaterMs = 3_000

/** Switches off and proves it, however long that takes: also after a lost connection, and at another address. */
export async function bringOff(outputs: DeviceOutputs, kept: OutputRecord): Promise<void> {
  const startedMs = outputs.monotonicMs()
  const tell = carefulTell(kept, (entry) => outputs.keep(kept, entry, false))
  const tellOn = carefulTell(kept, (entry) => outputs.keep(kept, entry, true))
  tell('intent', message('outputs.off', { output: kept.out }), null)
  while (kept.state.phase === 'goingOff' && !outputs.isStopped()) {
    if (!kept.state.isOnSettled && outputs.monotonicMs() >= kept.lateOnAtMs) outputs.take(kept, 'lateOnOver')
    const isEarly = outputs.monotonicMs() - startedMs < kept.limits.offWithinS * 1000
    countTry(outputs, kept, isEarly)
    if (await tryOff(outputs, kept, tell, tellOn)) return
    await kept.waker.sleep(pauseMs(kept, outputs.monotonicMs() - startedMs < kept.limits.offWithinS * 1000))
  }
}

/** For the person who waits: each try sends "off" and reads, and each of both may wait for its answer. */
function countTry(outputs: DeviceOutputs, kept: OutputRecord, isEarly: boolean): void {
  const addresses = new Set([kept.device, outputs.reach()].filter((device) => device !== undefined)).size
  if (addresses === 0) return
  const atMs = outputs.now().getTime()
  kept.tries = {
    n: (kept.tries?.n ?? 0) + 1,
    sinceMs: kept.tries?.sinceMs ?? atMs,
    atMs,
    everyS: Math.ceil((2 * addresses * answerWithinMs + (isEarly ? againSoonMs : againLaterMs)) / 1000)
  }
}

/** Each message once: an output that is tried for hours must not fill the log. An unwritable log stops nothing. */
export function carefulTell(
  kept: OutputRecord,
  keep: (entry: Pick<SwitchEntry, 'phase' | 'what' | 'raw'>) => void
): Tell {
  const told = new Set<string>()
  return (phase, what, raw) => {
    if (told.has(phase + nameMessage(what))) return
    told.add(phase + nameMessage(what))
    try {
      keep({ phase, what, raw })
    } catch (error) {
      kept.logFailure ??= error
    }
  }
}

/** The pause until the next attempt: short for a device that answers, growing for a silent one. */
function pauseMs(kept: OutputRecord, isEarly: boolean): number {
  if (kept.last.on === true) return askEveryMs
  const isAnswering = kept.last.on === false
  if (isEarly) return isAnswering ? askEveryMs : againSoonMs
  return isAnswering ? againSoonMs : againLaterMs
}

/**
 * One attempt, at the last address and then at the addresses where the device was found since. True when it is
 * confirmed off.
 */
async function tryOff(outputs: DeviceOutputs, kept: OutputRecord, tell: Tell, tellOn: Tell): Promise<boolean> {
  let isRead = false
  for (const device of new Set([kept.device, outputs.reach()])) {
    if (!device) continue
    const wasOff = kept.offSinceMs !== Infinity
    const reading = await tryOffAt(outputs, kept, device, tell)
    if (!reading) continue
    isRead = true
    if (wasOff && reading.on === true) tellOn('readBack', message('outputs.cameOn', { output: kept.out }), reading.raw)
    kept.device = device
    if (reading.on !== false) {
      outputs.take(kept, 'readOn')
      continue
    }
    if (!outputs.take(kept, 'readOff').includes('clearLedger')) return false
    if (!outputs.tryToWrite(kept, (row) => outputs.ledger.end(row, { how: 'proved', by: '', reason: '' }))) return false
    tell('readBack', message('outputs.isOff', { output: kept.out }), reading.raw)
    outputs.cleared(kept, 'device')
    return true
  }
  if (!isRead) outputs.take(kept, 'unread')
  return false
}

/**
 * Undefined when the right device did not report the output. An output that reads off gets "off" only if it `mustSend`.
 */
export async function tryOffAt(
  outputs: DeviceOutputs,
  kept: OutputRecord,
  device: OutputDevice,
  tell: Tell,
  mustSend = false
): Promise<OutputReading | undefined> {
  try {
    if (kept.isReadFirst && !mustSend) kept.last = await readProved(outputs.imei, device, kept.out)
    kept.isReadFirst = false
    if (kept.last.on !== false || mustSend) {
      const isSent = await sendOff(kept, device, tell)
      const untilMs = outputs.monotonicMs() + readBackOffMs
      do {
        kept.last = await readProved(outputs.imei, device, kept.out)
        if (kept.last.on === false || !isSent) break
        await kept.waker.sleep(askEveryMs)
      } while (outputs.monotonicMs() < untilMs)
      kept.isOffSent = true
    } else kept.last = await readProved(outputs.imei, device, kept.out)
    const [hadTrouble, wasOff] = [kept.trouble !== undefined, kept.offSinceMs !== Infinity]
    kept.trouble = undefined
    kept.offSinceMs = kept.last.on === false ? Math.min(kept.offSinceMs, outputs.monotonicMs()) : Infinity
    if (hadTrouble || wasOff !== (kept.offSinceMs !== Infinity)) outputs.changed()
    return kept.last
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    kept.trouble = error
    kept.last = unread
    kept.offSinceMs = Infinity
    outputs.changed()
    return undefined
  }
}

async function sendOff(kept: OutputRecord, device: OutputDevice, tell: Tell): Promise<boolean> {
  try {
    const reply = await device.io.setOutput(
      { out: kept.out, state: false },
      { timeoutMs: answerWithinMs, overtakes: true }
    )
    tell('answered', message('outputs.answered', { status: reply.status }), (reply.raw ?? null) as Json)
    return true
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    tell('unknown', error.sentence, null)
    if (error.code === 'WRONG_DEVICE') throw error
    return false
  }
}
