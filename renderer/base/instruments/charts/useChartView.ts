import { computed, ref, shallowRef } from 'vue'
import type { Gap, TimeSpan } from '../../../../preload/base/signals/points.ts'
import type { Series } from '../../../../preload/base/signals/series.ts'

export type CursorName = 'A' | 'B'
export type ChartView = ReturnType<typeof useChartView>

const [shortestMs, longestMs] = [1_000, 24 * 3_600_000]

/**
 * The time range of a chart: the last minutes, moving on, or a range that a person paused or that was set for the chart
 * (`fixed`); and the two cursors for measuring. `nowMs` is the present time of the charts.
 */
export function useChartView(options: {
  spanMs: () => number
  nowMs: () => number
  series: () => readonly Series[]
  fixed?: () => TimeSpan | null
}) {
  const spanMs = ref(options.spanMs())
  const held = shallowRef<TimeSpan | null>(options.fixed?.() ?? null)
  const cursors = shallowRef<Readonly<Partial<Record<CursorName, number>>>>({})
  const active = ref<CursorName | null>(null)
  const isHeld = computed(() => held.value !== null)

  function span(): TimeSpan {
    return held.value ?? { fromMs: options.nowMs() - spanMs.value, toMs: options.nowMs() }
  }
  function clamp(ms: number): number {
    return Math.min(longestMs, Math.max(shortestMs, ms))
  }
  function hold(fromMs: number, toMs: number): void {
    held.value = { fromMs, toMs }
  }

  /** Pauses, or continues from now. */
  function freeze(): void {
    held.value = held.value ? (options.fixed?.() ?? null) : span()
  }
  function reset(): void {
    held.value = options.fixed?.() ?? null
    spanMs.value = options.spanMs()
  }
  /** A factor below 1 zooms in, around the active cursor or the middle; a moving range still ends now. */
  function zoom(factor: number, aroundMs?: number): void {
    const { fromMs, toMs } = span()
    const wanted = clamp((toMs - fromMs) * factor)
    if (!held.value) {
      spanMs.value = wanted
      return
    }
    const middle = aroundMs ?? cursorIn(fromMs, toMs) ?? (fromMs + toMs) / 2
    const share = (middle - fromMs) / (toMs - fromMs)
    hold(middle - wanted * share, middle + wanted * (1 - share))
  }
  function cursorIn(fromMs: number, toMs: number): number | undefined {
    const at = active.value === null ? undefined : cursors.value[active.value]
    return at !== undefined && at >= fromMs && at <= toMs ? at : undefined
  }
  function choose(fromMs: number, toMs: number): void {
    const missing = shortestMs - (toMs - fromMs)
    hold(fromMs - Math.max(0, missing / 2), toMs + Math.max(0, missing / 2))
  }
  function pan(byMs: number): void {
    const { fromMs, toMs } = span()
    const shift = Math.min(byMs, options.nowMs() - toMs)
    hold(fromMs + shift, toMs + shift)
  }
  /** Pans to make a time visible. */
  function reveal(atMs: number): void {
    const { fromMs, toMs } = span()
    if (atMs < fromMs) hold(atMs - (toMs - fromMs) * 0.1, atMs + (toMs - fromMs) * 0.9)
    else if (atMs > toMs) hold(atMs - (toMs - fromMs) * 0.9, atMs + (toMs - fromMs) * 0.1)
  }

  /**
   * Activates a cursor: it appears away from the other one, and the chart pauses, because a moving chart cannot be
   * measured.
   */
  function takeCursor(name: CursorName, atMs?: number): void {
    const { fromMs, toMs } = span()
    held.value ??= { fromMs, toMs }
    active.value = name
    if (atMs === undefined && cursors.value[name] !== undefined) return reveal(cursors.value[name])
    cursors.value = {
      ...cursors.value,
      [name]: nearest(atMs ?? fromMs + (toMs - fromMs) * (name === 'A' ? 1 / 3 : 2 / 3))
    }
  }
  function dropCursors(): void {
    cursors.value = {}
    active.value = null
  }
  /** Moves the active cursor by so many readings. */
  function stepCursor(by: number): void {
    const at = active.value === null ? undefined : cursors.value[active.value]
    if (at === undefined || active.value === null) return
    const { fromMs, toMs } = span()
    const times = timesIn(Math.min(fromMs, at), Math.max(toMs, at))
    const index = by > 0 ? times.findIndex((one) => one > at) + by - 1 : times.findLastIndex((one) => one < at) + by + 1
    const next = times[Math.min(times.length - 1, Math.max(0, index))]
    if (next === undefined || (by > 0 && next < at) || (by < 0 && next > at)) return
    cursors.value = { ...cursors.value, [active.value]: next }
    reveal(next)
  }
  function timesIn(fromMs: number, toMs: number): number[] {
    const first = options.series()[0]
    if (!first) return []
    const { atMs, values } = first.points(fromMs, toMs)
    return atMs.filter((_at, index) => values[index] !== null)
  }
  /** A cursor is always on a reading, never between two. */
  function nearest(atMs: number): number {
    const { fromMs, toMs } = span()
    const far = (one: number) => Math.abs(one - atMs)
    return (
      timesIn(fromMs, toMs).reduce<number | null>(
        (best, one) => (best === null || far(one) < far(best) ? one : best),
        null
      ) ?? atMs
    )
  }
  /** Goes to the previous or next gap. */
  function toGap(gaps: readonly Gap[], direction: 1 | -1): void {
    const { fromMs, toMs } = span()
    const here = held.value ? (fromMs + toMs) / 2 : toMs
    const isThere = ({ fromMs: start, toMs: end }: Gap) =>
      direction > 0 ? (start + end) / 2 > here + 1 : (start + end) / 2 < here - 1
    const gap = direction > 0 ? gaps.find(isThere) : gaps.findLast(isThere)
    if (!gap) return
    const [at, half] = [(gap.fromMs + gap.toMs) / 2, Math.max((toMs - fromMs) / 2, gap.toMs - gap.fromMs)]
    hold(at - half, at + half)
  }

  return {
    spanMs,
    isHeld,
    cursors,
    active,
    span,
    freeze,
    reset,
    zoom,
    choose,
    pan,
    takeCursor,
    dropCursors,
    stepCursor,
    toGap
  }
}

/** The reading of a series at a time: the last one up to then, null in a gap and before the history began. */
export function readingAt(series: Series, atMs: number): number | null {
  const { atMs: times, values } = series.points(atMs, atMs)
  const index = times.findLastIndex((one, n) => one <= atMs && values[n] !== null)
  if (index < 0) return null
  return values[index + 1] === null && atMs > (times[index] as number) ? null : (values[index] ?? null)
}
