import type { LanesCanvas } from './paint.ts'
import type { Span } from './view.ts'

/** The canvas of lanes: sharp on every screen, with its time axis. */
export interface LanesPlot {
  /** Updates the layout; draws nothing until `draw`. */
  resize(widthPx: number, heightPx: number): void
  draw(span: Span, paint: (place: LanesCanvas) => void): void
  canvas: HTMLCanvasElement
  stop(): void
}

/** Undefined when drawing is impossible: the table beside the chart shows the same data. */
export async function createPlot(element: HTMLElement): Promise<LanesPlot | undefined> {
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
    [[0, 1], [null, null]],
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
