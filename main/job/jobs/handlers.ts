import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { whyPlaceholder } from '../../base/reading/imeiSentence.ts'
import type { HandlersOf } from '../../../preload/contract/index.ts'
import type { Connections } from '../../gateway/accounts/connections.ts'
import type { JobFacets, JobFilter } from '../../../preload/contract/job/jobLog.ts'
import type { Jobs } from './jobs.ts'
import { createPhotoPieces } from './photos/photoPieces.ts'
import type { AttachmentPort, PreparedPort } from './engine/ports.ts'
import { readOrders } from './orders/readOrders.ts'
import type { TransferFiles } from './handover/transferFiles.ts'
import type { Transfers } from './handover/transfers.ts'

export interface JobHandlerParts {
  jobs: Jobs
  attachments: AttachmentPort
  connections: Connections
  technician(): string
  facets(filter: JobFilter, signal: AbortSignal): Promise<JobFacets>
  prepared: PreparedPort
}

export function createJobHandlers({
  jobs,
  attachments,
  connections,
  technician,
  facets,
  prepared
}: JobHandlerParts): Omit<
  HandlersOf<'attachments' | 'jobs' | 'jobLog'>,
  'jobs.report' | `jobLog.${'export' | 'exportState' | 'exportPart' | 'endExport'}`
> {
  const pieces = createPhotoPieces({ jobs, attachments })

  /** Who takes responsibility: the person of the settings, otherwise the technician of the job. */
  function responsibleFor(id: string, missing: Message): string {
    const by = technician() || jobs.show(id).technician
    if (by === '') throw new AppError('INVALID_REQUEST', missing)
    return by
  }

  return {
    'jobs.templates': () => ({ templates: jobs.templates() }),
    'jobs.create': ({
      templateId,
      deviceKey,
      vehicleText,
      customer,
      order,
      scannedImei,
      besideOpenJob,
      assignedId,
      withoutTrailer
    }) => {
      const seen = connections.seen(deviceKey)
      if (seen.imei === null || seen.model === null)
        throw new AppError('INVALID_REQUEST', whyPlaceholder(seen.hostname ?? '') ?? message('jobs.deviceUnnamed'))
      const open = besideOpenJob ? undefined : jobs.openOfDevice(seen.imei)
      if (open) return { outcome: 'openJob', job: open }
      const device = { imei: seen.imei, model: seen.model, address: connections.demandAddress(seen) }
      const begun = assignedId === undefined ? undefined : prepared.take(assignedId)
      const id = jobs.create({
        templateId,
        device,
        vehicleText,
        customer,
        order,
        scannedImei,
        withoutTrailer,
        prepared: begun
      })
      if (begun) prepared.begun(begun.id, id)
      return { outcome: 'created', id }
    },
    'jobs.remembered': () => {
      const [latest] = jobs.list({ limit: 1 }).jobs
      const isAlone =
        latest &&
        !latest.damage &&
        jobs.loaded(latest.id).steps.some(({ kind, state }) => kind === 'link' && state === 'notApplicable')
      return { customer: latest?.customer ?? '', ...(isAlone ? { withoutTrailer: latest.template.id } : {}) }
    },
    'jobs.list': (request) => jobs.list(request),
    'jobs.show': ({ id }) => jobs.show(id),
    'jobs.start': ({ id }, signal) => jobs.start(id, signal, { goesOn: true }),
    'jobs.pause': ({ id }) => jobs.pause(id),
    'jobs.runStep': jobs.beginStep,
    'jobs.stopStep': ({ id, stepId }) => jobs.stopStep(id, stepId),
    'jobs.onStage': ({ id, stepId }) => jobs.onStage(id, stepId),
    'jobs.answer': ({ id, stepId, answer }) => {
      if (answer.photo !== undefined) throw new AppError('INVALID_REQUEST', message('jobs.pictureInFileOnly'))
      jobs.answer(id, stepId, answer)
    },
    'jobs.waive': async ({ id, stepId, reason }) =>
      jobs.waive(id, stepId, reason, responsibleFor(id, message('jobs.waiverNeedsName'))),
    'jobs.accept': ({ id, stepId }) => jobs.accept(id, stepId, responsibleFor(id, message('jobs.acceptNeedsName'))),
    'jobs.note': ({ id, stepId, note }) =>
      jobs.note(id, stepId, note, responsibleFor(id, message('jobs.noteNeedsName'))),
    'jobs.cancel': ({ id, reason }) => jobs.cancel(id, reason),
    'jobs.live': ({ id }) => jobs.live(id),
    'attachments.add': pieces.add,
    'attachments.read': pieces.read,
    'jobLog.page': ({ filter, ...place }) => jobs.list({ ...filter, ...place, isCounted: false }),
    'jobLog.facets': ({ filter }, signal) => facets(filter, signal)
  }
}

export function createOrderHandlers(jobs: Jobs): HandlersOf<'orders'> {
  return {
    'orders.read': ({ base64, encoding }) => readOrders(Buffer.from(base64, 'base64'), encoding),
    'orders.change': ({ id, order }) => jobs.changeOrder(id, order)
  }
}

export function createTransferHandlers({
  transfers,
  files
}: {
  transfers: Transfers
  files: TransferFiles
}): HandlersOf<'transfers'> {
  return {
    'transfers.plan': ({ jobIds }) => transfers.plan(jobIds),
    'transfers.give': (input, signal) => files.give(input, signal),
    'transfers.part': ({ id, from }) => files.part(id, from),
    'transfers.end': ({ id }) => files.end(id),
    'transfers.add': (input) => files.add(input),
    'transfers.take': ({ upload }) => files.take(upload),
    'transfers.takeBack': ({ jobId, reason }) => transfers.takeBack(jobId, reason)
  }
}
