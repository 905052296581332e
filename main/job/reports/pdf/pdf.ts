import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { Job } from '../../../../preload/contract/job/jobs.ts'
import type { ReaderSettings } from '../../../../preload/base/messages/settings.ts'
import { createTexts, type Texts } from '../../../base/messages/texts.ts'
import { openDocument } from './pdfDocument.ts'
import { colors, drawMark, toneColors, type Doc } from './pdfMarks.ts'
import { addCustomerPage, customerVerdict } from './pdfCustomer.ts'
import { addFacts, addPhotos, addSteps, type Photo } from './pdfDetails.ts'
import type { Signatures } from './pdfSignatures.ts'
import { addEvidence, addOperations, addSeal, addWaivers, versionText } from './pdfSections.ts'
import { contentWidth, page, styles, type FrontContext, type Sheet } from './pdfSheet.ts'
import { shortenText } from '../redact.ts'
import { sayRecord, type TeamRecord } from '../teamRecord.ts'
import { formatStamp } from '../values.ts'
import { jobWord, type Tone } from '../stateTexts.ts'
import { vehicleNameOf } from '../../../../preload/job/vehicleName.ts'

/** The customer's page, or the evidence of each step: two files that name each other. */
export type ReportPart = 'customer' | 'evidence'

/** Plain data, because it is sent to a separate thread. */
export interface PdfReportInput {
  part: ReportPart
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
  /** The names of both files. */
  fileNames: Record<ReportPart, string>
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

/**
 * A job as a document: one page for the customer, or the evidence of all its steps. A4, embedded fonts, searchable.
 * UNREADABLE when the fonts are missing.
 */
export async function drawPdfReport(input: PdfReportInput): Promise<DrawnReport> {
  const { part, job, generatedAt, appVersion, reader, isTraining, photos = [], fileNames } = input
  const texts = createTexts(reader)
  const title = texts.say(message('report.title', { kind: job.kind }))
  const { doc, sheet, missingCharacters, frameEachPage, finish } = await openDocument({
    language: reader.language,
    title: `${isTraining ? `${texts.say(message('report.training'))}: ` : ''}${title} ${job.id}`,
    author: job.technician,
    subject: vehicleNameOf(job),
    appVersion,
    generatedAt,
    fontFolder: input.fontFolder,
    chosenFont: input.chosenFont
  })
  const context = { doc, sheet, job, texts, evidenceName: fileNames.evidence }
  addTop({ ...context, part, title, isTraining, fileNames })
  const contents = part === 'customer' ? undefined : addEvidencePages(context, input, missingCharacters)
  if (part === 'customer') addCustomerPage(context, photos, input.signatures ?? {})
  frameEachPage((index, count) => {
    if (index + 1 === contents?.page) contents.draw()
    addPageFrame({ ...context, part, title: `${title} · ${job.id}`, isTraining, fileNames }, index, count)
  })
  const unprintable = missingCharacters()
  return { content: await finish(), unprintable }
}

/** Facts, steps and contents on the first pages; then skipped steps, gateway operations, readings, photos and the seal. */
function addEvidencePages(
  context: FrontContext,
  { job, generatedAt, appVersion, photos = [], record, isDiverged = false }: PdfReportInput,
  missingCharacters: () => string[]
): Contents {
  const { sheet, texts } = context
  sheet.paragraph([{ text: versionText(job.template, texts), style: styles.small }])
  addFacts(context)
  const contents = reserveContents(context)
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
  return contents
}

interface Contents {
  page: number
  draw(): void
}

const contentsLine = 14

/** Room for the list of what follows, filled when the pages are known. Screen readers have the outline instead. */
function reserveContents({ sheet, texts }: FrontContext): Contents {
  const most = 5
  const height = 18 + Math.ceil(most / 2) * contentsLine
  sheet.keep(height + 12)
  const top = sheet.y() + 12
  sheet.moveTo(top + height)
  return {
    page: sheet.pageNumber(),
    draw: () => {
      const sections = sheet.sections()
      sheet.tags.artifact(() => {
        sheet.drawLines(
          sheet.wrap([{ text: texts.say(message('report.inThisFile')), style: styles.label }], contentWidth),
          page.left,
          top
        )
        sheet.line(page.left, top + 13, contentWidth)
        sections.slice(0, most).forEach(({ text, page: number }, index) => {
          const x = page.left + (index % 2) * (contentWidth / 2)
          const y = top + 16 + Math.floor(index / 2) * contentsLine
          const [line] = sheet.wrap([{ text, style: styles.body }], contentWidth / 2 - 40)
          sheet.drawLines(sheet.wrap([{ text: `${number}`, style: styles.strong }], 20).slice(0, 1), x, y)
          if (line) sheet.drawLines([line], x + 22, y)
        })
      })
    }
  }
}

interface PageContext {
  doc: Doc
  sheet: Sheet
  job: Job
  texts: Texts
  part: ReportPart
  title: string
  isTraining: boolean
  fileNames: Record<ReportPart, string>
}

function addTop({ doc, sheet, job, texts, part, title, isTraining, fileNames }: PageContext): void {
  const verdict = customerVerdict(job)
  const { word, tone } = jobWord(job.state)
  const sayAll = (said: Message[], joint: string): string => said.map((one) => texts.say(one)).join(joint)
  const brand = sheet.wrap([{ text: 'Fitter', style: { size: 15, weight: 700, color: colors.accent } }], 200)
  sheet.drawLines(brand, page.left, 34)
  // "Done" with a green tick above a failed or skipped step, or above practice, would look like a pass.
  drawBadge(doc, sheet, texts.say(word), tone === 'pass' && (verdict.tone !== 'pass' || isTraining) ? undefined : tone)
  sheet.moveTo(58)
  const name = shortenText(vehicleNameOf(job), 120)
  const about =
    part === 'customer' ? title : texts.say(message('report.evidenceOf', { title, file: fileNames.customer || job.id }))
  sheet.paragraph([{ text: about, style: { size: 10.5, weight: 600, color: colors.muted } }])
  sheet.tags.element('H1', () =>
    sheet.paragraph([
      { text: name || title, style: styles.title },
      ...(job.vehicle?.plate
        ? [{ text: `  ${job.vehicle.plate}`, style: { size: 14, weight: 600, color: colors.muted } } as const]
        : [])
    ])
  )
  const whose = [shortenText(job.customer, 120), formatStamp(job.createdAt, texts)]
    .filter((part) => part !== '')
    .join(' · ')
  sheet.paragraph([{ text: whose, style: { size: 10.5, weight: 400, color: colors.muted } }], { after: 8 })
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
  { doc, sheet, job, texts, part, title, isTraining, fileNames }: PageContext,
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
      sheet.wrap([{ text: fileNames[part] || 'Fitter', style: styles.faint }], contentWidth * 0.6).slice(0, 1),
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
