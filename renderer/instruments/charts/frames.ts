import { onBeforeUnmount, onMounted, type Ref } from 'vue'
import { isFrozen } from '../../ui/time/frozen.ts'
import { presentMs } from '../../ui/time/presentTime.ts'

interface Drawing {
  element: Element
  draw(nowMs: number): boolean
  isSeen: boolean
  /** On the clock of `performance.now()`. */
  dueMs: number
}

/** Time on a chart moves in steps that nobody sees; a person's own moves are drawn at the next frame. */
const stepMs = 100
const drawings = new Set<Drawing>()
let frame = 0
let timer: ReturnType<typeof setTimeout> | undefined
let frozenAtMs: number | null = null

/** The present time of all charts; while the page is frozen it stands. */
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
  // The browser paints what was drawn after this: a second picture in the same frame could be one too many.
  while (next && next.dueMs <= startMs && !isDrawn) {
    next.dueMs = startMs + stepMs
    isDrawn = next.draw(nowMs)
    next = nextDue()
  }
  plan()
}

/** A frame for what is due, or a timer until something is. */
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
 * Draws a chart again and again while it can be seen: at most one chart of the page in a frame, and none in a window that
 * is hidden. `draw` tells whether anything had changed, so that it did draw. Gives a function that asks for the next frame.
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

/** Tells each time whether one of the values is another one than the last time. */
export function noticeChanges(): (...values: readonly unknown[]) => boolean {
  let last: readonly unknown[] | undefined
  return (...values) => {
    const isOther = !last || values.some((value, index) => value !== last?.[index])
    last = values
    return isOther
  }
}
