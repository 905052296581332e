import { AppError } from '../../preload/contract/errors.ts'
import type { Job, JobState } from '../../preload/contract/jobs.ts'
import { applyEntry, newEntry, readJob, summarise, type EntryData, type EntryType, type LoggedJob, type NewEntry } from './journal.ts'
import type { JobLog, OperationsPort } from './ports.ts'

export interface JobLogsOptions {
  log: JobLog
  operations: Pick<OperationsPort, 'ofJob'>
  now(): Date
  changed(job: Job): void
}

/** All jobs as their logs tell them. What is shown was written before, and nothing else is ever shown. */
export interface JobLogs {
  /** Throws AppError NOT_FOUND. */
  load(id: string): LoggedJob
  /** As front ends see it: a copy. */
  show(id: string): Job
  begin(id: string, created: EntryData<'jobCreated'>): void
  /** Writes entries into a job's log, all or none; they are on the disk when this returns. */
  writeAll(id: string, entries: NewEntry[]): void
  write<Type extends EntryType>(id: string, type: Type, stepId: string | null, data: EntryData<Type>): void
  setState(id: string, state: JobState, reason: string): void
  /** A step that was running when the process ended goes back to waiting; what it had seen stays. */
  endInterrupted(id: string): void
}

export function createJobLogs({ log, operations, now, changed }: JobLogsOptions): JobLogs {
  const loaded = new Map<string, LoggedJob>()

  function load(id: string): LoggedJob {
    const present = loaded.get(id)
    if (present) return present
    const entries = log.journal(id)
    if (entries.length === 0) throw new AppError('NOT_FOUND', `There is no job ${id}. "fitter job list" shows them all.`)
    const job = readJob(id, entries)
    loaded.set(id, job)
    return job
  }

  function show(id: string): Job {
    const { templateSteps: _steps, thresholds: _thresholds, answers: _answers, outputsLeftOn: _left, ...rest } = load(id)
    return structuredClone({ ...rest, operations: operations.ofJob(id).map(({ id: operationId, kind, state }) => ({ id: operationId, kind, state })) })
  }

  function writeAll(id: string, entries: NewEntry[]): void {
    const job = load(id)
    const at = now().toISOString()
    try {
      log.append(id, entries.map((entry) => ({ ...entry, at })), (added) => {
        for (const entry of added) applyEntry(job, entry)
        return summarise(job)
      })
    } catch (error) {
      // What could not be written must not be shown either: the job is read again from what is on the disk.
      loaded.delete(id)
      throw error
    }
    changed(show(id))
  }

  function write<Type extends EntryType>(id: string, type: Type, stepId: string | null, data: EntryData<Type>): void {
    writeAll(id, [newEntry(type, stepId, data)])
  }

  return {
    load,
    show,
    writeAll,
    write,
    begin(id, created) {
      log.append(id, [{ ...newEntry('jobCreated', null, created), at: now().toISOString() }], (added) => summarise(readJob(id, added)))
      changed(show(id))
    },
    setState(id, state, reason) {
      if (load(id).state !== state) write(id, 'stateChanged', null, { state, reason })
    },
    endInterrupted(id) {
      for (const step of load(id).steps.filter((candidate) => candidate.state === 'running')) {
        const summary = 'Interrupted: Fitter stopped while this was running'
        write(id, 'stepEnded', step.id, { attempt: step.attempts, state: 'waiting', summary, remedy: '', witness: [], durationMs: 0 })
      }
    }
  }
}
