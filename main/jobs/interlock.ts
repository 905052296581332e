import type { CheckContext } from './check.ts'
import { createFixWatch, type FixWatch } from './fix.ts'

export interface InterlockLimits {
  standstillKmh: number
  fixAgeS: number
  /** The relay acts on the starter, or may do so. */
  engineOff: boolean
}

/** Watches the conditions under which an output may be switched on, and those under which it must go off again. */
export interface Interlock {
  /** Conditions that do not hold now, each in a short sentence; empty when the output may be switched. */
  missing(): string[]
  /** Reads the position once; the lines come from the recorder. */
  read(): Promise<void>
  state(): Record<string, unknown>
}

/** How old a reading of the lines may be when a decision hangs on it. */
const linesFreshMs = 2_000

/**
 * "Unknown" never counts as safe: a value that cannot be read is a condition that does not hold (product.md, interlock of
 * an output test).
 */
export function createInterlock(context: CheckContext, limits: InterlockLimits): Interlock {
  const watch: FixWatch = createFixWatch(context)
  let positionAtMs = -Infinity

  return {
    async read() {
      if (await watch.read()) positionAtMs = context.monotonicMs()
    },
    missing() {
      const sample = context.lines.latest()
      const isFresh = sample !== undefined && context.monotonicMs() - sample.atMs <= linesFreshMs
      const speed = watch.latest()?.value.coords?.speed
      const isPositionFresh =
        watch.hasFix() && watch.ageMs() <= limits.fixAgeS * 1000 && context.monotonicMs() - positionAtMs <= limits.fixAgeS * 1000
      const missing: string[] = []
      if (!isFresh) missing.push('the device answers')
      if (!isPositionFresh) missing.push('a fresh position')
      else if (speed === undefined) missing.push('a readable speed')
      else if (speed > limits.standstillKmh) missing.push(`standstill (${speed.toFixed(1)} km/h now)`)
      if (sample?.value.MOT !== false) missing.push('no motion')
      if (limits.engineOff && sample?.value.TIG !== false) missing.push('the engine off')
      return missing
    },
    state() {
      const value = context.lines.latest()?.value
      return {
        speedKmh: watch.latest()?.value.coords?.speed ?? null,
        fixAgeMs: Number.isFinite(watch.ageMs()) ? Math.round(watch.ageMs()) : null,
        MOT: value?.MOT ?? null,
        IGN: value?.IGN ?? null,
        TIG: value?.TIG ?? null
      }
    }
  }
}

