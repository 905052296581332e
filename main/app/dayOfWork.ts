import type { CallOutput, CallParsed } from '../../preload/contract/index.ts'
import type { JobSummary } from '../../preload/contract/job/jobs.ts'
import { plainMessage } from '../../preload/contract/messages.ts'
import type { EntryMark } from '../data/store/jobs/jobs.ts'
import type { Core } from './core.ts'
import { vehicleNameOf } from '../../preload/job/vehicleName.ts'

/** A longer silence in a job's log is a pause. */
const restMs = 30 * 60_000
/** Older jobs that are still changed are a rare exception, which this view of the day omits. */
const madeWithinMs = 31 * 24 * 3_600_000
const jobsAtMost = 300
const namedAtMost = 3
/** A person's actions: what the gateway answers hours later is not their work. */
const ownWork: ReadonlySet<string> = new Set([
  'jobCreated',
  'answered',
  'waived',
  'namesGiven',
  'vehicleChosen',
  'stepStarted',
  'deviceWrite'
])

type Day = CallOutput<'day.work'>

/** The day in this computer's log: who worked on which job and when, finished jobs, skipped steps. */
export function dayOfWork(
  { store, jobs }: Pick<Core, 'store' | 'jobs'>,
  { from, weekFrom }: CallParsed<'day.work'>
): Day {
  const week = store.jobs.touchedSince({
    at: weekFrom < from ? weekFrom : from,
    madeSince: new Date(Date.parse(from) - madeWithinMs).toISOString(),
    limit: jobsAtMost
  })
  const today = week
    .filter((job) => job.updatedAt >= from)
    .map((job) => ({ job, marks: store.jobs.marksSince(job.id, from) }))
  const done = today.filter(({ marks }) => marks.some(isDone)).map(({ job }) => job)
  const skipped = week.filter((job) => job.updatedAt >= weekFrom && skippedOf(job) > 0)
  return {
    stretches: today
      .flatMap(({ job, marks }) =>
        stretchesOf(marks).map((stretch) => ({
          ...nameOf(job),
          ...stretch,
          state: job.state,
          isActive: jobs.jobOf(job.device.imei) === job.id,
          hasSkipped: skippedOf(job) > 0
        }))
      )
      .sort((a, b) => a.from.localeCompare(b.from)),
    done: {
      n: done.length,
      withSkipped: done.filter((job) => skippedOf(job) > 0).length,
      jobs: done.slice(0, namedAtMost).map(nameOf)
    },
    skipped: {
      steps: skipped.reduce((sum, job) => sum + skippedOf(job), 0),
      jobs: skipped
        .flatMap((job) =>
          (job.named ?? [])
            .filter(({ state }) => state === 'waived')
            .map(({ title }) => ({ ...nameOf(job), step: title }))
        )
        .slice(0, namedAtMost)
    }
  }
}

function nameOf(job: JobSummary): Day['done']['jobs'][number] {
  return { jobId: job.id, name: vehicleNameOf(job) === '' ? job.template.name : plainMessage(vehicleNameOf(job)) }
}

function skippedOf(job: JobSummary): number {
  return job.counts?.waived ?? 0
}

function isDone({ state }: EntryMark): boolean {
  return state === 'done' || state === 'installedAwaitingGateway'
}

function stretchesOf(marks: readonly EntryMark[]): { from: string; until: string }[] {
  const stretches: { from: string; until: string; isOwn: boolean }[] = []
  for (const { at, type } of marks) {
    const last = stretches.at(-1)
    if (last && Date.parse(at) - Date.parse(last.until) <= restMs) {
      last.until = at
      last.isOwn ||= ownWork.has(type)
    } else stretches.push({ from: at, until: at, isOwn: ownWork.has(type) })
  }
  return stretches.filter(({ isOwn }) => isOwn).map(({ from, until }) => ({ from, until }))
}
