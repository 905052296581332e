import { createRing, type Ring } from './ring.ts'

/** Readings in the order of time. `null` stands where nothing could be read: what is before and after it is never joined. */
export interface Points {
  atMs: number[]
  values: (number | null)[]
}

/** A time without readings, from the last one before it to the first one after it. */
export interface Gap {
  fromMs: number
  toMs: number
}

export interface Extent {
  min: number
  max: number
  /** The last reading of the span, and when it was made. */
  last: number
  lastAtMs: number
  gaps: Gap[]
}

export interface SeriesOptions {
  /** Readings that are kept as they came; older ones as the least, the greatest and the last of their bucket. */
  rawReadings?: number
  /** How often a reading is expected. Without it that is learned from the last few. */
  intervalMs?: number
  /** Only `null` makes a gap: for readings that somebody else has thinned out and marked already. */
  areGapsTold?: boolean
}

/**
 * The history of one signal, a day long in bounded memory: the last readings as they came, then buckets of 10 s for two
 * hours, then buckets of a minute for 24 h. All that comes out was read: of a bucket its least, its greatest and its last
 * reading, at their own times. 20 signals with a full day take less than 6 MB.
 */
export interface Series {
  /** A reading, or null where none could be made. Times go forward; a clock that was set back begins a new history. */
  add(atMs: number, value: number | null): void
  /** Marks the gap that has opened when nothing came for longer than 2.5 intervals. */
  settle(nowMs: number): void
  /** Readings of a span with one before and one after it; of each of `columns` equal parts the least, the greatest and the last. */
  points(fromMs: number, toMs: number, columns?: number): Points
  /** What the span holds; null when no reading is in it. */
  extent(fromMs: number, toMs: number, columns?: number): Extent | null
  readonly last: { atMs: number; value: number } | null
  /** Nothing has been read since this time, though it was tried; null while readings come. */
  readonly silentSinceMs: number | null
  readonly firstAtMs: number | null
  /** Counts what was added, so that a chart knows whether it has to be drawn again. */
  readonly changes: number
  readonly bytes: number
}

const usualRawReadings = 6_000
/** How long a bucket is, and how many of them are kept. */
const tiers = [
  { bucketMs: 10_000, buckets: 720 },
  { bucketMs: 60_000, buckets: 1_440 }
]
const keptForMs = 24 * 3_600_000
const missedIntervals = 2.5
const learnedIntervals = 9
/** A clock is corrected by a little all the time; more than this, and old and new times can't stand on one axis. */
const setBackMs = 1_000

/** Fields of a reading in the raw ring: where the gap before it began is NaN when there is none. */
const [rawAt, rawValue, rawGapFrom, rawFields] = [0, 1, 2, 3]
/** Fields of a bucket. Several gaps in one bucket are kept as one, from the first to the last. */
const [minAt, min, maxAt, max, lastAt, last, gapFrom, gapTo, bucketFields] = [0, 1, 2, 3, 4, 5, 6, 7, 8]

/** An empty history; see Series. */
export function createSeries({ rawReadings = usualRawReadings, intervalMs, areGapsTold = false }: SeriesOptions = {}): Series {
  const raw = createRing(rawFields, rawReadings)
  const levels = tiers.map(({ bucketMs, buckets }) => ({ bucketMs, ring: createRing(bucketFields, buckets) }))
  const steps: number[] = []
  let newest: { atMs: number; value: number } | null = null
  let heardAtMs = -Infinity
  let silentSinceMs: number | null = null
  let changes = 0

  function forget(): void {
    raw.clear()
    for (const { ring } of levels) ring.clear()
    steps.length = 0
    newest = null
    heardAtMs = -Infinity
    silentSinceMs = null
  }

  function learn(stepMs: number): void {
    steps.push(stepMs)
    if (steps.length > learnedIntervals) steps.shift()
  }

  function expectedMs(): number {
    if (areGapsTold) return Infinity
    if (intervalMs !== undefined) return intervalMs
    return steps.length < 3 ? Infinity : (steps.toSorted((a, b) => a - b)[steps.length >> 1] as number)
  }

  function isLate(atMs: number): boolean {
    return newest !== null && silentSinceMs === null && atMs - heardAtMs > expectedMs() * missedIntervals
  }

  function keep(atMs: number, value: number, gapFromMs: number): void {
    const row = raw.push()
    raw.data[row + rawAt] = atMs
    raw.data[row + rawValue] = value
    raw.data[row + rawGapFrom] = gapFromMs
    for (const { ring, bucketMs } of levels) keepInBucket(ring, bucketMs, { atMs, value, gapFromMs })
  }

  return {
    add(atMs, value) {
      if (atMs < heardAtMs - setBackMs) forget()
      const at = Math.max(atMs, heardAtMs)
      changes += 1
      if (isLate(at)) silentSinceMs = heardAtMs
      if (Number.isFinite(heardAtMs) && at > heardAtMs) learn(at - heardAtMs)
      if (value === null || !Number.isFinite(value)) {
        if (newest !== null) silentSinceMs ??= newest.atMs
      } else {
        keep(at, value, silentSinceMs ?? NaN)
        newest = { atMs: at, value }
        silentSinceMs = null
      }
      heardAtMs = at
    },
    settle(nowMs) {
      if (!isLate(nowMs)) return
      silentSinceMs = heardAtMs
      changes += 1
    },
    points(fromMs, toMs, columns = Infinity) {
      const columnMs = (toMs - fromMs) / columns
      const out = createThinner(fromMs, columnMs)
      let until = sourcesFor(columnMs, fromMs)
      for (const source of until.splice(0)) source.read(Math.max(fromMs, (newest?.atMs ?? 0) - keptForMs), toMs, out)
      until = []
      return out.end(silentSinceMs !== null && silentSinceMs <= toMs && newest !== null && newest.atMs <= toMs ? silentSinceMs : null)
    },
    extent(fromMs, toMs, columns) {
      return extentOf(this.points(fromMs, toMs, columns), fromMs, toMs)
    },
    get last() {
      return newest
    },
    get silentSinceMs() {
      return silentSinceMs
    },
    get firstAtMs() {
      return null
    },
    get changes() {
      return changes
    },
    get bytes() {
      return raw.bytes + levels.reduce((sum, { ring }) => sum + ring.bytes, 0)
    }
  }
}
