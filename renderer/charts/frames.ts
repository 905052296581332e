import { onBeforeUnmount, onMounted, type Ref } from 'vue'
import { isFrozen } from '../ui/frozen.ts'

interface Drawing {
  element: Element
  draw(nowMs: number): void
  isSeen: boolean
}

/** Time on a chart moves in steps that nobody sees; a person's own moves are drawn at the next frame. */
const stepMs = 100
const drawings = new Set<Drawing>()
let frame = 0
let timer: ReturnType<typeof setTimeout> | undefined
let frozenAtMs: number | null = null

/** The present time of all charts; while the page is frozen it stands. */
function chartTimeMs(): number {
  frozenAtMs = isFrozen.value ? (frozenAtMs ?? Date.now()) : null
  return frozenAtMs ?? Date.now()
}

function drawAll(): void {
  frame = 0
  const nowMs = chartTimeMs()
  for (const drawing of drawings) if (drawing.isSeen) drawing.draw(nowMs)
  clearTimeout(timer)
  if (drawings.size > 0 && !document.hidden) timer = setTimeout(ask, stepMs)
}

/** All charts of the page are drawn in one frame, at most once in it. */
function ask(): void {
  if (frame === 0 && !document.hidden) frame = requestAnimationFrame(drawAll)
}

function follow(): void {
  if (document.hidden) {
    cancelAnimationFrame(frame)
    frame = 0
    clearTimeout(timer)
  } else ask()
}

const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    for (const drawing of drawings) if (drawing.element === target) drawing.isSeen = isIntersecting
  }
  ask()
})

/**
 * Draws a chart again and again while it can be seen: in one frame with all others of the page, and not at all in a window
 * that is hidden. `draw` decides by itself whether anything has changed. Gives a function that asks for the next frame.
 */
export function useFrames(element: Readonly<Ref<Element | null>>, draw: (nowMs: number) => void): () => void {
  let drawing: Drawing | undefined
  onMounted(() => {
    if (!element.value) return
    drawing = { element: element.value, draw, isSeen: true }
    if (drawings.size === 0) document.addEventListener('visibilitychange', follow)
    drawings.add(drawing)
    seen.observe(drawing.element)
    ask()
  })
  onBeforeUnmount(() => {
    if (!drawing) return
    seen.unobserve(drawing.element)
    drawings.delete(drawing)
    if (drawings.size === 0) document.removeEventListener('visibilitychange', follow)
  })
  return ask
}
