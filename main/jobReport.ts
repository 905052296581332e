import { AppError } from '../preload/contract/errors.ts'
import type { Core } from './core.ts'
import { makeCsvReport } from './reports/csv.ts'
import { makeJsonReport } from './reports/json.ts'
import { makePdfReport } from './reports/pdf.ts'

export type ReportFormat = 'pdf' | 'csv' | 'json'

export interface Report {
  fileName: string
  mediaType: string
  content: Uint8Array
}

const mediaTypes: Record<ReportFormat, string> = { pdf: 'application/pdf', csv: 'text/csv', json: 'application/json' }

/** The report of a job in one of its forms, without secrets. */
export async function makeReport(core: Core, jobId: string, format: ReportFormat, appVersion: string): Promise<Report> {
  const job = core.jobs.show(jobId)
  const common = { job, generatedAt: new Date().toISOString(), appVersion, redact: (text: string) => core.reach.redactor.text(text) }
  const fileName = `fitter-${job.device.imei}-${job.createdAt.slice(0, 10)}-${job.id.slice(-6)}.${format}`
  return { fileName, mediaType: mediaTypes[format], content: await makeContent() }

  async function makeContent(): Promise<Uint8Array> {
    switch (format) {
      case 'pdf':
        return makePdfReport({ ...common, units: core.store.settings.get().units, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone })
      case 'csv':
        return Buffer.from(makeCsvReport(job, { redact: common.redact }), 'utf8')
      case 'json':
        return Buffer.from(makeJsonReport({ ...common, entries: core.jobs.journal(jobId) }), 'utf8')
      default:
        throw new AppError('INVALID_REQUEST', 'A report is pdf, csv or json.')
    }
  }
}
