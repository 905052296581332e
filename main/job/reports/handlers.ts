import type { Handlers, HandlersOf } from '../../../preload/contract/index.ts'
import type { JobExports } from './jobExports.ts'
import type { Report, ReportWish } from './jobReport.ts'
import type { WorkNumbersSource } from './workNumbers.ts'

export interface ReportHandlerParts {
  report(wish: ReportWish): Promise<Report>
  exports: JobExports
  numbers: WorkNumbersSource
}

export function createReportHandlers({
  report,
  exports,
  numbers
}: ReportHandlerParts): HandlersOf<'numbers'> &
  Pick<Handlers, 'jobs.report' | `jobLog.${'export' | 'exportState' | 'exportPart' | 'endExport'}`> {
  return {
    'jobs.report': async ({ id, format, language }) => {
      const { content, ...file } = await report({ jobId: id, format, language })
      return { ...file, base64: Buffer.from(content).toString('base64') }
    },
    'numbers.work': ({ filter }, signal) => numbers.work(filter, signal),
    'numbers.table': async ({ filter }, signal) => {
      const { content, ...file } = await numbers.table(filter, signal)
      return { ...file, base64: Buffer.from(content, 'utf8').toString('base64') }
    },
    'jobLog.export': (wish) => exports.begin(wish),
    'jobLog.exportState': ({ id }) => exports.state(id),
    'jobLog.exportPart': ({ id, from }) => exports.part(id, from),
    'jobLog.endExport': ({ id }) => exports.end(id)
  }
}
