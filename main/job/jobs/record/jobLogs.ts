import { AppError } from '../../../../preload/contract/errors.ts'
import type { Teller } from '../../../../preload/contract/events.ts'
import type { Job, JobState, JobSummary, ListedJob } from '../../../../preload/contract/job/jobs.ts'
import { asMessage, message, type Message } from '../../../../preload/contract/messages.ts'
import {
  applyEntry,
  newEntry,
  readJob,
  shownOf,
  summariseJob,
  type EntryChange,
  type EntryInput,
  type EntryType,
  type LoggedJob,
  type NewEntry
} from './journal.ts'
import type { Lost } from '../../../data/store/jobs/jobs.ts'
import { verifyChain } from '../../../data/store/jobs/seal.ts'
import type { DamagedJobStore } from '../../../data/store/damage/damagedJobs.ts'
import type { JobLog, OperationsPort } from '../engine/ports.ts'

export interface JobLogsOptions {
  log: JobLog
  damagedJobs?: Pick<DamagedJobStore, 'all' | 'keep'> | undefined
  operations: Pick<OperationsPort, 'ofJob'>
  events: Teller
  now(): Date
  /** Replaces the secrets in an entry; a report could not remove them later. */
  withoutSecrets?: ((entry: NewEntry) => NewEntry) | undefined
  /** Called when the vehicle of a job becomes known, to remember the device. */
  worked(job: LoggedJob): void
  isActive(id: string): boolean
}

/** All jobs, read from their logs. Only content that has been written to a log is ever shown. */
export type JobLogs = ReturnType<typeof createJobLogs>

/** A job that someone else holds, as shown here. */
export function handedOverBy({ by, at, reason, isSettled }: Lost): NonNullable<LoggedJob['handedOver']> {
  return { id: '', to: by, at, through: 'team', takenOver: { by, reason, ...(isSettled ? { isSettled } : {}) } }
}

/** More jobs than a person views in a row stay in memory; a job in use can be read again cheaply. */
const mostKept = 50

export function createJobLogs({
  log,
  damagedJobs,
  operations,
  events,
  now,
  worked,
  isActive,
  withoutSecrets = (entry) => entry
}: JobLogsOptions) {
  const loaded = new Map<string, LoggedJob>()
  const damage = new Map<string, Message>([...(damagedJobs?.all() ?? [])].map(([id, { message: why }]) => [id, why]))

  /** Throws AppError NOT_FOUND, or DATA_UNUSABLE for a log that cannot be read. */
  function load(id: string): LoggedJob {
    const present = loaded.get(id)
    if (present) return present
    const job = read(id)
    for (const other of loaded.keys()) if (loaded.size >= mostKept && !isActive(other)) loaded.delete(other)
    loaded.set(id, job)
    return job
  }

  function read(id: string): LoggedJob {
    try {
      const { entries, unreadable } = log.readable(id)
      if (entries.length + unreadable.length === 0) throw new AppError('NOT_FOUND', message('jobs.notInLog', { id }))
      const chain = verifyChain(id, entries)
      const isKnown = damage.has(id)
      if (chain.ok && unreadable.length === 0 && !isKnown) return withHolder(readJob(id, entries))
      const from = chain.ok ? (unreadable[0] ?? null) : Math.min(chain.at, ...unreadable)
      const why = from === null ? message('damage.jobCut') : message('damage.jobBroken', { entry: from })
      damage.set(id, why)
      if (!isKnown) keepDamage(id, { entry: from, readable: entries.length, message: why })
      return {
        ...withHolder(readJob(id, entries, 'damaged')),
        damage: { entry: from, readable: entries.length, unreadable, why }
      }
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') throw error
      const why = message('jobs.logDamaged')
      damage.set(id, why)
      throw new AppError('DATA_UNUSABLE', why, { cause: error })
    }
  }

  /** A job that was taken over is marked as such: its log continues elsewhere. */
  function withHolder(job: LoggedJob): LoggedJob {
    const lost = log.lostOf(job.id)
    if (lost) job.handedOver = handedOverBy(lost)
    return job
  }

  /** The list shows the damage from now on, also after a restart. */
  function keepDamage(id: string, found: Parameters<DamagedJobStore['keep']>[1]): void {
    try {
      damagedJobs?.keep(id, found)
    } catch (error) {
      // A read-only folder is reported when something is to be written.
      if (!(error instanceof AppError)) throw error
    }
  }

  /** Throws AppError DATA_UNUSABLE for a job with a damaged log: no entries are added to it any more. */
  function assertWhole(id: string): void {
    const { damage: found } = load(id)
    if (found) throw new AppError('DATA_UNUSABLE', message('damage.jobNotChanged', { why: found.why }))
  }

  function show(id: string): Job {
    return structuredClone({
      ...shownOf(load(id)),
      operations: operations.ofJob(id).map(({ id: operationId, kind, state }) => ({ id: operationId, kind, state }))
    })
  }

  function listed(summary: JobSummary): ListedJob {
    const template = { ...summary.template, name: asMessage(summary.template.name) }
    return { ...summary, template, isActive: isActive(summary.id), damage: damage.get(summary.id) ?? null }
  }

  /** Reports the state of a job, without its steps. */
  function tell(id: string): void {
    events.tell('jobs.state', structuredClone(listed(summariseJob(load(id)))))
  }

  /** Only changes are sent, so that following a job with a long log costs no more than following a new one. */
  function tellChanges(id: string, changes: readonly EntryChange[]): void {
    const steps = new Map(changes.flatMap(({ step }) => (step ? [[step.id, step] as const] : [])))
    for (const { seen, stepId, attached } of changes) {
      if (attached) events.tell('jobs.attached', { jobId: id, attachment: attached })
      if (seen && stepId !== null) events.tell('jobs.entry', structuredClone({ jobId: id, stepId, evidence: seen }))
    }
    for (const { evidence: _evidence, ...step } of steps.values())
      events.tell('jobs.step', structuredClone({ jobId: id, step }))
    if (steps.size > 0 || changes.some(({ isJobChanged }) => isJobChanged)) tell(id)
  }

  /** Writes entries into a job's log, all or none; they are on the disk when this returns. */
  function writeAll(id: string, entries: NewEntry[], at = now().toISOString()): void {
    assertWhole(id)
    let job = load(id)
    let changes: EntryChange[] = []
    try {
      log.append(
        id,
        entries.map((entry) => ({ ...withoutSecrets(entry), at })),
        (added) => {
          // The transaction is retried after a rollback: the job is read again from the log.
          if (changes.length > 0) {
            loaded.delete(id)
            job = load(id)
          }
          changes = added.map((entry) => applyEntry(job, entry))
          return summariseJob(job)
        }
      )
    } catch (error) {
      // Changes that could not be written must not be shown: the job is read again from the disk.
      loaded.delete(id)
      throw error
    }
    tellChanges(id, changes)
    if (entries.some(({ type }) => type === 'vehicleChosen')) worked(job)
  }

  function write<Type extends EntryType>(
    id: string,
    type: Type,
    stepId: string | null,
    data: EntryInput<Type>,
    at?: string
  ): void {
    writeAll(id, [newEntry(type, stepId, data)], at)
  }

  return {
    load,
    assertWhole,
    show,
    listed,
    tell,
    writeAll,
    write,
    /** Reads a job again after a handover or a takeover changed its log, and reports its state. */
    reread(id: string): void {
      loaded.delete(id)
      tell(id)
    },
    /** Writes the creation of a job and everything known about it from the start. */
    begin(id: string, entries: NewEntry[], at: string): void {
      log.append(
        id,
        entries.map((entry) => ({ ...entry, at })),
        (added) => summariseJob(readJob(id, added))
      )
      tell(id)
    },
    setState(id: string, state: JobState, reason: Message): void {
      if (load(id).state !== state) write(id, 'stateChanged', null, { state, reason })
    },
    /**
     * Another laptop has taken over the job: it becomes read-only here once this is on the disk and the job was read
     * again.
     */
    lose(id: string, lost: Lost): void {
      log.lose(id, lost, summariseJob({ ...load(id), handedOver: handedOverBy(lost) }))
    },
    /** A step that was running when the process ended returns to waiting; its evidence remains. */
    endInterrupted(id: string): void {
      for (const step of load(id).steps.filter((candidate) => candidate.state === 'running')) {
        const summary = message('jobs.interrupted')
        write(id, 'stepEnded', step.id, {
          attempt: step.attempts,
          state: 'waiting',
          summary,
          remedy: null,
          witness: [],
          durationMs: 0
        })
      }
    }
  }
}
