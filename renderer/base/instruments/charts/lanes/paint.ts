import type { LineChange, VoltagePoint } from '../../../../../preload/contract/device/lines.ts'
import { strokeLine } from '../drawOver.ts'
import { placeAt } from './measure.ts'
import type { Layout, PlacedLane } from './layout.ts'
import type { Span } from './view.ts'

export interface ShownVoltage {
  points: readonly VoltagePoint[]
  colour: string
  dash: number[]
}

export interface LanesPicture {
  span: Span
  layout: Layout
  lines: ReadonlyMap<string, readonly LineChange[]>
  gaps: readonly Span[]
  /** Nothing is known after this moment. */
  readMs: number
  voltages: readonly ShownVoltage[]
  volts: { fromMv: number; toMv: number; ticksMv: readonly number[] } | null
  ticks: readonly number[]
  tickText(atMs: number): string
  cursors: readonly (number | null)[]
  marks: readonly { atMs: number; text: string }[]
  /** The range being selected with the pointer. */
  chosen: Span | null
  colours: Readonly<
    Record<
      'trace' | 'traceSoft' | 'warn' | 'warnSoft' | 'fail' | 'failSoft' | 'grid' | 'muted' | 'text' | 'panel',
      string
    >
  >
  font: string
}

/** The chart's position on the canvas: all coordinates here are CSS pixels. */
export interface LanesCanvas {
  context: CanvasRenderingContext2D
  x(atMs: number): number
  widthPx: number
}

/** Draws lanes, voltages, gaps, cursors and the time axis. */
export function paintLanes(place: LanesCanvas, picture: LanesPicture): void {
  const { context } = place
  context.save()
  context.lineJoin = 'round'
  paintGrid(place, picture)
  for (const lane of picture.layout.lanes) paintLane(place, picture, lane)
  paintVoltages(place, picture)
  paintGaps(place, picture)
  paintMarks(place, picture)
  paintCursors(place, picture)
  context.restore()
}

function paintGrid(
  { context, x, widthPx }: LanesCanvas,
  { layout, ticks, tickText, colours, font, volts }: LanesPicture
): void {
  context.strokeStyle = colours.grid
  context.fillStyle = colours.muted
  context.lineWidth = 1
  context.font = font
  context.textBaseline = 'top'
  for (const atMs of ticks) {
    const at = Math.round(x(atMs)) - 0.5
    strokeLine(context, [at, 0], [at, layout.heightPx])
    context.textAlign = at < 24 ? 'left' : at > widthPx - 24 ? 'right' : 'center'
    context.fillText(tickText(atMs), Math.min(widthPx, Math.max(0, at)), layout.heightPx + 6)
  }
  if (!volts || !layout.voltages) return
  for (const mv of volts.ticksMv) {
    const y = Math.round(voltY(layout, volts, mv)) - 0.5
    strokeLine(context, [0, y], [widthPx, y])
  }
}

/** The height of a voltage in its part of the chart. */
export function voltY(
  { voltages }: Pick<Layout, 'voltages'>,
  { fromMv, toMv }: { fromMv: number; toMv: number },
  mv: number
): number {
  const { topPx, heightPx } = voltages ?? { topPx: 0, heightPx: 0 }
  return topPx + heightPx - 4 - ((mv - fromMv) / (toMv - fromMv)) * (heightPx - 8)
}

function paintLane(place: LanesCanvas, picture: LanesPicture, lane: PlacedLane): void {
  const { context } = place
  const { colours } = picture
  const [trace, soft] =
    lane.tone === 'warn'
      ? [colours.warn, colours.warnSoft]
      : lane.tone === 'fail'
        ? [colours.fail, colours.failSoft]
        : [colours.trace, colours.traceSoft]
  if (lane.expected) {
    context.setLineDash([4, 3])
    paintTrace(place, picture, { lane, changes: lane.expected, stroke: colours.text, fill: null, insetPx: -2 })
    context.setLineDash([])
  }
  paintTrace(place, picture, {
    lane,
    changes: picture.lines.get(lane.line) ?? [],
    stroke: trace,
    fill: soft,
    insetPx: 0
  })
}

interface Trace {
  lane: PlacedLane
  changes: readonly LineChange[]
  stroke: string
  fill: string | null
  insetPx: number
}

function paintTrace(
  { context, x }: LanesCanvas,
  { span, readMs }: LanesPicture,
  { lane, changes, stroke, fill, insetPx }: Trace
): void {
  const highY = Math.round(lane.topPx + lane.heightPx * 0.16 + insetPx) + 0.5
  const lowY = Math.round(lane.topPx + lane.heightPx * 0.84 + insetPx) - 0.5
  const toMs = Math.min(span[1], readMs)
  context.beginPath()
  let isOpen = false
  for (let index = Math.max(0, placeAt(changes, span[0])); index < changes.length; index++) {
    const [atMs, on] = changes[index] ?? [Infinity, null]
    if (atMs >= toMs) break
    const fromX = x(Math.max(atMs, span[0]))
    const toX = x(Math.min(changes[index + 1]?.[0] ?? toMs, toMs))
    if (on === null) {
      isOpen = false
      continue
    }
    const y = on ? highY : lowY
    if (on && fill !== null) {
      context.fillStyle = fill
      context.fillRect(fromX, highY, Math.max(1, toX - fromX), lowY - highY)
    }
    if (isOpen) context.lineTo(fromX, y)
    else context.moveTo(fromX, y)
    context.lineTo(toX, y)
    isOpen = true
  }
  context.strokeStyle = stroke
  context.lineWidth = 1.6
  context.stroke()
}

function paintVoltages({ context, x, widthPx }: LanesCanvas, { span, layout, voltages, volts }: LanesPicture): void {
  if (!volts || !layout.voltages) return
  const pxMs = (span[1] - span[0]) / Math.max(1, widthPx)
  for (const { points, colour, dash } of voltages) {
    context.strokeStyle = colour
    context.lineWidth = 1.7
    context.setLineDash(dash)
    context.beginPath()
    let isOpen = false
    for (const [atMs, leastMv, mostMv] of columnsOf(points, span, pxMs)) {
      if (leastMv === null || mostMv === null) {
        isOpen = false
        continue
      }
      const at = x(atMs)
      if (isOpen) context.lineTo(at, voltY(layout, volts, mostMv))
      else context.moveTo(at, voltY(layout, volts, mostMv))
      if (leastMv !== mostMv) context.lineTo(at, voltY(layout, volts, leastMv))
      isOpen = true
    }
    context.stroke()
  }
  context.setLineDash([])
}

/** One point for each pixel, with the minimum and maximum of its readings. */
export function columnsOf(points: readonly VoltagePoint[], [fromMs, toMs]: Span, pxMs: number): VoltagePoint[] {
  const made: VoltagePoint[] = []
  let column = NaN
  for (let index = Math.max(0, placeAt(points, fromMs)); index < points.length; index++) {
    const [atMs, leastMv, mostMv] = points[index] ?? [Infinity, null, null]
    if (atMs > toMs) break
    const last = made.at(-1)
    const here = Math.floor(atMs / pxMs)
    if (last && here === column && last[1] !== null && last[2] !== null && leastMv !== null && mostMv !== null) {
      last[1] = Math.min(last[1], leastMv)
      last[2] = Math.max(last[2], mostMv)
    } else made.push([Math.max(atMs, fromMs), leastMv, mostMv])
    column = here
  }
  return made
}

/** Nothing is drawn across a gap: a line would claim a state that nobody read. */
function paintGaps({ context, x }: LanesCanvas, { span, gaps, layout, colours }: LanesPicture): void {
  const { heightPx } = layout
  for (const [gapFromMs, gapToMs] of gaps) {
    if (gapToMs <= span[0] || gapFromMs >= span[1]) continue
    const left = x(Math.max(gapFromMs, span[0]))
    const widthPx = Math.max(2, x(Math.min(gapToMs, span[1])) - left)
    context.save()
    context.beginPath()
    context.rect(left, 0, widthPx, heightPx)
    context.clip()
    context.fillStyle = colours.panel
    context.fillRect(left, 0, widthPx, heightPx)
    context.strokeStyle = colours.muted
    context.lineWidth = 1.4
    context.globalAlpha = 0.75
    context.beginPath()
    for (let at = left - heightPx - ((left - heightPx) % 8); at < left + widthPx; at += 8) {
      context.moveTo(at, heightPx)
      context.lineTo(at + heightPx, 0)
    }
    context.stroke()
    context.restore()
  }
}

/** A caption is beside its line, never on it: at the right end of the chart it is left of the line. */
export function captionLeft(atPx: number, textPx: number, widthPx: number): number {
  return atPx + 5 + textPx <= widthPx ? atPx + 5 : Math.max(0, atPx - 6 - textPx)
}

function paintMarks({ context, x, widthPx }: LanesCanvas, { span, marks, layout, colours, font }: LanesPicture): void {
  context.setLineDash([2, 3])
  context.strokeStyle = colours.text
  context.fillStyle = colours.text
  context.lineWidth = 1
  context.font = font
  context.textBaseline = 'top'
  const freeFrom = [-Infinity, -Infinity]
  for (const { atMs, text } of marks) {
    if (atMs < span[0] || atMs > span[1]) continue
    const at = Math.round(x(atMs)) - 0.5
    strokeLine(context, [at, 0], [at, layout.heightPx])
    const textPx = context.measureText(text).width
    const left = captionLeft(at, textPx, widthPx)
    const row = freeFrom.findIndex((free) => left >= free)
    if (row === -1) continue
    freeFrom[row] = left + textPx + 8
    context.textAlign = 'left'
    context.fillText(text, left, 1 + row * 13)
  }
  context.setLineDash([])
}

function paintCursors({ context, x }: LanesCanvas, { cursors, chosen, layout, colours }: LanesPicture): void {
  const [first, second] = cursors
  const between: Span | null =
    chosen ??
    (typeof first === 'number' && typeof second === 'number'
      ? [Math.min(first, second), Math.max(first, second)]
      : null)
  if (between) {
    context.save()
    context.globalAlpha = chosen ? 0.14 : 0.06
    context.fillStyle = colours.text
    context.fillRect(x(between[0]), 0, x(between[1]) - x(between[0]), layout.heightPx)
    context.restore()
  }
  context.strokeStyle = colours.text
  context.lineWidth = 1.2
  for (const atMs of cursors) {
    if (atMs === null) continue
    strokeLine(context, [x(atMs), 0], [x(atMs), layout.heightPx])
  }
}
