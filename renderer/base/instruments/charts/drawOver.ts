import type uPlot from 'uplot'
import type { Gap, Points } from '../../../../preload/base/signals/points.ts'
import type { ChartLimit } from './chartLines.ts'
import type { ChartColours } from './colours.ts'

/** Up to this number, each of the gateway's readings has a mark; beyond it only the last. */
const mostMarks = 80

/** Hatches times when no line has a reading; where only some lines have one, a strip at the bottom shows that. */
export function drawHatching(
  { ctx, bbox, valToPos }: uPlot,
  { gaps, colours }: { gaps: readonly Gap[][]; colours: ChartColours }
): void {
  const pattern = hatchPattern(ctx, colours.faint)
  if (!pattern) return
  const stripPx = 7 * devicePixelRatio
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  ctx.fillStyle = pattern
  ctx.globalAlpha = 0.5
  for (const line of gaps) {
    for (const { fromMs, toMs } of line) {
      const isWhole = gaps.every((other) => other.some((gap) => gap.fromMs <= fromMs && gap.toMs >= toMs))
      const left = valToPos(fromMs, 'x', true)
      const height = isWhole ? bbox.height : stripPx
      ctx.fillRect(left, bbox.top + bbox.height - height, Math.max(2, valToPos(toMs, 'x', true) - left), height)
    }
  }
  ctx.restore()
}

const patterns = new WeakMap<CanvasRenderingContext2D, { name: string; pattern: CanvasPattern | null }>()

export function hatchPattern(ctx: CanvasRenderingContext2D, colour: string): CanvasPattern | null {
  const name = `${colour} ${String(devicePixelRatio)}`
  const kept = patterns.get(ctx)
  if (kept?.name === name) return kept.pattern
  const tile = document.createElement('canvas')
  tile.width = tile.height = Math.round(6 * devicePixelRatio)
  const pen = tile.getContext('2d')
  if (!pen) return null
  pen.strokeStyle = colour
  pen.lineWidth = devicePixelRatio
  pen.beginPath()
  // Three strokes, so that the corners meet when the tiles repeat.
  for (const shift of [-1, 0, 1]) {
    pen.moveTo(shift * tile.width, tile.height)
    pen.lineTo((shift + 1) * tile.width, 0)
  }
  pen.stroke()
  const pattern = ctx.createPattern(tile, 'repeat')
  patterns.set(ctx, { name, pattern })
  return pattern
}

export function strokeLine(
  ctx: CanvasRenderingContext2D,
  [fromX, fromY]: [number, number],
  [toX, toY]: [number, number]
): void {
  ctx.beginPath()
  ctx.moveTo(fromX, fromY)
  ctx.lineTo(toX, toY)
  ctx.stroke()
}

/** Each limit as a dashed line with its label above. */
export function drawLimits(
  { ctx, bbox, valToPos }: uPlot,
  { limits, colours, font }: { limits: readonly ChartLimit[]; colours: ChartColours; font: string }
): void {
  ctx.save()
  ctx.font = font
  ctx.textAlign = 'right'
  ctx.strokeStyle = colours.warn
  ctx.lineWidth = devicePixelRatio
  for (const { value, text } of limits) {
    const y = Math.round(valToPos(value, 'y', true)) + 0.5
    if (y < bbox.top || y > bbox.top + bbox.height) continue
    ctx.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio])
    strokeLine(ctx, [bbox.left, y], [bbox.left + bbox.width, y])
    const isAtTop = y - bbox.top < 16 * devicePixelRatio
    ctx.textBaseline = isAtTop ? 'top' : 'bottom'
    writeOnPanel(ctx, {
      text,
      x: bbox.left + bbox.width - 4 * devicePixelRatio,
      y: y + (isAtTop ? 3 : -3) * devicePixelRatio,
      colour: colours.warn,
      colours
    })
  }
  ctx.restore()
}

/** Text stays readable over a line because of a halo in the background colour. */
function writeOnPanel(
  ctx: CanvasRenderingContext2D,
  { text, x, y, colour, colours }: { text: string; x: number; y: number; colour: string; colours: ChartColours }
): void {
  ctx.save()
  ctx.setLineDash([])
  ctx.lineWidth = 4 * devicePixelRatio
  ctx.lineJoin = 'round'
  ctx.strokeStyle = colours.panel
  ctx.strokeText(text, x, y)
  ctx.fillStyle = colour
  ctx.fillText(text, x, y)
  ctx.restore()
}

/** The last reading as a mark; readings between two gaps as dots, because a line would have no length. */
export function drawEnds(
  { ctx, bbox, valToPos }: uPlot,
  {
    points,
    witness,
    colour,
    colours
  }: { points: Points; witness: 'device' | 'gateway' | undefined; colour: string; colours: ChartColours }
): void {
  const { atMs, values } = points
  const last = values.findLastIndex((value) => value !== null)
  const isEach = witness === 'gateway' && values.length <= mostMarks
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left - 6 * devicePixelRatio, bbox.top, bbox.width + 12 * devicePixelRatio, bbox.height)
  ctx.clip()
  ctx.fillStyle = colour
  ctx.strokeStyle = colours.panel
  ctx.lineWidth = devicePixelRatio
  values.forEach((value, index) => {
    if (value === null) return
    const isAlone = (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null
    if (index !== last && !isEach && !isAlone) return
    const [x, y] = [valToPos(atMs[index] as number, 'x', true), valToPos(value, 'y', true)]
    const size = (index === last ? 4 : 2.6) * devicePixelRatio
    ctx.beginPath()
    if (witness === 'gateway') diamond(ctx, x, y, size * 1.25)
    else ctx.arc(x, y, size, 0, 2 * Math.PI)
    ctx.fill()
    if (index === last) ctx.stroke()
  })
  ctx.restore()
}

function diamond(ctx: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  ctx.moveTo(x, y - size)
  ctx.lineTo(x + size, y)
  ctx.lineTo(x, y + size)
  ctx.lineTo(x - size, y)
  ctx.closePath()
}

/** The measuring cursors with their letters. */
export function drawCursors(
  { ctx, bbox, valToPos }: uPlot,
  {
    cursors,
    colours,
    font
  }: { cursors: readonly { name: string; atMs: number; isActive: boolean }[]; colours: ChartColours; font: string }
): void {
  const flagPx = 16 * devicePixelRatio
  ctx.save()
  ctx.font = `700 ${font}`
  ctx.setLineDash([])
  ctx.textAlign = 'center'
  ctx.textBaseline = 'middle'
  for (const { name, atMs, isActive } of cursors) {
    const x = Math.round(valToPos(atMs, 'x', true)) + 0.5
    if (x < bbox.left || x > bbox.left + bbox.width) continue
    ctx.strokeStyle = isActive ? colours.accent : colours.text
    ctx.lineWidth = (isActive ? 2 : 1) * devicePixelRatio
    strokeLine(ctx, [x, bbox.top], [x, bbox.top + bbox.height])
    ctx.fillStyle = isActive ? colours.accent : colours.text
    ctx.fillRect(x - flagPx / 2, bbox.top, flagPx, flagPx)
    ctx.fillStyle = colours.panel
    ctx.fillText(name, x, bbox.top + flagPx / 2 + devicePixelRatio)
  }
  ctx.restore()
}
