import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { Job } from '../../../../preload/contract/job/jobs.ts'
import type { ReaderSettings } from '../../../../preload/base/messages/settings.ts'
import { createTexts, type Texts } from '../../../base/messages/texts.ts'
import { openDocument } from './pdfDocument.ts'
import { colors, drawMark, toneColors, type Doc } from './pdfMarks.ts'
import { addCustomerPage, customerVerdict } from './pdfCustomer.ts'
import { addFacts, addPhotos, addSteps, type Photo, type Signatures } from './pdfDetails.ts'
import { addEvidence, addOperations, addSeal, addWaivers, versionText } from './pdfSections.ts'
import { contentWidth, page, styles, type Sheet } from './pdfSheet.ts'
import { shortenText } from '../redact.ts'
import { sayRecord, type TeamRecord } from '../teamRecord.ts'
import { formatStamp } from '../values.ts'
import { jobWord, type Tone } from '../stateTexts.ts'
import { vehicleNameOf } from '../../../../preload/job/vehicleName.ts'

/** Plain data, because it is sent to a separate thread. */
export interface PdfReportInput {
  /** Without secrets. */
  job: Job
  /** ISO 8601 UTC. */
  generatedAt: string
  appVersion: string
  reader: ReaderSettings
  /** It was practice: every page says so. */
  isTraining: boolean
  /** In the order of their addition. */
  photos?: Photo[]
  signatures?: Signatures
  /** The job belongs to a colleague: whose record the report is made from. */
  record?: TeamRecord
  /** The team log contains another version of it. */
  isDiverged?: boolean
  fileName?: string
  /** Folder of Inter's `inter-<script>-<weight>-normal.woff` files; default: that of the installed font package. */
  fontFolder?: string
  /** A font file for characters that Fitter's fonts do not contain, instead of a font of the system. */
  chosenFont?: string
}

export interface DrawnReport {
  content: Uint8Array
  /** Characters that no font contains; question marks stand for them. */
  unprintable: string[]
}

/** The job as a document for the customer: A4, embedded fonts, searchable. UNREADABLE when the fonts are missing. */
export async function drawPdfReport(input: PdfReportInput): Promise<DrawnReport> {
  const {
    job,
    generatedAt,
    appVersion,
    reader,
    isTraining,
    photos = [],
    signatures = {},
    record,
    isDiverged = false,
    fileName = '',
    fontFolder,
    chosenFont
  } = input
  const texts = createTexts(reader)
  const title = texts.say(message('report.title', { kind: job.kind }))
  const { doc, sheet, missingCharacters, frameEachPage, finish } = await openDocument({
    language: reader.language,
    title: `${isTraining ? `${texts.say(message('report.training'))}: ` : ''}${title} ${job.id}`,
    author: job.technician,
    subject: vehicleNameOf(job),
    appVersion,
    generatedAt,
    fontFolder,
    chosenFont
  })
  const context = { doc, sheet, job, texts }
  addTop({ ...context, title, isTraining })
  addCustomerPage(context, photos, signatures)
  sheet.newPage()
  sheet.heading(texts.say(message('report.customer.details')))
  sheet.paragraph([{ text: versionText(job.template, texts), style: styles.small }])
  addFacts(context)
  addSteps(context)
  addWaivers(context)
  addOperations(context)
  addEvidence(context)
  addPhotos(context, photos)
  const written = { version: appVersion, when: formatStamp(generatedAt, texts) }
  addSeal(
    context,
    record ? sayRecord(record, written) : message(isDiverged ? 'report.writtenOfLocal' : 'report.written', written),
    missingCharacters().length > 0
  )
  frameEachPage((index, count) =>
    addPageFrame({ ...context, title: `${title} · ${job.id}`, isTraining, fileName }, index, count)
  )
  const unprintable = missingCharacters()
  return { content: await finish(), unprintable }
}

interface PageContext {
  doc: Doc
  sheet: Sheet
  job: Job
  texts: Texts
  title: string
  isTraining: boolean
}

function addTop({ doc, sheet, job, texts, title, isTraining }: PageContext): void {
  const verdict = customerVerdict(job)
  const { word, tone } = jobWord(job.state)
  const sayAll = (said: Message[], joint: string): string => said.map((one) => texts.say(one)).join(joint)
  const brand = sheet.wrap([{ text: 'Fitter', style: { size: 15, weight: 700, color: colors.accent } }], 200)
  sheet.drawLines(brand, page.left, 34)
  // "Done" with a green tick above a failed or skipped step, or above practice, would look like a pass.
  drawBadge(doc, sheet, texts.say(word), tone === 'pass' && (verdict.tone !== 'pass' || isTraining) ? undefined : tone)
  sheet.moveTo(58)
  const name = shortenText(vehicleNameOf(job), 120)
  sheet.paragraph([{ text: title, style: { size: 10.5, weight: 600, color: colors.muted } }])
  sheet.tags.element('H1', () =>
    sheet.paragraph([
      { text: name || title, style: styles.title },
      ...(job.vehicle?.plate
        ? [{ text: `  ${job.vehicle.plate}`, style: { size: 14, weight: 600, color: colors.muted } } as const]
        : [])
    ])
  )
  const about = [shortenText(job.customer, 120), formatStamp(job.createdAt, texts)]
    .filter((part) => part !== '')
    .join(' · ')
  sheet.paragraph([{ text: about, style: { size: 10.5, weight: 400, color: colors.muted } }], { after: 8 })
  const shown = isTraining ? 'warn' : verdict.tone
  const tones = toneColors[shown]
  sheet.callout(
    shown,
    [
      ...(isTraining
        ? [{ text: `${texts.say(message('report.trainingNote'))}\n`, style: { ...styles.strong, color: tones.ink } }]
        : []),
      { text: `${sayAll(verdict.headline, ' ')}\n`, style: { size: 13, weight: 700, color: tones.ink } },
      {
        text: `${sayAll(verdict.counts, ', ')}.${verdict.rest.length > 0 ? ' ' : ''}${sayAll(verdict.rest, ' ')}`,
        style: styles.body
      }
    ],
    tones
  )
}

/** State of the job; without a tone in grey and without a shape. */
function drawBadge(doc: Doc, sheet: Sheet, word: string, tone: Tone | undefined): void {
  const { ink, soft } = toneColors[tone ?? 'wait']
  const lines = sheet.wrap([{ text: word, style: { size: 9, weight: 600, color: ink } }], 200)
  const [line] = lines
  const inset = tone ? 25 : 11
  const width = inset + sheet.widthOf(line) + 11
  const left = page.right - width
  sheet.tags.artifact(() => {
    doc.roundedRect(left, 33, width, 22, 11).fill(soft)
    if (tone) drawMark(doc, tone, left + 9, 38, 12)
  })
  sheet.drawLines(lines, left + inset, 44 - (line?.height ?? 0) / 2)
}

/** Running title, file name and page number. Screen readers skip them. */
function addPageFrame(
  { doc, sheet, job, texts, title, isTraining, fileName }: PageContext & { fileName: string },
  index: number,
  count: number
): void {
  sheet.tags.artifact(() => {
    if (index > 0) {
      sheet.drawLines(
        sheet.wrap([{ text: title, style: styles.faint }], contentWidth * 0.66).slice(0, 1),
        page.left,
        34
      )
      drawRight(sheet, texts.say(message('report.deviceLine', { imei: job.device.imei })), 34)
      sheet.rule(50)
    }
    sheet.rule(800)
    sheet.drawLines(
      sheet
        .wrap([{ text: fileName === '' ? 'Fitter' : fileName, style: styles.faint }], contentWidth * 0.6)
        .slice(0, 1),
      page.left,
      806
    )
    drawRight(sheet, texts.say(message('report.page', { n: index + 1, all: count })), 806)
    if (isTraining)
      drawTrainingMark(doc, sheet, {
        word: texts.say(message('report.training')).toLocaleUpperCase(texts.settings.language),
        note: texts.say(message('report.trainingNote'))
      })
  })
}

function drawRight(sheet: Sheet, text: string, y: number): void {
  const lines = sheet.wrap([{ text, style: styles.faint }], contentWidth * 0.3).slice(0, 1)
  sheet.drawLines(lines, page.right - sheet.widthOf(lines[0]), y)
}

/** A band at the top, and a diagonal word across the page, pale enough to read the text below it. */
function drawTrainingMark(doc: Doc, sheet: Sheet, { word, note }: { word: string; note: string }): void {
  const { width, height } = doc.page
  doc.rect(0, 0, width, 24).fill(toneColors.live.ink)
  const [band] = sheet.wrap(
    [{ text: note, style: { ...styles.strong, size: 9, color: '#ffffff' } }],
    width - 2 * page.left
  )
  if (band) sheet.drawLines([band], (width - sheet.widthOf(band)) / 2, 12.5 - band.height / 2)
  const [line] = sheet.wrap([{ text: word, style: { size: 100, weight: 700, color: toneColors.live.ink } }], width * 2)
  if (!line) return
  doc
    .save()
    .translate(width / 2, height / 2)
    .rotate(-52)
    .opacity(0.14)
  sheet.drawLines([line], -sheet.widthOf(line) / 2, -line.height / 2)
  doc.restore().opacity(1)
}
