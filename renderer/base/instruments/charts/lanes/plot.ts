import { onBeforeUnmount, onMounted, shallowRef, watch, type Ref } from 'vue'
import { watchTheme } from '../../../ui/theme.ts'
import type { LanesCanvas } from './paint.ts'
import type { Span } from './view.ts'

/** The canvas of lanes: sharp on every screen, with its time axis. */
interface LanesPlot {
  /** Updates the layout; draws nothing until `draw`. */
  resize(widthPx: number, heightPx: number): void
  draw(span: Span, paint: (place: LanesCanvas) => void): void
  canvas: HTMLCanvasElement
  stop(): void
}

/**
 * The canvas in a box of the page, as large as `sizePx`, and what it draws with in the current theme. `made`: it can be
 * drawn on.
 */
export function useLanesPlot<Look>(
  box: Readonly<Ref<HTMLElement | null>>,
  { sizePx, readLook, made }: { sizePx: () => readonly number[]; readLook: () => Look; made: () => void }
) {
  const look = shallowRef(readLook())
  let plot: LanesPlot | undefined
  let isOver = false
  function resize(): void {
    const [widthPx = 0, heightPx = 0] = sizePx()
    plot?.resize(Math.max(10, widthPx), Math.max(10, heightPx))
  }
  const stopWatching = watchTheme(() => (look.value = readLook()))
  watch(sizePx, resize)
  onMounted(async () => {
    if (!box.value) return
    const opened = await createPlot(box.value)
    if (isOver) return opened?.stop()
    plot = opened
    resize()
    made()
  })
  onBeforeUnmount(() => {
    isOver = true
    stopWatching()
    plot?.stop()
  })
  return { plot: () => plot, look }
}

/** Undefined when drawing is impossible: the table beside the chart shows the same data. */
async function createPlot(element: HTMLElement): Promise<LanesPlot | undefined> {
  if (!document.createElement('canvas').getContext('2d')) return undefined
  const { default: Plot } = await import('uplot')
  let span: Span = [0, 1]
  let paint: ((place: LanesCanvas) => void) | undefined
  const plot = new Plot(
    {
      width: 10,
      height: 10,
      padding: [0, 0, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: false, auto: false, range: () => [span[0], span[1]] }, y: { auto: false, range: [0, 1] } },
      axes: [{ show: false }, { show: false }],
      series: [{}, { show: false }],
      hooks: {
        draw: [
          (self) => {
            const { ctx, bbox } = self
            const ratio = devicePixelRatio
            ctx.save()
            ctx.scale(ratio, ratio)
            ctx.translate(bbox.left / ratio, bbox.top / ratio)
            const widthPx = bbox.width / ratio
            paint?.({ context: ctx, widthPx, x: (atMs) => ((atMs - span[0]) / (span[1] - span[0])) * widthPx })
            ctx.restore()
          }
        ]
      }
    },
    [
      [0, 1],
      [null, null]
    ],
    element
  )
  return {
    canvas: plot.ctx.canvas,
    resize: (width, height) => plot.setSize({ width, height }),
    draw(next, how) {
      span = next
      paint = how
      plot.setScale('x', { min: span[0], max: span[1] })
    },
    stop: () => plot.destroy()
  }
}
