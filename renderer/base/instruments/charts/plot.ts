import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { gapsIn, type Points } from '../../../../preload/base/signals/points.ts'
import { readColours, type ChartColours } from './colours.ts'
import { colourOf, dashOf, type ChartLimit, type ChartLine } from './chartLines.ts'
import { drawCursors, drawEnds, drawHatching, drawLimits } from './drawOver.ts'
import type { Scale } from './scale.ts'

/** The data of a plot, in displayed units. */
export interface PlotView {
  fromMs: number
  toMs: number
  scale: Scale
  /** One for each line. */
  points: readonly Points[]
  limits: readonly ChartLimit[]
  cursors: readonly { name: string; atMs: number; isActive: boolean }[]
}

export interface PlotOptions {
  lines: readonly ChartLine[]
  widthPx: number
  heightPx: number
  formatTick(value: number): string
  formatTime(atMs: number, stepMs: number): string
  timeZone(): string
  /** The person selected a range of the time axis. */
  chosen(fromMs: number, toMs: number): void
  /** Clicked, without selecting a range. */
  clicked(atMs: number): void
  hovered(atMs: number | null): void
}

/** uPlot behind six functions: its objects change all the time and never become reactive. */
export interface Plot {
  draw(view: PlotView): void
  resize(widthPx: number, heightPx: number): void
  /** Applies the colours of the current theme. */
  restyle(): void
  /** The time at a horizontal position in the window. */
  timeAt(clientX: number): number
  readonly canvas: HTMLCanvasElement
  close(): void
}

const mostFilled = 400

/** Opens a plot in an element of the page. */
export function openPlot(element: HTMLElement, options: PlotOptions): Plot {
  let colours: ChartColours = readColours()
  let view: PlotView = {
    fromMs: 0,
    toMs: 1,
    scale: { least: 0, most: 1 },
    points: options.lines.map(() => ({ atMs: [], values: [] })),
    limits: [],
    cursors: []
  }
  /** Filling the area below a dense line costs more than the line and adds no information. */
  const isSparse = () => (view.points[0]?.atMs.length ?? 0) <= mostFilled
  const font = () => `${11 * devicePixelRatio}px ${colours.font}`
  const axis = {
    stroke: () => colours.muted,
    grid: { stroke: () => colours.grid, width: 1 },
    ticks: { stroke: () => colours.grid, width: 1, size: 4 }
  }

  const plot = new uPlot(
    {
      width: options.widthPx,
      height: options.heightPx,
      ms: 1,
      padding: [10, 20, 0, 0],
      legend: { show: false },
      tzDate: (atMs) => uPlot.tzDate(new Date(atMs), options.timeZone()),
      cursor: {
        y: false,
        points: { size: 7 },
        drag: {
          x: true,
          y: false,
          setScale: false,
          dist: 4,
          click: (self) => options.clicked(self.posToVal(self.cursor.left ?? 0, 'x'))
        },
        bind: {
          // A drag with the shift key pans; the chart handles this and the double click.
          mousedown: (_self, _target, handler) => (event) => (event.shiftKey ? null : handler(event)),
          dblclick: () => null
        }
      },
      scales: { x: { time: true, auto: false }, y: { auto: false, range: (_self, min, max) => [min, max] } },
      axes: [
        {
          ...axis,
          font: font(),
          size: 26,
          space: 78,
          values: (_self, splits, _index, _space, stepMs) => splits.map((at) => options.formatTime(at, stepMs))
        },
        {
          ...axis,
          font: font(),
          size: 54,
          space: 28,
          values: (_self, splits) => splits.map((value) => options.formatTick(value))
        }
      ],
      series: [
        {},
        ...options.lines.map((line, index) => ({
          stroke: () => colours[colourOf(line, index)],
          fill: () =>
            (options.lines.length === 1 && isSparse() ? `${colours[colourOf(line, index)]}1c` : null) as string,
          fillTo: (self: uPlot) => self.scales['y']?.min ?? 0,
          width: 1.6,
          dash: dashOf(line, index),
          points: { show: false }
        }))
      ],
      hooks: {
        drawClear: [
          (self) => drawHatching(self, { gaps: view.points.map((points) => gapsIn(points, view.toMs)), colours })
        ],
        draw: [
          (self) => {
            drawLimits(self, { limits: view.limits, colours, font: font() })
            options.lines.forEach((line, index) =>
              drawEnds(self, {
                points: view.points[index] as Points,
                witness: line.witness,
                colour: colours[colourOf(line, index)],
                colours
              })
            )
            drawCursors(self, { cursors: view.cursors, colours, font: font() })
          }
        ],
        setSelect: [
          (self) => {
            const { left, width } = self.select
            if (width < 4) return
            const [fromMs, toMs] = [self.posToVal(left, 'x'), self.posToVal(left + width, 'x')]
            self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
            options.chosen(fromMs, toMs)
          }
        ],
        setCursor: [
          (self) =>
            options.hovered((self.cursor.left ?? -1) < 0 ? null : self.posToVal(self.cursor.left as number, 'x'))
        ]
      }
    },
    emptyData(options.lines.length),
    element
  )

  return {
    draw(next) {
      view = next
      plot.batch(() => {
        plot.setData(alignedData(next.points), false)
        plot.setScale('y', { min: next.scale.least, max: next.scale.most })
        plot.setScale('x', { min: next.fromMs, max: next.toMs })
      })
    },
    resize: (width, height) => plot.setSize({ width, height }),
    restyle() {
      colours = readColours()
      plot.redraw(false, true)
    },
    timeAt: (clientX) => plot.posToVal(clientX - plot.over.getBoundingClientRect().left, 'x'),
    get canvas() {
      return plot.ctx.canvas
    },
    close: () => plot.destroy()
  }
}

function emptyData(lines: number): uPlot.AlignedData {
  return [[], ...Array.from({ length: lines }, () => [])] as unknown as uPlot.AlignedData
}

/**
 * uPlot needs one time axis: where another line has a reading and this one does not, the value is undefined, which is
 * no gap.
 */
function alignedData(points: readonly Points[]): uPlot.AlignedData {
  const [only] = points
  if (points.length === 1 && only) return [only.atMs, only.values]
  const filled = points.filter(({ atMs }) => atMs.length > 0)
  if (filled.length === 0) return emptyData(points.length)
  return uPlot.join(points.map(({ atMs, values }) => [atMs, values]))
}
