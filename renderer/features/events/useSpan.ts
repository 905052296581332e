import { computed, shallowRef, watch } from 'vue'
import type { EventLogState } from '../../../preload/contract/vehicles/eventLog.ts'

interface Span {
  fromMs: number
  toMs: number
}
const leastMs = 60_000

export type ShownSpan = ReturnType<typeof useSpan>

/** The visible part of the loaded time: all of it, until somebody zooms in. */
export function useSpan(state: () => EventLogState | null) {
  const closer = shallowRef<Span | null>(null)
  const whole = computed<Span>(() => ({ fromMs: state()?.fromMs ?? 0, toMs: state()?.toMs ?? 1 }))
  const shown = computed<Span>(() => closer.value ?? whole.value)
  const isZoomed = computed(() => closer.value !== null)
  watch(
    () => state()?.id,
    () => (closer.value = null)
  )

  /** Never outside the requested range, and never zoomed in until nothing is visible. */
  function put(fromMs: number, toMs: number): void {
    const { value: all } = whole
    const length = Math.min(Math.max(leastMs, toMs - fromMs), all.toMs - all.fromMs)
    const from = Math.min(Math.max(fromMs, all.fromMs), all.toMs - length)
    closer.value = length >= all.toMs - all.fromMs ? null : { fromMs: Math.round(from), toMs: Math.round(from + length) }
  }

  return {
    shown,
    isZoomed,
    reset: () => void (closer.value = null),
    choose: ({ fromMs, toMs }: Span) => put(fromMs, toMs),
    /** Zooms in (a factor under 1) or out, around a visible moment, else around the middle. */
    zoom(factor: number, aroundMs: number | null): void {
      const { fromMs, toMs } = shown.value
      const at = aroundMs !== null && aroundMs >= fromMs && aroundMs <= toMs ? aroundMs : (fromMs + toMs) / 2
      const length = Math.max(leastMs, (toMs - fromMs) * factor)
      const share = (at - fromMs) / (toMs - fromMs)
      put(at - share * length, at + (1 - share) * length)
    },
    /** Scrolls just far enough to show a moment. */
    reveal(atMs: number): void {
      const { fromMs, toMs } = shown.value
      if (!closer.value || (atMs >= fromMs && atMs <= toMs)) return
      const half = (toMs - fromMs) / 2
      put(atMs - half, atMs + half)
    }
  }
}
