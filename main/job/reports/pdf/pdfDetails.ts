import { acceptanceOf, notesOf } from '../../../../preload/job/acceptance.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { Step, Witness } from '../../../../preload/contract/job/jobs.ts'
import { formatTime } from '../../../../preload/base/messages/times.ts'
import { drawMap, type Box } from './pdfMap.ts'
import { colors, drawMark, toneColors, type Doc } from './pdfMarks.ts'
import { resultBefore, vehicleText, versionText, witnessWord } from './pdfSections.ts'
import { contentWidth, page, styles, type FrontContext, type ReportContext, type Sheet } from './pdfSheet.ts'
import { heightOf, type Line, type Span } from './pdfText.ts'
import { placesOf } from '../positions.ts'
import { shortenText } from '../redact.ts'
import { formatLimits, formatStamp } from '../values.ts'
import { sayStored, stepWord } from '../stateTexts.ts'

export interface Photo {
  jpeg: Uint8Array
  purpose: Message
  takenAt: string | null
}

const longestFact = 300
const gap = 14
/** The work has the longest values: times with their zone, and the job's id. */
const factWidths = [140, 145, contentWidth - 285 - 2 * gap] as const
const labelWidth = 54

export function addFacts({ sheet, job, texts }: ReportContext): void {
  const plain = (text: string): Span[] => [
    { text: shortenText(text, longestFact) || '–', style: { ...styles.strong, size: 8.5 } }
  ]
  const { model, address } = job.device
  const label = (name: Message): string => texts.say(name)
  const columns: [string, [string, Span[]][]][] = [
    [
      label(message('report.fact.vehicle')),
      [
        [label(message('report.fact.name')), plain(vehicleText(job, texts))],
        ...(job.vehicle?.plate
          ? [[label(message('report.fact.plate')), plain(job.vehicle.plate)] as [string, Span[]]]
          : []),
        [label(message('report.fact.customer')), plain(job.customer)],
        ...(job.order?.reference
          ? [[label(message('report.fact.order')), plain(job.order.reference)] as [string, Span[]]]
          : [])
      ]
    ],
    [
      label(message('report.fact.device')),
      [
        [label(message('report.fact.imei')), imeiSpans(job.device.imei)],
        [
          label(message('report.fact.model')),
          plain(model && address ? texts.say(message('report.deviceAt', { model, address })) : model || address)
        ],
        [label(message('report.fact.limits')), plain(versionText(job.profile, texts))]
      ]
    ],
    [
      label(message('report.fact.work')),
      [
        ...(job.damage ? [[label(message('damage.mark')), plain(texts.say(job.damage.why))] as [string, Span[]]] : []),
        [label(message('report.fact.technician')), plain(job.technician)],
        [label(message('report.fact.started')), plain(formatStamp(job.createdAt, texts))],
        [label(message('report.fact.lastChange')), plain(formatStamp(job.updatedAt, texts))],
        [label(message('report.fact.job')), [{ text: job.id, style: { ...styles.strong, size: 7.2 } }]]
      ]
    ]
  ]
  const widthOf = (column: number): number => factWidths[column] ?? 0
  const x = (column: number): number =>
    page.left + factWidths.slice(0, column).reduce((sum, width) => sum + width + gap, 0)
  const top = sheet.y() + 4
  columns.forEach(([title], column) => {
    sheet.drawLines(sheet.wrap([{ text: title, style: styles.label }], widthOf(column)).slice(0, 1), x(column), top)
    sheet.tags.artifact(() => sheet.line(x(column), top + 13, widthOf(column)))
  })
  sheet.moveTo(top + 16)
  for (let row = 0; columns.some(([, facts]) => row < facts.length); row++) {
    const cells = columns.map(([, facts], column) => {
      const fact = facts[row]
      return (
        fact && {
          label: sheet.wrap([{ text: fact[0], style: styles.small }], labelWidth),
          value: sheet.wrap(fact[1], widthOf(column) - labelWidth - 4)
        }
      )
    })
    const height = Math.max(...cells.map((cell) => (cell ? Math.max(heightOf(cell.label), heightOf(cell.value)) : 0)))
    sheet.keep(height)
    const y = sheet.y()
    cells.forEach((cell, column) => {
      if (!cell) return
      sheet.drawLines(cell.label, x(column), y)
      sheet.drawLines(cell.value, x(column) + labelWidth + 4, y)
    })
    sheet.moveTo(y + height + 1)
  }
}

/** The label has the last six digits in large print. */
export function imeiSpans(imei: string): Span[] {
  return [
    { text: imei.slice(0, -6), style: { ...styles.body, size: 8.5 } },
    { text: imei.slice(-6), style: { ...styles.strong, size: 8.5, weight: 700 } }
  ]
}

const shownInFront = 4

/** The position, and the first pictures. */
export function addPictures(context: FrontContext, photos: readonly Photo[], pictureHeight: number): void {
  const { sheet, job, texts } = context
  const places = placesOf(job)
  const hasMap = places.device !== null || places.gateway !== null
  const shown = photos.slice(0, shownInFront)
  if (!hasMap && shown.length === 0) return
  sheet.moveTo(sheet.y() + 6)
  sheet.keep(pictureHeight + 8)
  const top = sheet.y()
  const mapWidth = shown.length === 0 ? contentWidth : contentWidth * 0.48
  const alt =
    places.apartM === null
      ? texts.say(message('report.map.alone'))
      : texts.say(message('report.map.apart', { distanceM: places.apartM }))
  if (hasMap)
    sheet.tags.element(
      'Figure',
      () => drawMap(context, { x: page.left, y: top, width: mapWidth, height: pictureHeight }, places),
      { alt }
    )
  const left = page.left + (hasMap ? mapWidth + 6 : 0)
  const [columns, rows] = hasMap ? [Math.min(2, shown.length), Math.ceil(shown.length / 2)] : [shown.length, 1]
  const width = (page.right - left - (columns - 1) * 6) / Math.max(1, columns)
  const height = (pictureHeight - (rows - 1) * 6) / Math.max(1, rows)
  shown.forEach((photo, index) =>
    drawPhoto(context, photo, {
      x: left + (index % columns) * (width + 6),
      y: top + Math.floor(index / columns) * (height + 6),
      width,
      height
    })
  )
  sheet.moveTo(top + pictureHeight + 4)
}

export function addPhotos(context: FrontContext, photos: readonly Photo[]): void {
  if (photos.length === 0) return
  const { sheet, texts } = context
  sheet.heading(texts.say(message('report.photos', { n: photos.length })), { keepWith: 220 })
  const width = (contentWidth - 10) / 2
  for (let index = 0; index < photos.length; index += 2) {
    sheet.keep(190)
    const top = sheet.y()
    photos
      .slice(index, index + 2)
      .forEach((photo, column) =>
        drawPhoto(context, photo, { x: page.left + column * (width + 10), y: top, width, height: 180 })
      )
    sheet.moveTo(top + 188)
  }
}

/** The pictures that each document already contains. */
const openedImages = new WeakMap<Doc, Map<Photo, unknown>>()

function drawPhoto({ doc, sheet, texts }: FrontContext, photo: Photo, { x, y, width, height }: Box): void {
  const name = texts.say(photo.purpose)
  const label = photo.takenAt === null || width < 130 ? name : `${name}, ${formatStamp(photo.takenAt, texts)}`
  // Opened once: the file contains a picture once, even if it is shown twice.
  const { openImage } = doc as unknown as { openImage(source: Buffer): unknown }
  const opened = openedImages.get(doc) ?? new Map<Photo, unknown>()
  const image = opened.get(photo) ?? openImage.call(doc, Buffer.from(photo.jpeg))
  openedImages.set(doc, opened.set(photo, image))
  sheet.tags.element(
    'Figure',
    () =>
      sheet.tags.text(() => {
        doc.save().roundedRect(x, y, width, height, 5).clip()
        doc.image(image as string, x, y, { cover: [width, height], align: 'center', valign: 'center' })
        doc.restore()
      }),
    { alt: label }
  )
  const [line] = sheet.wrap([{ text: label, style: { ...styles.faint, color: '#ffffff' } }], width - 18)
  if (!line) return
  sheet.tags.artifact(() =>
    doc
      .roundedRect(x + 5, y + height - 18, sheet.widthOf(line) + 10, 13, 3)
      .fillOpacity(0.75)
      .fill('#0b100d')
      .fillOpacity(1)
  )
  sheet.drawLines([line], x + 10, y + height - 17)
}

const columnsOf = { mark: 20, step: 100, expected: 104, seen: 48, time: 44 }
const resultWidth =
  contentWidth - columnsOf.mark - columnsOf.step - columnsOf.expected - columnsOf.seen - columnsOf.time

/**
 * One row for each step: state, what was expected, what was measured, witness, time. A skipped step is highlighted, with
 * its last test result.
 */
export function addSteps({ doc, sheet, job, texts }: FrontContext): void {
  const starts = {
    mark: page.left,
    step: page.left + columnsOf.mark,
    expected: page.left + columnsOf.mark + columnsOf.step,
    result: page.left + columnsOf.mark + columnsOf.step + columnsOf.expected,
    seen: page.right - columnsOf.time - columnsOf.seen,
    time: page.right - columnsOf.time
  }
  const titles: [string, number][] = [
    [texts.say(message('report.column.stepName')), starts.step],
    [texts.say(message('report.column.expected')), starts.expected],
    [texts.say(message('report.column.measured')), starts.result],
    [texts.say(message('report.column.seenBy')), starts.seen],
    [texts.say(message('report.column.clock')), starts.time]
  ]

  function drawHeader(): void {
    const top = sheet.y()
    sheet.tags.element('TR', () =>
      titles.forEach(([title, x]) =>
        sheet.tags.element('TH', () =>
          sheet.drawLines(sheet.wrap([{ text: title, style: styles.label }], 120).slice(0, 1), x, top)
        )
      )
    )
    sheet.tags.artifact(() => sheet.line(page.left, top + 13, contentWidth, colors.text))
    sheet.moveTo(top + 14)
  }

  function drawStep(step: Step): void {
    const { word, tone } = stepWord(step)
    const isWaived = step.state === 'waived' || step.waiver !== null
    const title = sheet.wrap(
      [
        {
          text: sayStored(step.title, texts),
          style: { ...styles.strong, size: 8.5, color: step.state === 'notApplicable' ? colors.muted : colors.text }
        }
      ],
      columnsOf.step - 6
    )
    let result = sheet.wrap(resultSpans(step, texts), resultWidth - 8)
    let expected = sheet.wrap([{ text: expectedOf(step, texts), style: styles.small }], columnsOf.expected - 8)
    let head: Line[] = title
    const height = (): number => Math.max(heightOf(head), heightOf(expected), heightOf(result)) + 5.5
    if (sheet.room() < Math.min(height(), page.bottom - page.top - 30)) {
      sheet.newPage()
      drawHeader()
    }
    for (let isFirst = true; head.length + expected.length + result.length > 0; isFirst = false) {
      if (!isFirst) {
        sheet.newPage()
        drawHeader()
      }
      const fits = (lines: Line[]): Line[] =>
        lines.filter((_, index) => index === 0 || heightOf(lines.slice(0, index + 1)) <= sheet.room() - 6)
      const [headNow, expectedNow, resultNow] = [fits(head), fits(expected), fits(result)]
      head = head.slice(headNow.length)
      expected = expected.slice(expectedNow.length)
      result = result.slice(resultNow.length)
      const top = sheet.y()
      const tall = Math.max(heightOf(headNow), heightOf(expectedNow), heightOf(resultNow)) + 5.5
      if (isWaived) sheet.tags.artifact(() => doc.rect(page.left, top, contentWidth, tall).fill(toneColors.waive.soft))
      sheet.tags.element('TR', () => {
        if (isFirst) {
          sheet.tags.element('TD', () =>
            sheet.tags.element(
              'Figure',
              () => sheet.tags.text(() => drawMark(doc, tone, starts.mark + 4, top + 3, 10.5)),
              { alt: texts.say(word) }
            )
          )
        }
        sheet.tags.element('TD', () => sheet.drawLines(headNow, starts.step, top + 2.5))
        sheet.tags.element('TD', () => sheet.drawLines(expectedNow, starts.expected, top + 2.5))
        sheet.tags.element('TD', () => sheet.drawLines(resultNow, starts.result, top + 2.5))
        if (!isFirst) return
        const seen = isWaived ? ['person' as const] : step.witness
        sheet.tags.element('TD', () =>
          drawWitnesses({ doc, sheet }, seen, {
            x: starts.seen,
            y: top + 3,
            alt: seen.map((one) => witnessWord(one, texts)).join(', ')
          })
        )
        const at = step.lastResult?.at ?? step.waiver?.at ?? step.startedAt
        if (at)
          sheet.tags.element('TD', () =>
            sheet.drawLines(
              sheet.wrap(
                [{ text: shortenText(formatTime(at, 'timeWithSeconds', texts.settings), 8), style: styles.small }],
                columnsOf.time
              ),
              starts.time,
              top + 2.5
            )
          )
      })
      sheet.moveTo(top + tall)
      sheet.tags.artifact(() =>
        sheet.line(page.left, top + tall, contentWidth, isWaived ? toneColors.waive.ink : colors.line)
      )
    }
  }

  sheet.keep(90)
  sheet.moveTo(sheet.y() + 4)
  sheet.tags.element('Table', () => {
    drawHeader()
    job.steps.forEach(drawStep)
  })
  const all: Witness[] = ['device', 'gateway', 'person']
  const words = all.map((one) => ({
    one,
    line: sheet.wrap([{ text: witnessWord(one, texts), style: styles.faint }], 100)[0]!
  }))
  let x = page.right - words.reduce((sum, { line }) => sum + sheet.widthOf(line) + 24, 0) + 8
  sheet.keep(16)
  const top = sheet.y() + 3
  for (const { one, line } of words) {
    sheet.tags.artifact(() => drawIcon(doc, one, x, top + 1))
    sheet.drawLines([line], x + 13, top)
    x += sheet.widthOf(line) + 24
  }
  sheet.moveTo(top + 14)
}

/** The limits that the last attempt was compared with; empty when nothing was. */
function expectedOf(step: Step, texts: ReportContext['texts']): string {
  const limits = step.evidence
    .filter(({ attempt, thresholds }) => attempt === step.attempts && thresholds !== null)
    .map(({ thresholds }) => thresholds)
  const { profile: _, ...all } = Object.assign({}, ...limits) as Record<string, never>
  return Object.keys(all).length === 0 ? '' : formatLimits(all, texts)
}

function resultSpans(step: Step, texts: ReportContext['texts']): Span[] {
  const style = { ...styles.body, size: 8.5 }
  if (step.waiver) {
    const reason = texts.say(message('report.skipped', { reason: `«${step.waiver.reason}»` }))
    const before = resultBefore(step, texts)
    return [
      {
        text: step.waiver.by ? `${reason} ${step.waiver.by}` : reason,
        style: { ...styles.strong, size: 8.5, color: toneColors.waive.ink }
      },
      ...(before === '' ? [] : [{ text: `\n${before}`, style }])
    ]
  }
  const summary = sayStored(step.summary, texts)
  const remedy = sayStored(step.remedy, texts)
  const acceptance = acceptanceOf(step)
  return [
    {
      text: summary || texts.say(stepWord(step).word),
      style: step.state === 'notApplicable' ? { ...style, color: colors.muted } : style
    },
    ...(step.consequences
      ? [
          {
            text: `\n${texts.say(message('report.consequences', { works: namesOf(step.consequences.works, texts), missing: namesOf(step.consequences.notAvailable, texts) }))}`,
            style
          }
        ]
      : []),
    ...(acceptance
      ? [
          {
            text: `\n${texts.say(message('report.acceptedBy', { by: acceptance.by, when: formatStamp(acceptance.at, texts) }))}`,
            style: { ...style, weight: 600 as const }
          }
        ]
      : []),
    ...notesOf(step).map(({ by, note }) => ({ text: `\n${texts.say(message('jobs.noted', { by, note }))}`, style })),
    ...(remedy && step.state !== 'pass'
      ? [
          {
            text: `\n${texts.say(message('report.toDo', { remedy }))}`,
            style: { ...style, color: toneColors[stepWord(step).tone].ink }
          }
        ]
      : [])
  ]
}

function namesOf(names: readonly Message[], texts: ReportContext['texts']): string {
  return names.map((name) => sayStored(name, texts)).join(', ')
}

/** The icons of the witnesses, as in the window, on a 24-unit grid. */
const icons: Readonly<Record<Witness, string>> = {
  device: 'M7 7h10v10H7zM10 3.5v3.5M14 3.5v3.5M10 17v3.5M14 17v3.5M3.5 10H7M3.5 14H7M17 10h3.5M17 14h3.5',
  gateway: 'M7 18a4 4 0 0 1-.6-8A6 6 0 0 1 18 9.5 4.3 4.3 0 0 1 17.5 18z',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5a7.5 7.5 0 0 1 15 0'
}

function drawIcon(doc: Doc, witness: Witness, x: number, y: number): void {
  doc
    .save()
    .translate(x, y)
    .scale(10 / 24)
    .lineWidth(1.7)
    .lineJoin('round')
    .lineCap('round')
    .path(icons[witness])
    .stroke(colors.muted)
    .restore()
}

export function drawWitnesses(
  { doc, sheet }: { doc: Doc; sheet: Sheet },
  seen: readonly Witness[],
  { x, y, alt, stepX = 14 }: { x: number; y: number; alt: string; stepX?: number }
): void {
  if (seen.length === 0) return
  sheet.tags.element(
    'Figure',
    () => sheet.tags.text(() => [...new Set(seen)].forEach((one, index) => drawIcon(doc, one, x + index * stepX, y))),
    { alt }
  )
}
