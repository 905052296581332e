import type { OutputLine } from '../../preload/contract/deviceAreas.ts'
import { AppError } from '../../preload/contract/errors.ts'
import { shortLine } from './interlock.ts'
import type { Json } from '../../preload/contract/define.ts'
import type { IoArea } from '../device/io.ts'

/** A line of the attempt journal: intent before the first byte, then what came back. */
export interface SwitchEntry {
  phase: 'intent' | 'answered' | 'unknown' | 'readBack'
  operation: string
  input: Json
  what: string
  raw: Json
}

export interface SwitchContext {
  device: { io: IoArea }
  record(entry: SwitchEntry): void
  monotonicMs(): number
  pause(ms: number): Promise<void>
}

export interface SwitchResult {
  /** What the device says of the output afterwards; undefined when it does not answer. */
  on: boolean | undefined
  isShort: boolean | undefined
  raw: unknown
}

export interface SwitchOffRequest {
  withinMs: number
  /** It was read back on: the command goes out before anything else. Otherwise the device is asked first. */
  isKnownOn: boolean
  /** An "on" whose answer was lost may still take effect: "off" is proved only when it stays. */
  mayComeOnLate: boolean
}

/** Between two attempts to switch off; off is always allowed and is tried again until it is proved or time is up. */
const offEveryMs = 500
const askEveryMs = 150
const answerWithinMs = 3_000
/** How long a lost "on" is watched for. */
const lateOnMs = 5_000

/**
 * Switches an output on, once: the intent is in the log before the first byte leaves, and whatever the answer, only the
 * read-back counts. Never sent a second time.
 */
export async function switchOn(context: SwitchContext, out: OutputLine, readBackMs: number): Promise<SwitchResult & { isAnswered: boolean }> {
  const input = { out, state: true }
  context.record({ phase: 'intent', operation: 'io.setOutput', input, what: `${out} on`, raw: null })
  let isAnswered = false
  try {
    const reply = await context.device.io.setOutput(input, { timeoutMs: readBackMs })
    isAnswered = true
    context.record({ phase: 'answered', operation: 'io.setOutput', input, what: `The device answered ${reply.status}.`, raw: (reply.raw ?? null) as Json })
  } catch (error) {
    if (isAnswered || !(error instanceof AppError)) throw error
    context.record({ phase: 'unknown', operation: 'io.setOutput', input, what: error.message, raw: null })
  }
  return { ...(await readBack(context, out, true, readBackMs)), isAnswered }
}

/**
 * Switches an output off and proves it, as often as it takes within `withinMs`; an output that reads off gets no command.
 * A log that cannot be written does not stop it: that failure is thrown when the output is dealt with.
 */
export async function switchOff(context: SwitchContext, out: OutputLine, request: SwitchOffRequest): Promise<SwitchResult> {
  const input = { out, state: false }
  const startedMs = context.monotonicMs()
  const proofFromMs = startedMs + (request.mayComeOnLate ? lateOnMs : 0)
  const untilMs = startedMs + Math.max(request.withinMs, request.mayComeOnLate ? lateOnMs + askEveryMs : 0)
  let logFailure: unknown

  function record(phase: SwitchEntry['phase'], what: string, raw: unknown): void {
    try {
      context.record({ phase, operation: 'io.setOutput', input, what, raw: (raw ?? null) as Json })
    } catch (error) {
      logFailure ??= error
    }
  }

  async function send(): Promise<void> {
    try {
      const reply = await context.device.io.setOutput(input, { timeoutMs: answerWithinMs })
      record('answered', `The device answered ${reply.status}.`, reply.raw)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      record('unknown', error.message, null)
    }
  }

  record('intent', `${out} off`, null)
  let result: SwitchResult = request.isKnownOn ? { on: true, isShort: undefined, raw: null } : await readOnce(context, out)
  for (;;) {
    if (result.on === false && context.monotonicMs() >= proofFromMs) {
      record('readBack', `${out} is off.`, result.raw)
      break
    }
    if (result.on === false) {
      await context.pause(askEveryMs)
      result = await readOnce(context, out)
    } else {
      await send()
      result = await readBack(context, out, false, Math.min(2_000, request.withinMs))
      if (result.on !== false && context.monotonicMs() >= untilMs) break
      if (result.on !== false) await context.pause(offEveryMs)
    }
  }
  if (logFailure) throw logFailure
  return result
}

async function readBack(context: SwitchContext, out: OutputLine, wanted: boolean, withinMs: number): Promise<SwitchResult> {
  const untilMs = context.monotonicMs() + withinMs
  for (;;) {
    const result = await readOnce(context, out)
    if (result.on === wanted || (wanted && result.isShort) || context.monotonicMs() >= untilMs) return result
    await context.pause(askEveryMs)
  }
}

async function readOnce(context: SwitchContext, out: OutputLine): Promise<SwitchResult> {
  try {
    const reading = await context.device.io.all({ timeoutMs: answerWithinMs })
    return { on: reading.value[out], isShort: reading.value[shortLine(out)], raw: reading.raw }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { on: undefined, isShort: undefined, raw: { error: error.message } }
  }
}
