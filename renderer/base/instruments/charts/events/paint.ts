import type {
  EventPicture,
  FixLoss,
  KeptStretch,
  SilentTime
} from '../../../../../preload/contract/gateway/vehicles/eventLog.ts'
import type { ChartColours } from '../colours.ts'
import { hatchPattern, strokeLine } from '../drawOver.ts'
import type { Scale } from '../scale.ts'
import { padPx, placePlate, type Band, type EventsLayout } from './layout.ts'

export interface EventLane {
  field: string
  scale: Scale
  /** Converts values of the chart to those on the axis. */
  factor: number
  tickText(value: number): string
}

export interface EventsDrawing {
  picture: EventPicture
  /** Of another vehicle: below the axis, and a second line in each lane. */
  other: EventPicture | null
  span: { fromMs: number; toMs: number }
  gaps: readonly (SilentTime & { text: string })[]
  kept: readonly (KeptStretch & { text: string })[]
  /** Times without a valid position. */
  noFix: readonly (FixLoss & { text: string })[]
  /** Start of the loaded events. */
  coveredFromMs: number
  lanes: readonly EventLane[]
  layout: EventsLayout
  ticks: readonly { atMs: number; text: string }[]
  cursorMs: number | null
  /** The value of each lane at the cursor. */
  plates: readonly string[]
  /** The range being selected with the pointer. */
  chosen: readonly [number, number] | null
  colours: ChartColours
  font: string
}

type Pen = CanvasRenderingContext2D
interface Place {
  context: Pen
  widthPx: number
}
const laneTokens = ['c1', 'c2', 'c3', 'c4', 'c1', 'c2'] as const
const dashes = [[], [6, 3], [1.5, 2.5], [8, 3, 2, 3], [3, 3], [10, 4]]
/** A shorter silence has no room for a label. */
const leastWordsPx = 8
const mostDashed = 250

/**
 * Everything in one go: bars of both clocks, the fan between them, silence, the chosen fields, and the cursor through
 * all.
 */
export function paintEvents({ context, widthPx }: Place, drawing: EventsDrawing): void {
  const { span, layout } = drawing
  const x = (atMs: number): number => padPx + ((atMs - span.fromMs) / (span.toMs - span.fromMs)) * (widthPx - padPx)
  context.save()
  context.font = drawing.font
  paintTimes(context, x, drawing, widthPx)
  context.save()
  context.beginPath()
  context.rect(padPx, 0, widthPx - padPx, layout.axisPx)
  context.clip()
  paintSilence(context, x, drawing)
  paintLosses(context, x, drawing)
  paintBars(context, x, drawing)
  if (!drawing.other) paintFan(context, x, drawing)
  drawing.lanes.forEach((_, index) => {
    paintLane(context, x, drawing, index, drawing.picture, drawing.other ? 0 : index)
    if (drawing.other) paintLane(context, x, drawing, index, drawing.other, 1)
  })
  if (drawing.chosen) {
    context.fillStyle = drawing.colours.accent
    context.globalAlpha = 0.18
    context.fillRect(x(drawing.chosen[0]), 0, x(drawing.chosen[1]) - x(drawing.chosen[0]), layout.axisPx)
    context.globalAlpha = 1
  }
  context.restore()
  paintAxes(context, drawing, widthPx)
  paintWords(context, x, drawing, widthPx)
  paintCursor(context, x, drawing, widthPx)
  context.restore()
}

type X = (atMs: number) => number

function paintTimes(context: Pen, x: X, { ticks, layout, colours }: EventsDrawing, widthPx: number): void {
  context.strokeStyle = colours.grid
  context.fillStyle = colours.muted
  context.textBaseline = 'middle'
  context.lineWidth = 1
  for (const { atMs, text } of ticks) {
    const at = Math.round(x(atMs)) + 0.5
    strokeLine(context, [at, 0], [at, layout.axisPx])
    context.textAlign = at > widthPx - 24 ? 'right' : 'center'
    context.fillText(text, Math.min(at, widthPx), layout.axisPx + 12)
  }
}

function paintSilence(context: Pen, x: X, { gaps, layout, colours, coveredFromMs, span }: EventsDrawing): void {
  const pattern = hatchPattern(context, colours.faint)
  context.fillStyle = pattern ?? colours.grid
  context.globalAlpha = 0.45
  for (const { fromMs, toMs } of gaps)
    if (toMs >= span.fromMs && fromMs <= span.toMs)
      context.fillRect(x(fromMs), 0, Math.max(1, x(toMs) - x(fromMs)), layout.axisPx)
  context.globalAlpha = 1
  if (coveredFromMs <= span.fromMs) return
  // Outside the loaded range nothing is known: neither silence nor events.
  context.fillStyle = colours.grid
  context.globalAlpha = 0.6
  context.fillRect(padPx, 0, x(Math.min(coveredFromMs, span.toMs)) - padPx, layout.axisPx)
  context.globalAlpha = 1
}

/** A line where GPS was lost, and a shade until it was back. */
function paintLosses(context: Pen, x: X, { noFix, layout, colours, span }: EventsDrawing): void {
  for (const { fromMs, toMs, open } of noFix) {
    if (toMs < span.fromMs || fromMs > span.toMs) continue
    context.fillStyle = context.strokeStyle = colours.warn
    context.globalAlpha = 0.1
    context.fillRect(x(fromMs), 0, Math.max(1, x(toMs) - x(fromMs)), layout.axisPx)
    context.globalAlpha = 1
    if (open === 'start' || open === 'both') continue
    context.lineWidth = 2
    strokeLine(context, [x(fromMs), 0], [x(fromMs), layout.axisPx])
  }
}

function paintBars(context: Pen, x: X, { picture, other, layout, colours }: EventsDrawing): void {
  const below = other?.happened ?? picture.arrived
  const n = picture.happened.length
  const most = Math.max(1, ...picture.happened, ...below)
  const columnMs = (picture.toMs - picture.fromMs) / n
  // One delivery of buffered events would make all other bars too low to see.
  const usual = [...picture.happened, ...below].filter((one) => one > 0).sort((a, b) => a - b)
  const top = Math.min(most, Math.max(1, (usual[Math.floor(usual.length * 0.95)] ?? 1) * 1.3))
  const height = (count: number, { heightPx }: Band): number =>
    count === 0 ? 0 : Math.max(4, Math.min(1, count / top) * (heightPx - 2))
  for (let index = 0; index < n; index++) {
    const left = x(picture.fromMs + index * columnMs)
    const widthPx = Math.max(1, x(picture.fromMs + (index + 1) * columnMs) - left - 1)
    const happened = picture.happened[index] ?? 0
    const kept = picture.kept[index] ?? 0
    const bottom = layout.happened.topPx + layout.happened.heightPx
    const whole = height(happened, layout.happened)
    context.fillStyle = other ? colours.c1 : colours.device
    context.globalAlpha = kept > happened / 2 ? 0.45 : 1
    context.fillRect(left, bottom - whole, widthPx, whole)
    context.globalAlpha = 1
    context.fillStyle = other ? colours.c2 : colours.gateway
    context.globalAlpha = other && (other.kept[index] ?? 0) > (below[index] ?? 0) / 2 ? 0.45 : 1
    context.fillRect(left, layout.arrived.topPx, widthPx, height(below[index] ?? 0, layout.arrived))
    context.globalAlpha = 1
  }
}

function paintFan(context: Pen, x: X, { picture, kept, layout, colours }: EventsDrawing): void {
  const [top, bottom] = [layout.fan.topPx, layout.fan.topPx + layout.fan.heightPx]
  const n = picture.delayMs.length
  const columnMs = (picture.toMs - picture.fromMs) / n
  context.lineWidth = 1
  context.strokeStyle = colours.faint
  context.globalAlpha = 0.55
  context.beginPath()
  picture.delayMs.forEach((delayMs, index) => {
    if (delayMs === null) return
    const atMs = picture.fromMs + (index + 0.5) * columnMs
    context.moveTo(x(atMs), top + 1)
    context.lineTo(x(atMs + delayMs), bottom - 1)
  })
  context.stroke()
  context.globalAlpha = 1
  context.strokeStyle = colours.gateway
  context.lineWidth = 1.3
  context.beginPath()
  for (const { lines, fromMs, arrivedToMs, toMs } of kept) {
    if ((arrivedToMs ?? toMs) < picture.fromMs || fromMs > picture.toMs) continue
    for (const [fromMs, toMs] of lines) {
      const [from, to] = [x(fromMs), x(toMs)]
      context.moveTo(from, top + 1)
      context.bezierCurveTo(from, bottom - (bottom - top) * 0.2, to, top + (bottom - top) * 0.5, to, bottom - 1)
    }
  }
  context.stroke()
}

function paintLane(
  context: Pen,
  x: X,
  { lanes, layout, colours }: EventsDrawing,
  index: number,
  picture: EventPicture,
  look: number
): void {
  const [lane, band, series] = [
    lanes[index],
    layout.lanes[index],
    picture.series.find(({ field }) => field === lanes[index]?.field)
  ]
  if (!lane || !band || !series) return
  context.strokeStyle = colours[laneTokens[look % laneTokens.length] as 'c1']
  context.lineWidth = 1.5
  // In a dense line dashes are invisible, and cost more than everything else.
  context.setLineDash(series.atMs.length > mostDashed ? [] : (dashes[look % dashes.length] as number[]))
  context.beginPath()
  let isOpen = false
  series.values.forEach((value, at) => {
    if (value === null) {
      isOpen = false
      return
    }
    const [left, top] = [x(series.atMs[at] as number), laneY(band, lane.scale, value * lane.factor)]
    if (isOpen) context.lineTo(left, top)
    else {
      context.moveTo(left, top)
      // A single reading between two silences is drawn too.
      if (series.values[at + 1] === null || at === series.values.length - 1) context.lineTo(left + 1.5, top)
    }
    isOpen = true
  })
  context.stroke()
  context.setLineDash([])
}

function laneY({ topPx, heightPx }: Band, { least, most }: Scale, value: number): number {
  return topPx + heightPx - 3 - ((value - least) / Math.max(1e-9, most - least)) * (heightPx - 6)
}

function paintAxes(context: Pen, { lanes, layout, colours }: EventsDrawing, widthPx: number): void {
  context.textAlign = 'right'
  context.textBaseline = 'middle'
  lanes.forEach(({ scale, tickText }, index) => {
    const band = layout.lanes[index]
    if (!band) return
    for (const value of [scale.least, scale.most]) {
      const y = laneY(band, scale, value)
      context.strokeStyle = colours.grid
      strokeLine(context, [padPx, Math.round(y) + 0.5], [widthPx, Math.round(y) + 0.5])
      context.fillStyle = colours.muted
      context.fillText(tickText(value), padPx - 6, y)
    }
  })
}

function paintWords(
  context: Pen,
  x: X,
  { gaps, kept, noFix, layout, colours, span }: EventsDrawing,
  widthPx: number
): void {
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  const font = context.font
  context.font = `600 12px ${colours.font}`
  let endPx = -Infinity
  for (const { fromMs, toMs, text } of gaps) {
    if (toMs < span.fromMs || fromMs > span.toMs || x(toMs) - x(fromMs) < leastWordsPx) continue
    const halfPx = context.measureText(text).width / 2 + 4
    const middle = clamp(
      (x(Math.max(fromMs, span.fromMs)) + x(Math.min(toMs, span.toMs))) / 2,
      padPx + halfPx,
      widthPx - halfPx
    )
    if (middle - halfPx < endPx) continue
    endPx = middle + halfPx
    context.fillStyle = colours.panel
    context.globalAlpha = 0.85
    context.fillRect(middle - halfPx, 0, halfPx * 2, 17)
    context.globalAlpha = 1
    context.fillStyle = colours.warn
    context.fillText(text, middle, 9)
  }
  // One row of plates: one that would cover another is left out, lost GPS first.
  const taken: [number, number][] = []
  const y = layout.plates.topPx + layout.plates.heightPx / 2
  const plate = (
    { fromMs, toMs, text }: { fromMs: number; toMs: number; text: string },
    colour: string,
    isBefore: boolean
  ): void => {
    if (toMs < span.fromMs || fromMs > span.toMs) return
    const textPx = context.measureText(text).width
    const middle = placePlate({ fromPx: x(fromMs), toPx: x(toMs), textPx, isBefore }, taken, widthPx)
    if (middle === null) return
    const halfPx = textPx / 2 + 9
    context.beginPath()
    context.roundRect(middle - halfPx, y - 10, halfPx * 2, 20, 5)
    context.fillStyle = colours.panel
    context.fill()
    context.strokeStyle = context.fillStyle = colour
    context.lineWidth = 1.2
    context.stroke()
    context.fillText(text, middle, y + 0.5)
  }
  for (const one of noFix) plate(one, colours.warn, true)
  for (const one of kept) plate(one, colours.gateway, false)
  context.font = font
}

function paintCursor(
  context: Pen,
  x: X,
  { cursorMs, span, layout, colours, plates }: EventsDrawing,
  widthPx: number
): void {
  if (cursorMs === null || cursorMs < span.fromMs || cursorMs > span.toMs) return
  const at = Math.round(x(cursorMs)) + 0.5
  context.strokeStyle = colours.text
  context.lineWidth = 1
  strokeLine(context, [at, 0], [at, layout.axisPx])
  context.textAlign = 'left'
  plates.forEach((text, index) => {
    const band = layout.lanes[index]
    if (!band || text === '') return
    const plateWidth = context.measureText(text).width + 12
    const left = at + 6 + plateWidth > widthPx ? at - 6 - plateWidth : at + 6
    context.fillStyle = colours.text
    context.beginPath()
    context.roundRect(left, band.topPx + 4, plateWidth, 17, 3)
    context.fill()
    context.fillStyle = colours.panel
    context.fillText(text, left + 6, band.topPx + 13)
  })
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), Math.max(least, most))
}
