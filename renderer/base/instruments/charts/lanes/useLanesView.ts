import { computed, ref, shallowRef } from 'vue'
import { edgesOf } from './measure.ts'
import { gapsOf, type LinesStory } from '../../../../../preload/job/linesStory.ts'
import { frameView, panView, revealTime, spanOf, zoomView, type LanesView, type Span } from './view.ts'
import { presentMs } from '../../../ui/time/presentTime.ts'

export type CursorName = 0 | 1

/**
 * The shown range of the story, and two cursors that a person moves: by keys, by the pointer, from change to change.
 */
export function useLanesView(story: () => LinesStory | null, firstRangeMs: number) {
  const view = shallowRef<LanesView>({ rangeMs: firstRangeMs, endMs: null })
  const cursors = shallowRef<readonly [number | null, number | null]>([null, null])
  const active = ref<CursorName>(0)
  const nowMs = () => story()?.nowMs ?? presentMs()
  const span = computed<Span>(() => spanOf(view.value, nowMs()))
  const isLive = computed(() => view.value.endMs === null)

  function setRange(rangeMs: number): void {
    view.value = { ...view.value, rangeMs }
  }
  function freeze(): void {
    view.value = { ...view.value, endMs: isLive.value ? nowMs() : null }
  }
  function zoomBy(factor: number, atMs = (span.value[0] + span.value[1]) / 2): void {
    view.value = zoomView(view.value, { factor, atMs, nowMs: nowMs() })
  }
  function choose(chosen: Span): void {
    view.value = frameView(chosen)
  }
  function panBy(part: number): void {
    view.value = panView(view.value, part, nowMs())
  }
  function goLive(): void {
    view.value = { ...view.value, endMs: null }
  }

  function put(which: CursorName, atMs: number | null): void {
    active.value = which
    cursors.value = which === 0 ? [atMs, cursors.value[1]] : [cursors.value[0], atMs]
  }
  /** Returns the named cursor; one outside the visible range starts in the middle. */
  function take(which: CursorName): void {
    const atMs = cursors.value[which]
    const [fromMs, toMs] = span.value
    const middleMs = (Math.max(fromMs, story()?.fromMs ?? fromMs) + toMs) / 2
    put(which, atMs !== null && atMs >= fromMs && atMs <= toMs ? atMs : Math.round(middleMs))
  }
  /** The first click sets A, the second B; further clicks move the nearer one. */
  function point(atMs: number): void {
    const [a, b] = cursors.value
    const which = a === null ? 0 : b === null ? 1 : Math.abs(a - atMs) <= Math.abs(b - atMs) ? 0 : 1
    put(which, Math.round(atMs))
  }
  function clear(): void {
    cursors.value = [null, null]
    active.value = 0
  }
  function step(byMs: number): void {
    const atMs = cursors.value[active.value]
    if (atMs === null) return take(active.value)
    moveTo(Math.min(nowMs(), atMs + byMs))
  }
  function moveTo(atMs: number): void {
    put(active.value, Math.round(atMs))
    view.value = revealTime(view.value, atMs, nowMs())
  }
  /** Moves to the next change of any line or edge of a gap; starts from the visible range without a cursor. */
  function jump(direction: 1 | -1): void {
    const known = story()
    if (!known) return
    const fromMs = cursors.value[active.value] ?? (direction === 1 ? span.value[0] : span.value[1])
    const edges = edgesOf(known.lines.values(), gapsOf(known), [known.fromMs ?? -Infinity, nowMs()])
    const next = direction === 1 ? edges.find((edge) => edge > fromMs) : edges.findLast((edge) => edge < fromMs)
    if (next !== undefined) moveTo(next)
  }

  return {
    view,
    span,
    isLive,
    cursors,
    active,
    setRange,
    freeze,
    zoomBy,
    choose,
    panBy,
    goLive,
    put,
    take,
    point,
    clear,
    step,
    jump
  }
}
