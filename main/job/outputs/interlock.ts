import type { OutputCondition } from '../../../preload/contract/device/conditions.ts'
import type { Message } from '../../../preload/contract/messages.ts'
import type { OutputLine } from '../../../preload/contract/device/deviceAreas.ts'
import { createFixWatch, type FixWatchContext } from '../../device/client/fixWatch.ts'
import type { LineRecorder } from '../../device/client/lineRecorder.ts'
import {
  brokenConditions,
  conditionsOf,
  missingConditions,
  type ConditionLimits,
  type SeenVehicle
} from './conditions.ts'

export type InterlockLimits = Omit<ConditionLimits, 'output'> & { output?: OutputLine }

/** Watches the conditions for switching an output on, and those for switching it off again. */
export type Interlock = ReturnType<typeof createInterlock>

/** How the interlock reads the device: for a check, or for the workspace outside of a checklist. */
export interface InterlockContext extends FixWatchContext {
  lines: Pick<LineRecorder, 'latest'>
}

/** "Unknown" never counts as safe: an unreadable value is a condition that is not met (docs/product.md). */
export function createInterlock(context: InterlockContext, limits: InterlockLimits) {
  const watch = createFixWatch(context)
  const wanted: ConditionLimits = { ...limits, output: limits.output ?? null }
  let positionAtMs = -Infinity
  let reading: Promise<void> | undefined
  let fault: unknown

  /** Reads the position once; the lines come from the recorder. */
  async function read(): Promise<void> {
    if (await watch.read()) positionAtMs = context.monotonicMs()
  }

  function seen(): SeenVehicle {
    if (fault) throw fault
    const sample = context.lines.latest()
    const { output } = limits
    return {
      linesAgeMs: sample === undefined ? Infinity : context.monotonicMs() - sample.atMs,
      isMoving: sample?.value.MOT,
      isEngineOn: sample?.value.TIG,
      isOutputOn: output && sample?.value[output],
      isShort: output && sample?.value[shortLine(output)],
      hasFix: watch.hasFix(),
      isFixDoubted: watch.doubts().length > 0,
      movedM: watch.movedM(),
      stillMs: watch.stillMs(),
      positionAgeMs: context.monotonicMs() - positionAtMs,
      fixAgeMs: watch.ageMs(),
      speedKmh: watch.speedKmh()
    }
  }

  return {
    read,
    /**
     * Starts reading the position unless that is in progress. Does not wait, because motion must be noticed in the
     * meantime.
     */
    beginRead(): void {
      reading ??= read()
        .catch((error: unknown) => {
          // Reported at the next check of the conditions: nobody waits for this reading.
          if (!context.signal.aborted) fault = error
        })
        .finally(() => (reading = undefined))
    },
    conditions: (): OutputCondition[] =>
      conditionsOf(seen(), wanted).map(({ missing, ...condition }) => ({ ...condition, holds: missing === null })),
    /** Conditions that are not met now; empty when the output may be switched on. */
    missing: (): Message[] => missingConditions(seen(), wanted),
    /** Why an output that is on must go off at once; empty while it may stay on. */
    broken: (): Message[] => brokenConditions(seen(), wanted),
    state(): Record<string, number | boolean | null> {
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
