import type { OutputLine } from '../../preload/contract/deviceAreas.ts'
import { AppError } from '../../preload/contract/errors.ts'
import type { EntryData } from './journal.ts'
import { plainJson } from './journal.ts'
import type { DevicePort } from './ports.ts'

export interface SwitchContext {
  device: Pick<DevicePort, 'io'>
  record(entry: EntryData<'deviceWrite'>): void
  monotonicMs(): number
  pause(ms: number): Promise<void>
}

export interface SwitchResult {
  /** What the device says of the output afterwards; undefined when it does not answer. */
  on: boolean | undefined
  isShort: boolean | undefined
  raw: unknown
}

/** Between two attempts to switch off; off is always allowed and is tried again until it is proved or time is up. */
const offEveryMs = 500

/**
 * Switches an output on, once: the intent is in the log before the first byte leaves, and whatever the answer, only the
 * read-back counts. Never sent a second time.
 */
export async function switchOn(context: SwitchContext, out: OutputLine, readBackMs: number): Promise<SwitchResult> {
  const input = { out, state: true }
  context.record({ phase: 'intent', operation: 'io.setOutput', input, what: `${out} on`, raw: null })
  try {
    const reply = await context.device.io.setOutput(input, { timeoutMs: readBackMs })
    context.record({ phase: 'answered', operation: 'io.setOutput', input, what: `The device answered ${reply.status}.`, raw: plainJson(reply.raw) })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    context.record({ phase: 'unknown', operation: 'io.setOutput', input, what: error.message, raw: null })
  }
  return readBack(context, out, true, readBackMs)
}

/** Switches an output off and proves it, as often as it takes within `withinMs`. */
export async function switchOff(context: SwitchContext, out: OutputLine, withinMs: number): Promise<SwitchResult> {
  const input = { out, state: false }
  const untilMs = context.monotonicMs() + withinMs
  context.record({ phase: 'intent', operation: 'io.setOutput', input, what: `${out} off`, raw: null })
  let result: SwitchResult = { on: undefined, isShort: undefined, raw: null }
  do {
    try {
      await context.device.io.setOutput(input, { timeoutMs: 3_000 })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      context.record({ phase: 'unknown', operation: 'io.setOutput', input, what: error.message, raw: null })
    }
    result = await readBack(context, out, false, Math.min(2_000, withinMs))
    if (result.on === false) {
      context.record({ phase: 'readBack', operation: 'io.setOutput', input, what: `${out} is off.`, raw: plainJson(result.raw) })
      return result
    }
    await context.pause(offEveryMs)
  } while (context.monotonicMs() < untilMs)
  return result
}

async function readBack(context: SwitchContext, out: OutputLine, wanted: boolean, withinMs: number): Promise<SwitchResult> {
  const untilMs = context.monotonicMs() + withinMs
  let result: SwitchResult = { on: undefined, isShort: undefined, raw: null }
  do {
    try {
      const reading = await context.device.io.all({ timeoutMs: 3_000 })
      const short = `SO${out.slice(3) as '1' | '2' | '3' | '4'}` as const
      result = { on: reading.value[out], isShort: reading.value[short], raw: reading.raw }
      if (result.on === wanted || result.isShort) return result
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      result = { on: undefined, isShort: undefined, raw: { error: error.message } }
    }
    await context.pause(150)
  } while (context.monotonicMs() < untilMs)
  return result
}
