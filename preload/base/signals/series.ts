import { createBucketKeeper, createRawKeeper } from './keepers.ts'
import { createThinner, extentOf, type Extent, type Points } from './points.ts'

export interface SeriesOptions {
  /** The number of unchanged readings; older ones are kept in buckets. */
  rawReadings?: number
  /** The expected interval of readings. If omitted, it is learned from the last few. */
  intervalMs?: number
  leastIntervalMs?: number
  /** Only `null` makes a gap: for readings that were already thinned and marked. */
  areGapsTold?: boolean
}

/**
 * The history of one signal, a day long in bounded memory: the last readings unchanged, then buckets of 10 s for two
 * hours, then buckets of a minute for 24 h. Every value was really read: a bucket has its minimum, maximum and last
 * reading with their times. 20 signals with a full day take less than 6 MB.
 */
export type Series = ReturnType<typeof createSeries>

const usualRawReadings = 6_000
const [minuteBuckets, tenSecondBuckets] = [1_440, 720]
const keptForMs = 24 * 3_600_000
const missedIntervals = 2.5
const learnedIntervals = 9
/** Clocks are corrected slightly all the time; after a larger correction, old and new times cannot share an axis. */
const setBackMs = 1_000

/** An empty history of a signal; see Series. */
export function createSeries({
  rawReadings = usualRawReadings,
  intervalMs,
  leastIntervalMs = 0,
  areGapsTold = false
}: SeriesOptions = {}) {
  /** Coarsest first. */
  const keepers = [
    createBucketKeeper(60_000, minuteBuckets),
    createBucketKeeper(10_000, tenSecondBuckets),
    createRawKeeper(rawReadings)
  ]
  const steps: number[] = []
  let newest: { atMs: number; value: number } | null = null
  let heardAtMs = -Infinity
  let isSilent = false
  let changes = 0

  function forget(): void {
    for (const keeper of keepers) keeper.clear()
    steps.length = 0
    newest = null
    heardAtMs = -Infinity
    isSilent = false
  }

  function expectedMs(): number {
    if (areGapsTold) return Infinity
    if (intervalMs !== undefined) return intervalMs
    return steps.length < 3
      ? Infinity
      : Math.max(leastIntervalMs, steps.toSorted((a, b) => a - b)[steps.length >> 1] as number)
  }

  function isLate(atMs: number): boolean {
    return newest !== null && atMs - heardAtMs > expectedMs() * missedIntervals
  }

  return {
    /** Adds a reading, or null for a failed one. A clock that was set back starts a new history. */
    add(atMs: number, value: number | null): void {
      if (atMs < heardAtMs - setBackMs) forget()
      const at = Math.max(atMs, heardAtMs)
      changes += 1
      isSilent ||= isLate(at)
      if (Number.isFinite(heardAtMs)) steps.push(at - heardAtMs)
      if (steps.length > learnedIntervals) steps.shift()
      heardAtMs = at
      if (value === null || !Number.isFinite(value)) {
        isSilent = newest !== null
        return
      }
      for (const keeper of keepers) keeper.keep({ atMs: at, value, gapFromMs: isSilent && newest ? newest.atMs : NaN })
      newest = { atMs: at, value }
      isSilent = false
    },
    /** Starts a gap when there was no reading for 2.5 intervals. */
    settle(nowMs: number): void {
      if (isSilent || !isLate(nowMs)) return
      isSilent = true
      changes += 1
    },
    /** Readings of a span and one on each side; of each of `columns` parts the minimum, the maximum and the last. */
    points(fromMs: number, toMs: number, columns: number = Infinity): Points {
      const out = createThinner(fromMs, toMs, columns)
      const oldestMs = Math.max(fromMs, (newest?.atMs ?? 0) - keptForMs)
      const columnMs = columns === Infinity ? 0 : (toMs - fromMs) / columns
      // Nothing finer than a column is needed; older times come from the coarser resolutions.
      const fineEnough = keepers.slice(0, keepers.findIndex(({ bucketMs }) => bucketMs <= columnMs) + 1)
      fineEnough.forEach((keeper, index) => {
        const untilMs = fineEnough[index + 1]?.oldestMs ?? Infinity
        if (untilMs > oldestMs) keeper.read(oldestMs, untilMs, out)
      })
      return out.end(isSilent)
    },
    /** The summary of a span; null without readings. */
    extent(fromMs: number, toMs: number, columns?: number): Extent | null {
      return extentOf(this.points(fromMs, toMs, columns), fromMs, toMs)
    },
    get last() {
      return newest
    },
    /** The time of the oldest reading in the history. */
    get firstAtMs() {
      const oldestMs = Math.min(...keepers.map((keeper) => keeper.oldestMs))
      return oldestMs === Infinity ? null : oldestMs
    },
    /** True while all readings fail, or none has come for too long. */
    get isSilent() {
      return isSilent
    },
    /** Increases with each addition, so that a chart knows whether to redraw. */
    get changes() {
      return changes
    },
    get bytes() {
      return keepers.reduce((sum, { bytes }) => sum + bytes, 0)
    }
  }
}
