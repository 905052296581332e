import type { OutputLine } from '../../preload/contract/deviceAreas.ts'
import { createFixWatch, type FixWatchContext } from '../device/fixWatch.ts'
import type { LineRecorder } from '../device/lineRecorder.ts'

export interface InterlockLimits {
  standstillKmh: number
  fixAgeS: number
  /** The relay acts on the starter, or may do so. */
  engineOff: boolean
  /** The output that is to be switched on: it must read off, and without a short. */
  output?: OutputLine
}

/** Watches the conditions under which an output may be switched on, and those under which it must go off again. */
export interface Interlock {
  /** Conditions that do not hold now, each in a short sentence; empty when the output may be switched. */
  missing(): string[]
  /** Why an output that is on must go off at once; empty while it may stay on. The key may be turned meanwhile. */
  broken(): string[]
  /** Reads the position once; the lines come from the recorder. */
  read(): Promise<void>
  /** Begins to read the position unless that is under way already. Does not wait: motion must be seen in between. */
  beginRead(): void
  state(): Record<string, unknown>
}

/** What it sees the device through: a check, or the workspace outside of a checklist. */
export interface InterlockContext extends FixWatchContext {
  lines: Pick<LineRecorder, 'latest'>
}

/** How old a reading of the lines may be when a decision hangs on it. */
const linesFreshMs = 2_000
/** How long an output may stay on while nobody can see what the vehicle does. */
const silentOnMs = 5_000

/**
 * "Unknown" never counts as safe: a value that cannot be read is a condition that does not hold (docs/product.md, interlock of
 * an output test).
 */
export function createInterlock(context: InterlockContext, limits: InterlockLimits): Interlock {
  const watch = createFixWatch(context)
  const { output } = limits
  let positionAtMs = -Infinity
  let reading: Promise<void> | undefined
  let fault: unknown

  async function read(): Promise<void> {
    if (await watch.read()) positionAtMs = context.monotonicMs()
  }

  function linesAgeMs(): number {
    const sample = context.lines.latest()
    return sample === undefined ? Infinity : context.monotonicMs() - sample.atMs
  }

  return {
    read,
    beginRead() {
      reading ??= read()
        .catch((error: unknown) => {
          // Told at the next look at the conditions: nobody waits for this reading.
          if (!context.signal.aborted) fault = error
        })
        .finally(() => (reading = undefined))
    },
    missing() {
      if (fault) throw fault
      const value = context.lines.latest()?.value
      const fixAgeMs = Math.max(watch.ageMs(), context.monotonicMs() - positionAtMs)
      const speed = watch.speedKmh()
      const missing: string[] = []
      if (linesAgeMs() > linesFreshMs) missing.push('the device answers')
      if (!watch.hasFix() || fixAgeMs > limits.fixAgeS * 1000) missing.push('a fresh position')
      else if (speed === undefined) missing.push('a readable speed')
      else if (speed > limits.standstillKmh) missing.push(`standstill (${speed.toFixed(1)} km/h now)`)
      if (value?.MOT !== false) missing.push('no motion')
      if (limits.engineOff && value?.TIG !== false) missing.push('the engine off')
      if (output && value?.[output] !== false) missing.push(`${output} off`)
      if (output && value?.[shortLine(output)] !== false) missing.push(`no short on ${output}`)
      return missing
    },
    broken() {
      if (fault) throw fault
      const value = context.lines.latest()?.value
      const speed = watch.speedKmh()
      const broken: string[] = []
      if (value?.MOT === undefined || speed === undefined) broken.push('standstill can no longer be read')
      else if (value.MOT || speed > limits.standstillKmh) broken.push('the vehicle moved')
      if (linesAgeMs() > silentOnMs) broken.push('the device stopped answering')
      return broken
    },
    state() {
      const value = context.lines.latest()?.value
      return {
        speedKmh: watch.speedKmh() ?? null,
        fixAgeMs: Number.isFinite(watch.ageMs()) ? Math.round(watch.ageMs()) : null,
        MOT: value?.MOT ?? null,
        IGN: value?.IGN ?? null,
        TIG: value?.TIG ?? null
      }
    }
  }
}

export function shortLine(output: OutputLine): 'SO1' | 'SO2' | 'SO3' | 'SO4' {
  return `SO${output.slice(3) as '1' | '2' | '3' | '4'}`
}
