import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'
import type { HandlersOf } from '../../preload/contract/index.ts'
import type { Connections } from '../connections/connections.ts'
import type { JobFacets, JobFilter } from '../../preload/contract/jobLog.ts'
import type { JobExports } from '../reports/jobExports.ts'
import type { Report, ReportWish } from '../reports/jobReport.ts'
import type { WorkNumbersDesk } from '../reports/workNumbers.ts'
import type { Jobs } from './jobs.ts'
import { createPhotoPieces } from './photoPieces.ts'
import type { AttachmentPort, PreparedPort } from './ports.ts'

export interface JobHandlerParts {
  jobs: Jobs
  attachments: AttachmentPort
  connections: Connections
  technician(): string
  report(wish: ReportWish): Promise<Report>
  exports: JobExports
  facets(filter: JobFilter, signal: AbortSignal): Promise<JobFacets>
  numbers: WorkNumbersDesk
  prepared: PreparedPort
}

/** The calls of checklists. */
export function createJobHandlers({ jobs, attachments, connections, technician, report, exports, facets, numbers, prepared }: JobHandlerParts): HandlersOf<'attachments' | 'jobs' | 'jobLog' | 'numbers'> {
  const pieces = createPhotoPieces({ jobs, attachments })
  return {
    'jobs.templates': () => ({ templates: jobs.templates() }),
    'jobs.create': ({ templateId, deviceKey, vehicleText, customer, order, scannedImei, besideOpenJob, assignedId }) => {
      const seen = connections.seen(deviceKey)
      if (seen.imei === null || seen.model === null) throw new AppError('INVALID_REQUEST', message('jobs.deviceUnnamed'))
      const open = besideOpenJob ? undefined : jobs.openOfDevice(seen.imei)
      if (open) return { outcome: 'openJob', job: open }
      const device = { imei: seen.imei, model: seen.model, address: connections.demandAddress(seen) }
      const begun = assignedId === undefined ? undefined : prepared.take(assignedId)
      const id = jobs.create({ templateId, device, vehicleText, customer, order, scannedImei, prepared: begun })
      if (begun) prepared.begun(begun.id, id)
      return { outcome: 'created', id }
    },
    'jobs.remembered': () => ({ customer: jobs.list({ limit: 1 }).jobs[0]?.customer ?? '' }),
    'jobs.list': (request) => jobs.list(request),
    'jobs.show': ({ id }) => jobs.show(id),
    'jobs.start': async ({ id }, signal) => {
      await jobs.start(id, signal, { goesOn: true })
      return {}
    },
    'jobs.pause': async ({ id }) => {
      await jobs.pause(id)
      return {}
    },
    'jobs.runStep': async ({ id, stepId }, signal) => {
      await jobs.beginStep(id, stepId, signal)
      return {}
    },
    'jobs.stopStep': async ({ id, stepId }) => {
      await jobs.stopStep(id, stepId)
      return {}
    },
    'jobs.onStage': ({ id, stepId }) => {
      jobs.onStage(id, stepId)
      return {}
    },
    'jobs.answer': ({ id, stepId, answer }) => {
      if (answer.photo !== undefined) throw new AppError('INVALID_REQUEST', message('jobs.pictureInFileOnly'))
      jobs.answer(id, stepId, answer)
      return {}
    },
    'jobs.waive': async ({ id, stepId, reason }) => {
      await jobs.waive(id, stepId, reason, technician())
      return {}
    },
    'jobs.cancel': async ({ id, reason }) => {
      await jobs.cancel(id, reason)
      return {}
    },
    'jobs.live': ({ id }) => jobs.live(id),
    'jobs.report': async ({ id, format, language }) => {
      const { fileName, mediaType, content } = await report({ jobId: id, format, language })
      return { fileName, mediaType, base64: Buffer.from(content).toString('base64') }
    },
    'numbers.work': ({ filter }, signal) => numbers.work(filter, signal),
    'numbers.table': async ({ filter }, signal) => {
      const { content, ...file } = await numbers.table(filter, signal)
      return { ...file, base64: Buffer.from(content, 'utf8').toString('base64') }
    },
    'attachments.add': (input) => pieces.add(input),
    'attachments.read': (input) => pieces.read(input),
    'jobLog.page': ({ filter, ...place }) => jobs.list({ ...filter, ...place, isCounted: false }),
    'jobLog.facets': ({ filter }, signal) => facets(filter, signal),
    'jobLog.export': (wish) => exports.begin(wish),
    'jobLog.exportState': ({ id }) => exports.state(id),
    'jobLog.exportPart': ({ id, from }) => exports.part(id, from),
    'jobLog.endExport': async ({ id }) => {
      await exports.end(id)
      return {}
    }
  }
}
