import { onBeforeUnmount, onMounted, type Ref } from 'vue'
import { isFrozen } from '../../ui/time/frozen.ts'
import { presentMs } from '../../ui/time/presentTime.ts'

interface Drawing {
  element: Element
  draw(nowMs: number): boolean
  isSeen: boolean
  /** In the time of `performance.now()`. */
  dueMs: number
}

/** Time on a chart advances in steps too small to see; a person's own changes are drawn in the next frame. */
const stepMs = 100
const drawings = new Set<Drawing>()
let frame = 0
let timer: ReturnType<typeof setTimeout> | undefined
let frozenAtMs: number | null = null

/** The present time of all charts; it stops while the page is frozen. */
function chartTimeMs(): number {
  frozenAtMs = isFrozen.value ? (frozenAtMs ?? presentMs()) : null
  return frozenAtMs ?? presentMs()
}

function nextDue(): Drawing | undefined {
  let first: Drawing | undefined
  for (const drawing of drawings) if (drawing.isSeen && (!first || drawing.dueMs < first.dueMs)) first = drawing
  return first
}

function drawDue(): void {
  frame = 0
  const startMs = performance.now()
  const nowMs = chartTimeMs()
  let next = nextDue()
  let isDrawn = false
  // The browser paints after this callback: a second chart in the same frame could be too much.
  while (next && next.dueMs <= startMs && !isDrawn) {
    next.dueMs = startMs + stepMs
    isDrawn = next.draw(nowMs)
    next = nextDue()
  }
  plan()
}

/** Requests a frame when a chart is due, otherwise sets a timer until then. */
function plan(): void {
  clearTimeout(timer)
  const next = nextDue()
  if (!next || document.hidden || frame !== 0) return
  const inMs = next.dueMs - performance.now()
  if (inMs <= 0) frame = requestAnimationFrame(drawDue)
  else timer = setTimeout(plan, inMs)
}

function follow(): void {
  cancelAnimationFrame(frame)
  frame = 0
  plan()
}

const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    for (const drawing of drawings) if (drawing.element === target) drawing.isSeen = isIntersecting
  }
  plan()
})

/**
 * Redraws a chart while it is visible: at most one chart of the page per frame, and none in a hidden window. `draw`
 * returns whether anything had changed and was drawn. Returns a function that requests the next frame.
 */
export function useFrames(element: Readonly<Ref<Element | null>>, draw: (nowMs: number) => boolean): () => void {
  let drawing: Drawing | undefined
  onMounted(() => {
    if (!element.value) return
    drawing = { element: element.value, draw, isSeen: true, dueMs: 0 }
    if (drawings.size === 0) document.addEventListener('visibilitychange', follow)
    drawings.add(drawing)
    seen.observe(drawing.element)
    plan()
  })
  onBeforeUnmount(() => {
    if (!drawing) return
    seen.unobserve(drawing.element)
    drawings.delete(drawing)
    if (drawings.size === 0) document.removeEventListener('visibilitychange', follow)
  })
  return () => {
    if (!drawing) return
    drawing.dueMs = 0
    plan()
  }
}

/** Returns a function that says whether one of the values differs from the previous call. */
export function noticeChanges(): (...values: readonly unknown[]) => boolean {
  let last: readonly unknown[] | undefined
  return (...values) => {
    const isOther = !last || values.some((value, index) => value !== last?.[index])
    last = values
    return isOther
  }
}
