/** Readings in order of time. `null` marks an unreadable one: the points before and after it are not connected. */
export interface Points {
  atMs: number[]
  values: (number | null)[]
}

export interface TimeSpan {
  fromMs: number
  toMs: number
}

/** A time without readings, from the last one before it to the first one after it. */
export type Gap = TimeSpan

export interface Extent {
  min: number
  max: number
  last: number
  lastAtMs: number
  gaps: Gap[]
}

/** The gaps in a span; a gap that is still open ends with the span. */
export function gapsIn({ atMs, values }: Points, toMs: number): Gap[] {
  const gaps: Gap[] = []
  let beforeMs: number | null = null
  let isOpen = false
  values.forEach((value, index) => {
    const at = atMs[index] as number
    if (value === null) isOpen = beforeMs !== null
    else {
      if (isOpen && beforeMs !== null) gaps.push({ fromMs: beforeMs, toMs: at })
      isOpen = false
      beforeMs = at
    }
  })
  if (isOpen && beforeMs !== null && beforeMs < toMs) gaps.push({ fromMs: beforeMs, toMs })
  return gaps
}

/** The minimum, the maximum and the last reading of a span, and its gaps; null without readings. */
export function extentOf(points: Points, fromMs: number, toMs: number): Extent | null {
  let found: Extent | null = null
  points.values.forEach((value, index) => {
    const at = points.atMs[index] as number
    if (value === null || at < fromMs || at > toMs) return
    if (!found) found = { min: value, max: value, last: value, lastAtMs: at, gaps: [] }
    else {
      found.min = Math.min(found.min, value)
      found.max = Math.max(found.max, value)
      found.last = value
      found.lastAtMs = at
    }
  })
  const extent = found as Extent | null
  if (extent) extent.gaps = gapsIn(points, toMs).filter((gap) => gap.toMs > fromMs)
  return extent
}

interface Sample {
  atMs: number
  value: number
}

/** Reads points in order of time and passes on what a chart with this many columns can show. */
export type Thinner = ReturnType<typeof createThinner>

/**
 * For each column the minimum, maximum and last reading, and one beyond each edge. A gap always interrupts the line.
 */
export function createThinner(fromMs: number, toMs: number, columns: number) {
  const columnMs = columns === Infinity ? 0 : (toMs - fromMs) / columns
  const out: Points = { atMs: [], values: [] }
  let edge: Sample | null = null
  let takenAtMs = -Infinity
  let column = -1
  let least: Sample | null = null
  let most: Sample | null = null
  let newest: Sample | null = null
  let wantsMore = true

  function emit({ atMs, value }: Sample): void {
    out.atMs.push(atMs)
    out.values.push(value)
  }

  function flush(): void {
    if (!least || !most || !newest) return
    const [first, second] = least.atMs <= most.atMs ? [least, most] : [most, least]
    emit(first)
    if (second !== first) emit(second)
    if (newest !== second && newest !== first) emit(newest)
    least = most = newest = null
  }

  function emitGap(atMs: number): void {
    flush()
    if (out.atMs.length === 0) return
    out.atMs.push(((out.atMs.at(-1) as number) + atMs) / 2)
    out.values.push(null)
  }

  return {
    /** False when the span needs no more points. */
    get wantsMore() {
      return wantsMore
    },
    /** `gapFromMs` to `gapToMs` is a gap that ends at or before this reading; NaN when there is none. */
    take(atMs: number, value: number, gapFromMs: number, gapToMs: number): void {
      const sample = { atMs, value }
      const isAfterGap = gapFromMs < atMs && takenAtMs < gapToMs
      takenAtMs = atMs
      if (atMs < fromMs) {
        edge = sample
        return
      }
      if (edge) emit(edge)
      edge = null
      if (isAfterGap) emitGap(atMs)
      if (atMs > toMs) {
        flush()
        emit(sample)
        wantsMore = false
        return
      }
      const own = columnMs === 0 ? Infinity : Math.floor((atMs - fromMs) / columnMs)
      if (own !== column || own === Infinity) flush()
      column = own
      least = least && least.value <= value ? least : sample
      most = most && most.value >= value ? most : sample
      newest = sample
    },
    end(isSilent: boolean): Points {
      if (edge) emit(edge)
      flush()
      if (isSilent && wantsMore && out.atMs.length > 0) {
        out.atMs.push(Math.max(out.atMs.at(-1) as number, toMs))
        out.values.push(null)
      }
      return out
    }
  }
}
