import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { ulid } from 'ulid'
import { AppError } from '../../../preload/contract/errors.ts'
import type { CallParsed } from '../../../preload/contract/index.ts'
import type { Teller } from '../../../preload/contract/events.ts'
import type { JobExport, JobFacets, JobFilter } from '../../../preload/contract/job/jobLog.ts'
import { message } from '../../../preload/contract/messages.ts'
import { createTexts } from '../../base/messages/texts.ts'
import type { JobPage, JobPageRequest } from '../../data/store/jobs/jobPages.ts'
import { makeCsvReport } from './csv.ts'
import { readFilePart } from '../../base/reading/filePart.ts'
import { makeReport, type ReportSource } from './jobReport.ts'
import { openPdfThread } from './pdf/pdfThread.ts'
import { createZipFile, zipAtMostBytes } from './zip.ts'

export interface JobExportsOptions {
  /** The folder of the file until it is downloaded; it contains nothing else. */
  folder: string
  page(request: JobPageRequest): Pick<JobPage, 'next'> & { jobs: { id: string }[] }
  facets(filter: JobFilter): Promise<JobFacets>
  source(): ReportSource
  events: Teller
  reportFault(error: unknown): void
}

export type JobExportWish = CallParsed<'jobLog.export'>

/** Many jobs in one file: a table, or an archive of their reports. */
export type JobExports = ReturnType<typeof createJobExports>

interface Running {
  status: JobExport
  abort: AbortController
  file: string
  done: Promise<void>
}

/** A table has a line for each job; an archive with more reports than this would take hours. */
const reportsAtMost = 5_000
const jobsAtOnce = 100
const tellEveryMs = 200

export function createJobExports(options: JobExportsOptions) {
  const exports = new Map<string, Running>()
  let beginning: Promise<JobExport> | undefined

  async function* idsOf(chosen: JobExportWish['chosen']): AsyncGenerator<string> {
    if (chosen.by === 'ids') return yield* chosen.ids
    let after: string | undefined
    for (;;) {
      const page = options.page({ ...chosen.filter, after, limit: jobsAtOnce, isCounted: false })
      for (const { id } of page.jobs) yield id
      if (page.next === null) return
      after = page.next
    }
  }

  /** Throws AppError CONFLICT while another is written, INVALID_REQUEST when nothing or too much was chosen. */
  async function begin(wish: JobExportWish): Promise<JobExport> {
    // Claimed before the first wait: a second one would remove the file of the first.
    if (beginning || [...exports.values()].some(({ status }) => status.state === 'running'))
      throw new AppError('CONFLICT', message('report.exportRuns'))
    beginning = prepare(wish)
    try {
      return await beginning
    } finally {
      beginning = undefined
    }
  }

  async function prepare({ format, language, chosen }: JobExportWish): Promise<JobExport> {
    const total = chosen.by === 'ids' ? chosen.ids.length : (await options.facets(chosen.filter)).total
    if (total === 0) throw new AppError('INVALID_REQUEST', message('report.nothingChosen'))
    if (format !== 'csv' && total > reportsAtMost)
      throw new AppError('INVALID_REQUEST', message('report.tooMany', { n: reportsAtMost }))
    // A downloaded or discarded file uses no more space.
    for (const id of exports.keys()) await end(id)
    await rm(options.folder, { recursive: true, force: true })
    await mkdir(options.folder, { recursive: true, mode: 0o700 })
    const source = options.source()
    const texts = createTexts({ ...source.reader, ...(language === undefined ? {} : { language }) })
    const id = ulid()
    const mark = source.isTraining ? `${texts.say(message('report.fileMark'))}-` : ''
    const isTable = format === 'csv'
    const fileName = `fitter-${mark}${isTable ? 'jobs' : format}-${new Date().toISOString().slice(0, 10)}-${total}.${isTable ? 'csv' : 'zip'}`
    const running: Running = {
      status: {
        id,
        format,
        state: 'running',
        done: 0,
        total,
        leftOut: 0,
        fileName,
        mediaType: isTable ? 'text/csv' : 'application/zip',
        bytes: 0,
        problem: null
      },
      abort: new AbortController(),
      file: path.join(options.folder, id),
      done: Promise.resolve()
    }
    exports.set(id, running)
    running.done = write(running, chosen, { ...source, reader: texts.settings }).catch((error: unknown) =>
      fail(running, error)
    )
    return structuredClone(running.status)
  }

  async function write(running: Running, chosen: JobExportWish['chosen'], source: ReportSource): Promise<void> {
    const { status, abort } = running
    const file = await open(running.file, 'wx', 0o600)
    const pdf = openPdfThread()
    let reportedAtMs = performance.now()
    try {
      const put =
        status.format === 'csv'
          ? tableOf(file, source)
          : archiveOf(file, status.format, { ...source, makePdf: pdf.make })
      for await (const id of idsOf(chosen)) {
        if (abort.signal.aborted) return
        if (await isPut(put.job, id)) status.done += 1
        else status.leftOut += 1
        if (performance.now() - reportedAtMs > tellEveryMs) {
          reportedAtMs = performance.now()
          tell(running)
        }
        // The thread also watches outputs, which come first.
        await setImmediate()
      }
      await put.end()
      await file.sync()
      status.bytes = (await file.stat()).size
      status.state = 'ready'
    } finally {
      await pdf.close()
      await file.close()
    }
    tell(running)
  }

  function fail(running: Running, error: unknown): void {
    if (!(error instanceof AppError)) options.reportFault(error)
    Object.assign(running.status, {
      state: 'failed',
      problem: error instanceof AppError ? error.sentence : message('report.exportFailed')
    })
    tell(running)
  }

  function tell({ status, abort }: Running): void {
    if (!abort.signal.aborted) options.events.tell('jobLog.export', structuredClone(status))
  }

  function demand(id: string): Running {
    const found = exports.get(id)
    if (!found) throw new AppError('NOT_FOUND', message('report.noSuchExport'))
    return found
  }

  async function end(id: string): Promise<void> {
    const running = exports.get(id)
    if (!running) return
    running.abort.abort()
    await running.done
    exports.delete(id)
    await rm(running.file, { force: true })
  }

  return {
    begin,
    state: (id: string): JobExport => structuredClone(demand(id).status),
    async part(id: string, from: number): Promise<{ base64: string; next: number | null }> {
      const { status, file } = demand(id)
      if (status.state !== 'ready') throw new AppError('CONFLICT', message('report.exportRuns'))
      return readFilePart(file, from)
    },
    end,
    async stop(): Promise<void> {
      await beginning?.catch(() => undefined)
      for (const id of exports.keys()) await end(id)
      await rm(options.folder, { recursive: true, force: true })
    }
  }
}

interface Writer {
  job(id: string): Promise<void>
  end(): Promise<void>
}

/** A job with an unreadable log, or a report that takes too long, does not stop the others. */
async function isPut(put: Writer['job'], id: string): Promise<boolean> {
  try {
    await put(id)
    return true
  } catch (error) {
    if (error instanceof AppError && ['DATA_UNUSABLE', 'NOT_FOUND', 'TIMEOUT'].includes(error.code)) return false
    throw error
  }
}

/** One line for each job below a header line. */
function tableOf(file: FileHandle, { jobs, reader, isTraining, redact }: ReportSource): Writer {
  const texts = createTexts(reader)
  let header = true
  return {
    async job(id) {
      const lines = makeCsvReport(jobs.show(id), { texts, isTraining, header, redact })
      header = false
      await file.write(lines)
    },
    end: () => Promise.resolve()
  }
}

function archiveOf(file: FileHandle, format: 'pdf' | 'json', source: ReportSource): Writer {
  const names = new Set<string>()
  const zip = createZipFile(file, (bytes) => {
    if (bytes > zipAtMostBytes) throw new AppError('INVALID_REQUEST', message('report.exportTooLarge'))
  })
  return {
    async job(id) {
      for (const part of format === 'pdf' ? (['pdf', 'evidence'] as const) : [format]) {
        const { fileName, content } = await makeReport(source, { jobId: id, format: part })
        const name = names.has(fileName) ? fileName.replace(/\.(\w+)$/, `-${id}.$1`) : fileName
        names.add(name)
        await zip.add(name, [content], new Date())
      }
    },
    end: () => zip.end()
  }
}
