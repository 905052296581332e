import { AppError } from '../../preload/contract/errors.ts'
import type { Settings } from '../../preload/contract/settings.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { makeCsvReport } from './csv.ts'
import { makeJsonReport } from './json.ts'
import { makePdfReport } from './pdf.ts'

export type ReportFormat = 'pdf' | 'csv' | 'json'

export interface Report {
  fileName: string
  mediaType: string
  content: Uint8Array
}

const mediaTypes: Record<ReportFormat, string> = { pdf: 'application/pdf', csv: 'text/csv', json: 'application/json' }

export interface ReportSource {
  jobs: Pick<Jobs, 'show' | 'journal'>
  units: Settings['units']
  redact(text: string): string
}

/** The report of a job in one of its forms, without secrets. */
export async function makeReport(source: ReportSource, jobId: string, format: ReportFormat, appVersion: string): Promise<Report> {
  const job = source.jobs.show(jobId)
  const common = { job, generatedAt: new Date().toISOString(), appVersion, redact: source.redact }
  const fileName = `fitter-${job.device.imei}-${job.createdAt.slice(0, 10)}-${job.id.slice(-6)}.${format}`
  return { fileName, mediaType: mediaTypes[format], content: await makeContent() }

  async function makeContent(): Promise<Uint8Array> {
    switch (format) {
      case 'pdf':
        return makePdfReport({ ...common, units: source.units, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone })
      case 'csv':
        return Buffer.from(makeCsvReport(job, { redact: common.redact }), 'utf8')
      case 'json':
        return Buffer.from(makeJsonReport({ ...common, entries: source.jobs.journal(jobId) }), 'utf8')
      default:
        throw new AppError('INVALID_REQUEST', 'A report is pdf, csv or json.')
    }
  }
}
