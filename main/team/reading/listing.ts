import type { JobSummary } from '../../../preload/contract/job/jobs.ts'
import { wordsOf } from '../../data/store/jobs/jobWords.ts'
import { vehicleNameOf } from '../../../preload/job/vehicleName.ts'

/** For JSON.stringify: the server can store neither zero characters nor half a character. */
export function storableText(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? clean(value) : value
}

function clean(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed()
}

/** What lists of the team show about a job. */
export function listingOf(
  job: JobSummary,
  ended: { endedAt: string; isFirstTime: boolean } | undefined
): Record<string, unknown> {
  const shown = JSON.parse(JSON.stringify(job, storableText)) as JobSummary
  return {
    id: job.id,
    kind: job.kind,
    state: job.state,
    template: clean(job.template.id),
    imei: clean(job.device.imei),
    model: clean(job.device.model),
    vehicle: clean(vehicleNameOf(job)),
    plate: clean(job.vehicle?.plate ?? ''),
    customer: clean(job.customer),
    technician: clean(job.technician),
    madeAt: job.createdAt,
    words: clean(wordsOf(job)),
    // The laptop that took it over decides who holds it, not this one.
    ...(job.handedOver?.takenOver ? { isElsewhere: true } : {}),
    shown: { ...shown, ...ended }
  }
}
