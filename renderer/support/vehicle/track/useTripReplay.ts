import { computed, onScopeDispose, ref, watch } from 'vue'
import type { Trip } from './dayParts.ts'

const stepMs = 100
export const paces = [1, 10, 60] as const
export type Pace = (typeof paces)[number]
/** The room for a stop between two trips, as a share of all moving time. */
const stopShare = 0.06

export interface TripSpan {
  trip: Trip
  /** On an axis without the stops. */
  from: number
  to: number
}

/** Replays the trips of a day one after the other: the stops between them take no time. */
export function useTripReplay(trips: () => readonly Trip[]) {
  const shown = ref<number | null>(null)
  const isPlaying = ref(false)
  const pace = ref<Pace>(10)
  let timer: ReturnType<typeof setInterval> | undefined

  /** The axis: each trip as long as it took, each stop equally wide. */
  const axis = computed<{ spans: TripSpan[]; length: number; roomMs: number }>(() => {
    const all = trips()
    const movingMs = all.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
    const roomMs = movingMs * stopShare
    let at = roomMs
    const spans = all.map((trip) => {
      const span = { trip, from: at, to: at + trip.toMs - trip.fromMs }
      at = span.to + roomMs
      return span
    })
    return { spans, length: at, roomMs }
  })
  /** A moment in a stop is the start of the trip after it. */
  const at = computed(() => {
    const value = shown.value
    const { spans } = axis.value
    const index = value === null ? -1 : spans.findIndex(({ to }) => value <= to)
    const span = spans[index]
    return value === null || !span
      ? null
      : { trip: span.trip, index, atMs: span.trip.fromMs + Math.max(0, value - span.from) }
  })

  function stop(): void {
    clearInterval(timer)
    isPlaying.value = false
  }
  function show(next: number | null): void {
    stop()
    const last = axis.value.spans.at(-1)
    shown.value = next === null || !last || next >= last.to ? null : Math.max(0, next)
  }
  function step(): void {
    const { spans } = axis.value
    const next = (shown.value ?? 0) + stepMs * pace.value
    const span = spans.find(({ to }) => next <= to)
    if (!span) return show(null)
    shown.value = Math.max(next, span.from)
  }

  watch(trips, () => show(null))
  onScopeDispose(stop)
  return {
    axis,
    at,
    shown,
    isPlaying,
    pace,
    show,
    setPace: (next: Pace) => void (pace.value = next),
    /** Begins with a trip. */
    showTrip(trip: Trip): void {
      const span = axis.value.spans.find((one) => one.trip === trip)
      show(span ? span.from : null)
    },
    toggle(): void {
      if (isPlaying.value) return stop()
      const [first] = axis.value.spans
      if (!first) return
      shown.value ??= first.from
      isPlaying.value = true
      timer = setInterval(step, stepMs)
    }
  }
}
export type TripReplay = ReturnType<typeof useTripReplay>
