import type { DataFile } from '../file/database.ts'
import { entryOf, journalColumns, type JournalRow } from './journalRow.ts'
import type { JournalEntry } from './seal.ts'
import { createStoredValues } from '../storedValues.ts'

export interface JobNumbers {
  endedAt: string
  lastedMs: number
  isFirstTime: boolean
  steps: StepNumbers[]
}

export interface StepNumbers {
  stepId: string
  kind: string
  title: string
  state: string
  attempts: number
  workMs: number
  isFirstTime: boolean
  /** The message of its first failure, as in the log. */
  failure: string | null
  failures: number
}

export type PrepareStatement = (text: string) => {
  all(...values: unknown[]): unknown[]
  run(...values: unknown[]): unknown
}

const endedStates: ReadonlySet<string> = new Set(['done', 'installedAwaitingGateway', 'failed', 'cancelled'])

export function isEnded(state: string): boolean {
  return endedStates.has(state)
}

/** A step that was deferred until the gateway answered, and then passed, was without fault at the first attempt. */
const withoutFault: ReadonlySet<unknown> = new Set(['pass', 'received', 'warn', 'deferred', 'notApplicable'])
const failed: ReadonlySet<unknown> = new Set(['fail', 'unreadable'])

/** The statistics of one job, from the entries that contain them; undefined when no step was ever started. */
export function countJob(entries: readonly Omit<JournalEntry, 'seq' | 'hash'>[]): JobNumbers | undefined {
  const steps = new Map<string, StepNumbers & { isStopped: boolean }>()
  let planned: Planned = new Map()
  let firstAt: string | undefined
  let endedAt = ''
  let signedAt: string | undefined
  for (const { at, type, stepId, data } of entries) {
    const fields = data as Record<string, unknown>
    if (type === 'jobCreated') planned = plannedIn(fields['template'])
    if (type === 'stateChanged' && isEnded(String(fields['state']))) endedAt = at
    if (stepId === null) continue
    if (type !== 'stepStarted' && type !== 'stepEnded' && type !== 'waived') continue
    firstAt ??= at
    const step = steps.get(stepId) ?? {
      stepId,
      ...nameOf(planned, stepId),
      state: 'running',
      attempts: 0,
      workMs: 0,
      isFirstTime: false,
      failure: null,
      failures: 0,
      isStopped: false
    }
    steps.set(stepId, step)
    step.attempts = Math.max(step.attempts, Number(fields['attempt']) || 0)
    if (type === 'waived') step.state = 'waived'
    if (type !== 'stepEnded') continue
    step.state = String(fields['state'])
    if (step.kind === 'signOff' && step.state === 'pass') signedAt = at
    step.workMs += Math.max(0, Math.round(Number(fields['durationMs']) || 0))
    step.isStopped ||= fields['state'] === 'waiting'
    if (!failed.has(fields['state'])) continue
    step.failures += 1
    step.failure ??= JSON.stringify(fields['summary'] ?? null)
  }
  if (firstAt === undefined || endedAt === '') return undefined
  const counted = [...steps.values()].map(({ isStopped, ...step }) => ({
    ...step,
    isFirstTime: step.failures === 0 && !isStopped && withoutFault.has(step.state)
  }))
  return {
    endedAt,
    // What the gateway confirms days later is no work of the technician.
    lastedMs: Math.max(0, Date.parse(signedAt ?? endedAt) - Date.parse(firstAt)),
    isFirstTime: counted.every(({ isFirstTime }) => isFirstTime),
    steps: counted
  }
}

type Planned = ReadonlyMap<string, Pick<StepNumbers, 'kind' | 'title'>>

function plannedIn(template: unknown): Planned {
  const { steps } = (template ?? {}) as { steps?: { id?: unknown; kind?: unknown; title?: unknown }[] }
  return new Map(
    (Array.isArray(steps) ? steps : []).map(({ id, kind, title }) => [
      String(id),
      { kind: String(kind), title: JSON.stringify(title ?? String(kind)) }
    ])
  )
}

/** A step for each ordered item has a number after the id from its checklist. */
function nameOf(planned: Planned, stepId: string): Pick<StepNumbers, 'kind' | 'title'> {
  return (
    planned.get(stepId) ?? planned.get(stepId.replace(/-\d+$/, '')) ?? { kind: stepId, title: JSON.stringify(stepId) }
  )
}

const readRows = `select ${journalColumns} from journal where job_id = ? and type in ('jobCreated', 'stepStarted', 'stepEnded', 'waived', 'stateChanged') order by seq`

/** Computes the statistics of a job again and replaces the stored ones. Runs within the caller's transaction. */
export function keepNumbers(prepare: PrepareStatement, jobId: string): void {
  const numbers = countJob((prepare(readRows).all(jobId) as JournalRow[]).map(entryOf))
  prepare('delete from step_numbers where job_id = ?').run(jobId)
  prepare('delete from job_numbers where job_id = ?').run(jobId)
  putNumbers(prepare, jobId, numbers)
}

/** Stores the statistics of a job that has none. */
export function putNumbers(prepare: PrepareStatement, jobId: string, numbers: JobNumbers | undefined): void {
  if (!numbers) return
  prepare('insert into job_numbers (job_id, ended_at, lasted_ms, is_first_time) values (?, ?, ?, ?)').run(
    jobId,
    numbers.endedAt,
    numbers.lastedMs,
    Number(numbers.isFirstTime)
  )
  const insert = prepare(
    'insert into step_numbers (job_id, step_id, kind, title, state, attempts, work_ms, is_first_time, failure, failures) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'
  )
  for (const { stepId, kind, title, state, attempts, workMs, isFirstTime, failure, failures } of numbers.steps)
    insert.run(jobId, stepId, kind, title, state, attempts, workMs, Number(isFirstTime), failure, failures)
}

/** The jobs that `isEnded` means, as a condition. */
export const isEndedJob = `state in ('${[...endedStates].join("', '")}')`

/** Finished jobs without statistics, in batches. */
export const missingJobs = `select id, key from job where ${isEndedJob} and key > ? and not exists (select 1 from job_numbers where job_id = job.id) order by key limit ?`

/** Set once all earlier jobs were added. */
export const builtName = '$numbersBuilt'

/** Prepares each text once. */
export function preparedOnce<Statement>(prepare: (text: string) => Statement): (text: string) => Statement {
  const statements = new Map<string, Statement>()
  return (text) => {
    const known = statements.get(text) ?? prepare(text)
    statements.set(text, known)
    return known
  }
}

export function createNumbersStore(data: DataFile) {
  const prepare = preparedOnce((text) => data.prepare(text))
  const values = createStoredValues(data, 'setting')
  return {
    /** Called within the transaction that ends a job. */
    keep: (jobId: string) => keepNumbers(prepare, jobId),
    /** Whether all jobs that ended before statistics existed were added. */
    isBuilt: (): boolean => values.read(builtName) !== null
  }
}
