import { computed, ref, shallowRef, watch } from 'vue'
import type { EventLogState } from '../../../preload/contract/gateway/vehicles/eventLog.ts'
import type { TimeSpan } from '../../../preload/base/signals/points.ts'
import { t } from '../../base/texts.ts'

const leastMs = 60_000
/** Free room on both sides of the events. */
const margin = 0.02

export type ShownSpan = ReturnType<typeof useSpan>

/** The visible part of the loaded time: fitted to the events, or all of it, until someone zooms in. */
export function useSpan(state: () => EventLogState | null) {
  const closer = shallowRef<TimeSpan | null>(null)
  const isFitted = ref(true)
  const whole = computed<TimeSpan>(() => ({ fromMs: state()?.fromMs ?? 0, toMs: state()?.toMs ?? 1 }))
  const fitted = computed<TimeSpan>(() => {
    const data = state()?.data
    const { fromMs, toMs } = whole.value
    if (!data) return whole.value
    const roomMs = Math.max(leastMs / 2, (data.toMs - data.fromMs) * margin)
    return {
      fromMs: Math.max(fromMs, Math.round(data.fromMs - roomMs)),
      toMs: Math.min(toMs, Math.round(data.toMs + roomMs))
    }
  })
  const shown = computed<TimeSpan>(() => closer.value ?? (isFitted.value ? fitted.value : whole.value))
  const fit = computed<'data' | 'whole' | null>(() => (closer.value ? null : isFitted.value ? 'data' : 'whole'))
  watch(
    () => state()?.id,
    () => (closer.value = null)
  )

  /** Never outside the requested range, and never zoomed in until nothing is visible. */
  function put(fromMs: number, toMs: number): void {
    const { value: all } = whole
    const length = Math.min(Math.max(leastMs, toMs - fromMs), all.toMs - all.fromMs)
    const from = Math.min(Math.max(fromMs, all.fromMs), all.toMs - length)
    if (length >= all.toMs - all.fromMs) return fitTo('whole')
    closer.value = { fromMs: Math.round(from), toMs: Math.round(from + length) }
  }
  function fitTo(what: 'data' | 'whole'): void {
    isFitted.value = what === 'data'
    closer.value = null
  }

  const ranges = computed(() =>
    (['data', 'whole'] as const).map((value) => ({
      value,
      text:
        value === 'data'
          ? t('windowEventLog.fit.data')
          : t('windowEventLog.fit.whole', { periodS: Math.round((whole.value.toMs - whole.value.fromMs) / 1000) })
    }))
  )

  return {
    whole,
    /** What the visible part may be fitted to, with its text. */
    ranges,
    shown,
    /** What the visible part is fitted to; null after zooming. */
    fit,
    fitTo,
    choose: ({ fromMs, toMs }: TimeSpan) => put(fromMs, toMs),
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
      if (atMs >= fromMs && atMs <= toMs) return
      const half = (toMs - fromMs) / 2
      put(atMs - half, atMs + half)
    }
  }
}
