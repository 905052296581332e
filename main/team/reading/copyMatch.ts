import type { TeamJob } from '../../../preload/contract/team/team.ts'
import { splitWords, wordsOf } from '../../data/store/jobs/jobWords.ts'
import type { TeamJobsRequest } from './jobs.ts'

/** Whether a job in the local copy matches a filter, by the same rules as the team log. */
export function matchesRequest(job: TeamJob, request: TeamJobsRequest): boolean {
  const { search, state, kind, imei, technician, customer, holder, vehicleId, plate, either, ids, since, until } =
    request
  const isSame = (wanted: unknown, own: unknown) => wanted === undefined || wanted === own
  return (
    isSame(state, job.state) &&
    isSame(kind, job.kind) &&
    isSame(imei, job.device.imei) &&
    isSame(technician, job.technician) &&
    isSame(customer, job.customer) &&
    isSame(holder, job.holder) &&
    isSame(vehicleId, job.vehicle?.id) &&
    isSame(plate, job.vehicle?.plate) &&
    (either === undefined || isEither(job, either)) &&
    (ids === undefined || ids.includes(job.id)) &&
    (since === undefined || Date.parse(job.createdAt) >= Date.parse(since)) &&
    (until === undefined || Date.parse(job.createdAt) < Date.parse(until)) &&
    isStanding(job, request) &&
    hasWords(job, search ?? '')
  )
}

/** Of this device or this vehicle; empty texts name neither. */
export function isEither(
  { device, vehicle }: Pick<TeamJob, 'device' | 'vehicle'>,
  { imei, vehicleId, plate }: NonNullable<TeamJobsRequest['either']>
): boolean {
  return (
    (imei !== undefined && imei !== '' && imei === device.imei) ||
    (vehicleId !== undefined && vehicleId === vehicle?.id) ||
    (plate !== undefined && plate !== '' && plate === vehicle?.plate)
  )
}

function isStanding(
  { endedAt, state, needsHelp, counts, isMine }: TeamJob,
  { group, open, mine, endedSince, endedUntil }: TeamJobsRequest
): boolean {
  if (mine && !isMine) return false
  if (open && endedAt !== null) return false
  if (endedAt !== null && endedSince !== undefined && Date.parse(endedAt) < Date.parse(endedSince)) return false
  if (endedAt !== null && endedUntil !== undefined && Date.parse(endedAt) >= Date.parse(endedUntil)) return false
  switch (group) {
    case 'inWork':
      return state === 'draft' || state === 'running'
    case 'waiting':
      return state === 'installedAwaitingGateway'
    case 'ended':
      return endedAt !== null
    case 'needHelp':
      return needsHelp
    case 'skipped':
      return (counts?.waived ?? 0) > 0
    default:
      return true
  }
}

function hasWords(job: TeamJob, search: string): boolean {
  const words = wordsOf(job)
  return splitWords(search).every((word) => words.includes(word.length < 3 ? ` ${word}` : word))
}
