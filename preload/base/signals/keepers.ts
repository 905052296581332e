import type { Thinner } from './points.ts'
import { createRing, type Ring } from './ring.ts'

export interface KeptReading {
  atMs: number
  value: number
  /** The last reading before the gap that ends here; NaN when there is none. */
  gapFromMs: number
}

export interface Keeper {
  /** The length of a bucket; 0 when every reading is kept. */
  readonly bucketMs: number
  /** Infinity while there is none. */
  readonly oldestMs: number
  readonly bytes: number
  keep(reading: KeptReading): void
  /** Passes on everything before `untilMs`, starting with the last reading before `fromMs`. */
  read(fromMs: number, untilMs: number, out: Thinner): void
  clear(): void
}

export function createRawKeeper(mostReadings: number): Keeper {
  const [at, value, gapFrom, fields] = [0, 1, 2, 3]
  const ring = createRing(fields, mostReadings)
  return {
    bucketMs: 0,
    get oldestMs() {
      return ring.length === 0 ? Infinity : field(ring, 0, at)
    },
    get bytes() {
      return ring.bytes
    },
    keep(reading) {
      const row = ring.push()
      ring.data[row + at] = reading.atMs
      ring.data[row + value] = reading.value
      ring.data[row + gapFrom] = reading.gapFromMs
    },
    read(fromMs, untilMs, out) {
      for (let n = lastBefore(ring, at, fromMs); n < ring.length && out.wantsMore; n += 1) {
        const atMs = field(ring, n, at)
        if (atMs >= untilMs) return
        out.take(atMs, field(ring, n, value), field(ring, n, gapFrom), atMs)
      }
    },
    clear: () => ring.clear()
  }
}

/** For each `bucketMs` the minimum, maximum and last reading; several gaps become one. */
export function createBucketKeeper(bucketMs: number, mostBuckets: number): Keeper {
  const [minAt, min, maxAt, max, lastAt, last, gapFrom, gapTo, fields] = [0, 1, 2, 3, 4, 5, 6, 7, 8]
  const ring = createRing(fields, mostBuckets)

  function begin({ atMs, value, gapFromMs }: KeptReading): void {
    const row = ring.push()
    for (const time of [minAt, maxAt, lastAt]) ring.data[row + time] = atMs
    for (const one of [min, max, last]) ring.data[row + one] = value
    ring.data[row + gapFrom] = gapFromMs
    ring.data[row + gapTo] = Number.isNaN(gapFromMs) ? NaN : atMs
  }

  function goOn(row: number, { atMs, value, gapFromMs }: KeptReading): void {
    const { data } = ring
    if (value < (data[row + min] as number)) [data[row + minAt], data[row + min]] = [atMs, value]
    if (value > (data[row + max] as number)) [data[row + maxAt], data[row + max]] = [atMs, value]
    data[row + lastAt] = atMs
    data[row + last] = value
    if (Number.isNaN(gapFromMs)) return
    if (Number.isNaN(data[row + gapFrom])) data[row + gapFrom] = gapFromMs
    data[row + gapTo] = atMs
  }

  return {
    bucketMs,
    get oldestMs() {
      return ring.length === 0 ? Infinity : Math.min(field(ring, 0, minAt), field(ring, 0, maxAt))
    },
    get bytes() {
      return ring.bytes
    },
    keep(reading) {
      const isSame =
        ring.length > 0 &&
        Math.floor(field(ring, ring.length - 1, lastAt) / bucketMs) === Math.floor(reading.atMs / bucketMs)
      if (isSame) goOn(ring.row(ring.length - 1), reading)
      else begin(reading)
    },
    read(fromMs, untilMs, out) {
      for (let n = lastBefore(ring, lastAt, fromMs); n < ring.length && out.wantsMore; n += 1) {
        const [gapFromMs, gapToMs] = [field(ring, n, gapFrom), field(ring, n, gapTo)]
        const order = field(ring, n, minAt) <= field(ring, n, maxAt) ? [minAt, maxAt, lastAt] : [maxAt, minAt, lastAt]
        let beforeMs = NaN
        for (const time of order) {
          const atMs = field(ring, n, time)
          if (atMs >= untilMs) return
          // A bucket of one reading contains it three times.
          if (atMs !== beforeMs) out.take(atMs, field(ring, n, time + 1), gapFromMs, gapToMs)
          beforeMs = atMs
        }
      }
    },
    clear: () => ring.clear()
  }
}

function field(ring: Ring, index: number, name: number): number {
  return ring.data[ring.row(index) + name] as number
}

/** The last row whose time is before `ms`; the first row when none is. */
function lastBefore(ring: Ring, time: number, ms: number): number {
  let from = 0
  let to = ring.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (field(ring, middle, time) < ms) from = middle + 1
    else to = middle
  }
  return Math.max(0, from - 1)
}
