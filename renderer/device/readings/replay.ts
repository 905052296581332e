import { computed, onScopeDispose, ref, type ComputedRef, type Ref } from 'vue'

/** A timestamped reading. */
type Read = readonly [atMs: number, ...rest: unknown[]]

/** The last point read at or before the time; undefined before the first. */
export function pointAt<Point extends Read>(points: readonly Point[], atMs: number): Point | undefined {
  let [low, high] = [0, points.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((points[middle]?.[0] ?? 0) <= atMs) low = middle + 1
    else high = middle
  }
  return points[low - 1]
}

export interface Replay<Point extends Read> {
  /** The time shown in the replay; null: now. */
  atMs: Readonly<Ref<number | null>>
  isPlaying: Readonly<Ref<boolean>>
  point: ComputedRef<Point | undefined>
  show(atMs: number | null): void
  toggle(): void
}

const stepMs = 100
/** A session replays in half a minute, however long it was, but never slower than this many times real time. */
const wholeInMs = 30_000
const leastPace = 4

/** Replays the session: a chosen time, or all of it in motion. */
export function useReplay<Point extends Read>(points: () => readonly Point[]): Replay<Point> {
  const atMs = ref<number | null>(null)
  const isPlaying = ref(false)
  let timer: ReturnType<typeof setInterval> | undefined

  function stop(): void {
    clearInterval(timer)
    isPlaying.value = false
  }

  function show(next: number | null): void {
    stop()
    const [firstMs, lastMs] = [points()[0]?.[0], points().at(-1)?.[0]]
    const isNow = next === null || firstMs === undefined || lastMs === undefined || next >= lastMs
    atMs.value = isNow ? null : Math.max(firstMs, next)
  }

  function step(): void {
    const [firstMs = 0, lastMs = 0] = [points()[0]?.[0], points().at(-1)?.[0]]
    const pace = Math.max(leastPace, (lastMs - firstMs) / wholeInMs)
    const next = (atMs.value ?? firstMs) + stepMs * pace
    if (next >= lastMs) show(null)
    else atMs.value = next
  }

  onScopeDispose(stop)
  return {
    atMs,
    isPlaying,
    point: computed(() => (atMs.value === null ? undefined : pointAt(points(), atMs.value))),
    show,
    toggle() {
      if (isPlaying.value) return stop()
      const firstMs = points()[0]?.[0]
      if (firstMs === undefined) return
      atMs.value ??= firstMs
      isPlaying.value = true
      timer = setInterval(step, stepMs)
    }
  }
}
