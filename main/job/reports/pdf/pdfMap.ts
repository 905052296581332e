import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import {
  mercatorX,
  mercatorY,
  shapesOf,
  type Topology,
  type WorldShape
} from '../../../../preload/base/maps/worldShapes.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { formatQuantity } from '../../../../preload/base/messages/quantities.ts'
import type { Texts } from '../../../base/messages/texts.ts'
import { colors, type Doc } from './pdfMarks.ts'
import { styles, type Sheet } from './pdfSheet.ts'
import type { TimedPosition, Places } from '../positions.ts'
import { formatTime } from '../../../../preload/base/messages/times.ts'
import { projectFolder } from '../../../base/projectFolder.ts'

interface Drawing {
  doc: Doc
  sheet: Sheet
  texts: Texts
}

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

const metresPerDegree = 111_320
const ground = '#f0f1ec'
const grid = '#dfe2d9'
const device = '#1457d9'
const gateway = '#6b3fa0'

/** The position without any network: a plan in metres and the outline of the countries. Fitter has no street data. */
export function drawMap({ doc, sheet, texts }: Drawing, box: Box, places: Places): void {
  const centre = places.device ?? places.gateway
  if (!centre) return
  const apartM = places.apartM
  const isNear = apartM === null || apartM < 20_000
  const spanM = Math.max(160, isNear ? (apartM ?? 0) * 2.6 : 160, places.limitM === null ? 0 : places.limitM * 2.6)
  const scale = Math.min(box.width, box.height) / spanM
  const at = (place: TimedPosition) => ({
    x:
      box.x +
      box.width / 2 +
      (place.longitude - centre.longitude) * metresPerDegree * Math.cos((centre.latitude * Math.PI) / 180) * scale,
    y: box.y + box.height / 2 - (place.latitude - centre.latitude) * metresPerDegree * scale
  })
  const stepM = niceLength(spanM / 4)
  const step = stepM * scale
  sheet.tags.text(() => drawPlan())
  drawScale({ doc, sheet, texts }, box, stepM, step)
  drawLegend({ doc, sheet, texts }, box, places)

  function drawPlan(): void {
    if (!centre) return
    doc.save().roundedRect(box.x, box.y, box.width, box.height, 5).clip()
    doc.rect(box.x, box.y, box.width, box.height).fill(ground)
    doc.lineWidth(0.5).strokeColor(grid)
    for (let x = box.x + ((box.width / 2) % step); x < box.x + box.width; x += step)
      doc
        .moveTo(x, box.y)
        .lineTo(x, box.y + box.height)
        .stroke()
    for (let y = box.y + ((box.height / 2) % step); y < box.y + box.height; y += step)
      doc
        .moveTo(box.x, y)
        .lineTo(box.x + box.width, y)
        .stroke()
    const here = at(centre)
    if (places.limitM !== null && places.device)
      doc
        .circle(here.x, here.y, places.limitM * scale)
        .lineWidth(1)
        .dash(4, { space: 3 })
        .stroke(colors.accent)
        .undash()
    const there = isNear && places.device && places.gateway ? at(places.gateway) : undefined
    if (there)
      doc
        .moveTo(here.x, here.y)
        .lineTo(there.x, there.y)
        .lineWidth(1)
        .dash(2, { space: 2 })
        .stroke(colors.muted)
        .undash()
    if (there) drawDiamond(doc, there.x, there.y)
    if (places.device) drawDot(doc, here.x, here.y)
    else drawDiamond(doc, here.x, here.y)
    drawInset(doc, { x: box.x + box.width - 78, y: box.y + box.height - 62, width: 72, height: 56 }, centre)
    doc.restore()
  }
}

function drawDot(doc: Doc, x: number, y: number): void {
  doc.circle(x, y, 5.5).lineWidth(2).fillAndStroke(device, '#ffffff')
}

function drawDiamond(doc: Doc, x: number, y: number): void {
  doc
    .polygon([x, y - 6], [x + 6, y], [x, y + 6], [x - 6, y])
    .lineWidth(1.5)
    .fillAndStroke(gateway, '#ffffff')
}

function drawLegend(
  { doc, sheet, texts }: Drawing,
  box: Box,
  { device: atDevice, gateway: atGateway, apartM }: Places
): void {
  const rows: { draw: typeof drawDot; text: string }[] = []
  if (atDevice)
    rows.push({
      draw: drawDot,
      text: texts.say(
        message('report.map.device', { when: formatTime(atDevice.at, 'timeWithSeconds', texts.settings) })
      )
    })
  if (atGateway)
    rows.push({
      draw: drawDiamond,
      text:
        apartM === null
          ? texts.say(
              message('report.map.gateway', { when: formatTime(atGateway.at, 'timeWithSeconds', texts.settings) })
            )
          : texts.say(message('report.map.apart', { distanceM: apartM }))
    })
  const wrapped = rows.map(({ draw, text }) => ({
    draw,
    lines: sheet.wrap([{ text, style: { ...styles.strong, size: 8 } }], 140).slice(0, 1)
  }))
  const width = Math.max(...wrapped.map(({ lines }) => sheet.widthOf(lines[0]))) + 32
  sheet.tags.artifact(() => doc.roundedRect(box.x + 6, box.y + 6, width, 6 + rows.length * 13, 4).fill('#ffffff'))
  wrapped.forEach(({ draw, lines }, index) => {
    sheet.tags.artifact(() => draw(doc, box.x + 16, box.y + 15.5 + index * 13))
    sheet.drawLines(lines, box.x + 27, box.y + 10 + index * 13)
  })
}

function drawScale({ doc, sheet, texts }: Drawing, box: Box, stepM: number, step: number): void {
  const y = box.y + box.height - 9
  sheet.tags.artifact(() =>
    doc
      .moveTo(box.x + 8, y - 3)
      .lineTo(box.x + 8, y)
      .lineTo(box.x + 8 + step, y)
      .lineTo(box.x + 8 + step, y - 3)
      .lineWidth(1)
      .stroke(colors.muted)
  )
  sheet.drawLines(
    sheet.wrap([{ text: formatQuantity('M', stepM, texts.settings), style: styles.faint }], 80).slice(0, 1),
    box.x + 12,
    y - 12
  )
}

/** The surrounding countries, some 1,500 km across, with a cross at the plan. */
function drawInset(doc: Doc, box: Box, centre: TimedPosition): void {
  const [x, y] = [mercatorX(centre.longitude), mercatorY(centre.latitude)]
  const span = 1 / 24
  const scale = box.width / span
  const [west, north] = [x - span / 2, y - (span * box.height) / box.width / 2]
  const [east, south] = [x + span / 2, y + (span * box.height) / box.width / 2]
  doc.save().roundedRect(box.x, box.y, box.width, box.height, 3).clip()
  doc.rect(box.x, box.y, box.width, box.height).fill('#dbe7ee')
  for (const shape of world()) {
    if (shape.east < west || shape.west > east || shape.south < north || shape.north > south) continue
    for (const ring of shape.rings) {
      for (let index = 0; index < ring.length; index += 2) {
        const [pointX, pointY] = [
          box.x + ((ring[index] ?? 0) - west) * scale,
          box.y + ((ring[index + 1] ?? 0) - north) * scale
        ]
        if (index === 0) doc.moveTo(pointX, pointY)
        else doc.lineTo(pointX, pointY)
      }
      doc.closePath()
    }
    doc.lineWidth(0.5).fillAndStroke('#ffffff', '#b9c2b6', 'even-odd')
  }
  const [middleX, middleY] = [box.x + box.width / 2, box.y + box.height / 2]
  doc.circle(middleX, middleY, 2.6).lineWidth(1).fillAndStroke(device, '#ffffff')
  doc.restore()
  doc.roundedRect(box.x, box.y, box.width, box.height, 3).lineWidth(0.8).stroke('#ffffff')
}

let kept: WorldShape[] | undefined

/** Read with the first map; it is delivered with the application and does not change. */
function world(): WorldShape[] {
  kept ??= shapesOf(JSON.parse(readFileSync(outlineFile(), 'utf8')) as Topology)
  return kept
}

/** A package has the outline once, with the page; a checkout has it in its own package. */
function outlineFile(): string {
  return import.meta.url.endsWith('.ts')
    ? createRequire(import.meta.url).resolve('world-atlas/countries-50m.json')
    : join(projectFolder, 'out', 'renderer', 'assets', 'countries-50m.json')
}

/** 1, 2 or 5 times a power of ten. */
function niceLength(metres: number): number {
  const power = 10 ** Math.floor(Math.log10(metres))
  const part = metres / power
  return (part >= 5 ? 5 : part >= 2 ? 2 : 1) * power
}
