import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { Language, ReaderSettings } from '../../../preload/base/messages/settings.ts'
import type { Job } from '../../../preload/contract/job/jobs.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { createTexts, type Texts } from '../../base/messages/texts.ts'
import { entryData } from '../jobs/record/journal.ts'
import type { JournalEntry } from '../../data/store/jobs/seal.ts'
import type { Signature } from '../../data/store/jobs/signature.ts'
import type { Signatures } from './pdf/pdfSignatures.ts'
import { makeCsvReport } from './csv.ts'
import { makeJsonReport } from './json.ts'
import { makeSealPage } from './sealPage.ts'
import { makePdfReport, type PdfThread } from './pdf/pdfThread.ts'
import type { TeamRecord } from './teamRecord.ts'

/**
 * `pdf`: the customer's page. `evidence`: a PDF of all steps with their readings. `html`: the page that verifies the
 * seal, to be kept beside the report.
 */
export type ReportFormat = 'pdf' | 'evidence' | 'csv' | 'json' | 'html'

export interface Report {
  fileName: string
  mediaType: string
  content: Uint8Array
  /** Characters that no font of a PDF contains: question marks stand for them. */
  unprintable?: string
}

export interface ReportWish {
  jobId: string
  format: ReportFormat
  /** The receiver of the report may read another language than its author. */
  language?: Language | undefined
  /** A font file for a PDF with characters that Fitter's fonts do not contain. */
  font?: string | undefined
}

const { answered } = entryData

const mediaTypes: Record<ReportFormat, string> = {
  pdf: 'application/pdf',
  evidence: 'application/pdf',
  csv: 'text/csv',
  json: 'application/json',
  html: 'text/html'
}

export interface ReportSource {
  jobs: Pick<Jobs, 'show' | 'journal'> & Partial<Pick<Jobs, 'seal'>>
  /** The copy of a picture for reports, by its hash; without this, reports have no pictures. */
  readPicture?(sha256: string): Uint8Array
  /** Signs the document; without this only its hashes protect the file. */
  sign?(text: string): Promise<Signature>
  reader: Partial<ReaderSettings>
  /** The font file that a person chose for every PDF. */
  font?: string | undefined
  appVersion: string
  /** The job was practice: nothing in it happened to a real vehicle. */
  isTraining: boolean
  redact(text: string): string
  /** The job belongs to a colleague, and the report is made from the team's record. */
  record?: TeamRecord
  /** The team log contains another version of this job, and nobody has settled the difference. */
  isDiverged?(jobId: string): boolean
  /** Draws the document; a separate thread if there is none for several. */
  makePdf?: PdfThread['make']
}

export interface CopiedJob {
  job: Job
  entries: JournalEntry[]
  pictures: ReadonlyMap<string, Uint8Array>
  record: TeamRecord
}

export function sourceOfCopy(
  source: Omit<ReportSource, 'jobs' | 'readPicture' | 'sign'>,
  { job, entries, pictures, record }: CopiedJob
): ReportSource {
  const { reader, font, appVersion, isTraining, redact, makePdf } = source
  const readPicture = (sha256: string): Uint8Array => {
    const picture = pictures.get(sha256)
    if (!picture) throw new AppError('NOT_FOUND', message('store.noAttachment', { hash: sha256.slice(0, 16) }))
    return picture
  }
  return {
    jobs: { show: () => job, journal: () => entries },
    readPicture,
    reader,
    font,
    appVersion,
    isTraining,
    redact,
    record,
    ...(makePdf ? { makePdf } : {})
  }
}

/** More pictures would make the report too large to hand over; the others are in the log with their hashes. */
const mostPictures = 24

/** The report of a job in one of its forms, without secrets. */
export async function makeReport(
  source: ReportSource,
  { jobId, format, language, font = source.font }: ReportWish
): Promise<Report> {
  if (!Object.hasOwn(mediaTypes, format)) throw new AppError('INVALID_REQUEST', message('report.wrongFormat'))
  // If the seal is missing, because the process ended for example, it is added before anybody relies on the report.
  await source.jobs.seal?.(jobId)
  const job = source.jobs.show(jobId)
  const texts = createTexts({ ...source.reader, ...(language === undefined ? {} : { language }) })
  const { redact, appVersion, isTraining, record } = source
  const attachments = (job.attachments ?? []).slice(0, mostPictures).flatMap((one) => {
    const jpeg = readPicture(one.reportSha256)
    return jpeg ? [{ ...one, jpeg }] : []
  })
  const mark = isTraining ? `${texts.say(message('report.fileMark'))}-` : ''
  const name = `fitter-${mark}${job.device.imei}-${job.createdAt.slice(0, 10)}-${job.id.slice(-6)}`
  const evidenceName = `${name}-${texts.say(message('report.evidenceMark'))}.pdf`
  const fileName = format === 'evidence' ? evidenceName : `${name}.${format}`
  let unprintable: string | undefined
  const content = await makeContent(texts)
  return { fileName, mediaType: mediaTypes[format], content, ...(unprintable === undefined ? {} : { unprintable }) }

  /** A damaged picture is missing in the report, and its log names it; the rest is not affected. */
  function readPicture(sha256: string): Uint8Array | undefined {
    try {
      return source.readPicture?.(sha256)
    } catch (error) {
      if (error instanceof AppError && (error.code === 'DATA_UNUSABLE' || error.code === 'NOT_FOUND')) return undefined
      throw error
    }
  }

  async function makeContent(texts: Texts): Promise<Uint8Array> {
    const generatedAt = new Date().toISOString()
    if (format === 'pdf' || format === 'evidence') {
      const signatures = signaturesIn(source.jobs.journal(jobId))
      const photos = attachments.map(({ jpeg, purpose, takenAt, keptAt }) => ({
        jpeg,
        purpose: message(`report.photo.${purpose}`),
        takenAt: takenAt ?? keptAt
      }))
      return (source.makePdf ?? makePdfReport)({
        job,
        generatedAt,
        appVersion,
        reader: texts.settings,
        isTraining,
        redact,
        photos,
        signatures,
        part: format === 'pdf' ? 'customer' : 'evidence',
        fileNames: { customer: `${name}.pdf`, evidence: evidenceName },
        ...(record ? { record } : {}),
        isDiverged: source.isDiverged?.(jobId) ?? false,
        ...(font === undefined ? {} : { chosenFont: font }),
        onUnprintable: (characters) => (unprintable = characters.slice(0, 20).join(''))
      })
    }
    if (format === 'csv') return Buffer.from(makeCsvReport(job, { texts, isTraining, redact }), 'utf8')
    const pictures = attachments.map(({ reportSha256, jpeg }) => ({
      sha256: reportSha256,
      mediaType: 'image/jpeg',
      base64: Buffer.from(jpeg).toString('base64')
    }))
    const json = await makeJsonReport({
      job,
      pictures,
      entries: source.jobs.journal(jobId),
      generatedAt,
      appVersion,
      texts,
      isTraining,
      redact,
      ...(source.sign ? { sign: source.sign } : {})
    })
    return Buffer.from(format === 'html' ? makeSealPage(json, texts, isTraining) : json, 'utf8')
  }
}

/** The signature drawn at the sign-off; the log has it in the answer. */
function signaturesIn(entries: readonly JournalEntry[]): Signatures {
  const given = entries.flatMap(({ type, data }) => {
    const parsed = type === 'answered' ? answered.safeParse(data) : undefined
    return parsed?.success && parsed.data.answer.signatures ? [parsed.data.answer.signatures] : []
  })
  return given.at(-1) ?? {}
}
