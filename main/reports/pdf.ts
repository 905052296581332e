import type { Job } from '../../preload/contract/jobs.ts'
import { findFontFolder, openFonts } from './pdfFonts.ts'
import { colors, drawMark, toneColors } from './pdfMarks.ts'
import { addEvidence, addFacts, addOperations, addSeal, addSteps, addWaivers } from './pdfSections.ts'
import { contentWidth, createSheet, page, styles, type Sheet } from './pdfSheet.ts'
import { keepText, redactJob, type Redact } from './redact.ts'
import { formatTime, type UnitSystem } from './values.ts'
import { jobWords, judgeJob, kindWords, type Tone } from './words.ts'

export interface PdfReportInput {
  job: Job
  /** ISO 8601 UTC. */
  generatedAt: string
  appVersion: string
  units: UnitSystem
  /** Name of the time zone that times are printed in, e.g. `Europe/Madrid`; every time names its zone. Default: UTC. */
  timeZone?: string
  /** Folder of Inter's `inter-<script>-<weight>-normal.woff` files; default: that of the installed font package. */
  fontFolder?: string
  redact?: Redact
}

/**
 * The job as a document for the customer: A4, fonts embedded, text that can be searched and copied.
 * Throws AppError UNREADABLE when the fonts are missing.
 */
export async function makePdfReport(input: PdfReportInput): Promise<Uint8Array> {
  const { generatedAt, appVersion, units, timeZone = 'UTC', fontFolder = findFontFolder(), redact = keepText } = input
  const job = redactJob(input.job, redact)
  // Loaded at the first report: a start of the command line need not wait for it.
  const { default: PDFDocument } = await import('pdfkit')
  const title = `${kindWords[job.kind]} report`
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    pdfVersion: '1.7',
    lang: 'en',
    displayTitle: true,
    // None: PDFKit would otherwise embed its own Helvetica, and one of ours given here is opened anew at every use.
    font: null as unknown as string,
    info: {
      Title: `${title} ${job.id}`,
      Author: job.technician,
      Subject: job.vehicle?.name ?? job.vehicleText,
      Creator: `Fitter ${appVersion}`,
      CreationDate: new Date(Date.parse(generatedAt) || 0)
    }
  })
  const chunks: Buffer[] = []
  const finished = new Promise<Uint8Array>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))))
    doc.on('error', reject)
  })

  const fonts = openFonts(doc, fontFolder)
  const sheet = createSheet(doc, fonts)
  const time = (iso: string): string => formatTime(iso, timeZone)
  const context = { sheet, job, time, units }
  addTop(doc, sheet, job, title)
  addFacts(context)
  addWaivers(context)
  addSteps(context)
  addOperations(context)
  await addEvidence(context)
  addSeal(context, `Written by Fitter ${appVersion} on ${time(generatedAt)}.`, fonts.hasMissing())
  addPageFrames(doc, sheet, `${title} · ${job.id}`, `Device ${job.device.imei}`)
  doc.end()
  return finished
}

type Doc = Parameters<typeof drawMark>[0]

function addTop(doc: Doc, sheet: Sheet, job: Job, title: string): void {
  const verdict = judgeJob(job)
  const { word, tone } = jobWords[job.state]
  const brand = sheet.wrap([{ text: 'Fitter', style: { size: 15, weight: 700, color: colors.accent } }], 200)
  sheet.drawLines(brand, page.left, 40)
  // "Done" with a green tick above a failed or waived step would read as a pass.
  drawBadge(doc, sheet, word, tone === 'pass' && verdict.tone !== 'pass' ? undefined : tone)
  sheet.moveTo(78)
  sheet.paragraph([{ text: title, style: styles.title }])
  sheet.paragraph([{ text: job.template.name, style: { size: 12, weight: 400, color: colors.muted } }], { after: 12 })
  const tones = toneColors[verdict.tone]
  sheet.callout(
    verdict.tone,
    [
      { text: `${verdict.headline}\n`, style: { size: 13, weight: 700, color: tones.ink } },
      { text: verdict.sentence, style: styles.body }
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
  doc.roundedRect(left, 39, width, 22, 11).fill(soft)
  if (tone) drawMark(doc, tone, left + 9, 44, 12)
  sheet.drawLines(lines, left + inset, 50 - (line?.height ?? 0) / 2)
}

/** Running title and page number, once the number of pages is known. */
function addPageFrames(doc: Doc, sheet: Sheet, title: string, device: string): void {
  const { start, count } = doc.bufferedPageRange()
  for (let index = 0; index < count; index++) {
    doc.switchToPage(start + index)
    if (index > 0) {
      sheet.drawLines(sheet.wrap([{ text: title, style: styles.faint }], contentWidth * 0.66).slice(0, 1), page.left, 34)
      drawRight(sheet, device, 34)
      sheet.rule(50)
    }
    sheet.rule(800)
    sheet.drawLines(sheet.wrap([{ text: 'Fitter', style: { ...styles.faint, weight: 600, color: colors.accent } }], 100), page.left, 806)
    drawRight(sheet, `Page ${index + 1} of ${count}`, 806)
  }
}

function drawRight(sheet: Sheet, text: string, y: number): void {
  const lines = sheet.wrap([{ text, style: styles.faint }], contentWidth * 0.3).slice(0, 1)
  sheet.drawLines(lines, page.right - sheet.widthOf(lines[0]), y)
}
