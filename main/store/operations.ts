import type { Json } from '../../preload/contract/define.ts'
import type { Operation, OperationState } from '../../preload/contract/operations.ts'
import type { DataFile } from './database.ts'
import { readJson } from './errors.ts'

export interface StoredOperation extends Operation {
  /** Order of creation: decisions go by it, never by the wall clock. */
  sequence: number
  baseline: Json
}

export interface OperationChange {
  state: OperationState
  reason: string
  at: string
  /** What the names of a draft turned out to be. From then on the payload is frozen. */
  finalised?: { payload: Json; key: string; title: string }
  baseline?: Json
  /** Added to what is known already. */
  evidence?: { what: string; raw: Json }
  /** What came of an attempt, in the same transaction. */
  attempt?: { number: number; outcome: string }
}

export interface Attempt {
  number: number
  requestHash: string
  startedAt: string
  serverTimeMs: number | null
  /** Null while it is under way, and for good when the process died. */
  outcome: string | null
}

export interface OperationStore {
  add(operation: Pick<Operation, 'id' | 'kind' | 'key' | 'state' | 'jobId' | 'title' | 'payload' | 'reason' | 'createdAt'>): void
  /** Throws when the payload of anything but a draft would change, or when there is no such operation. */
  change(id: string, change: OperationChange): void
  /** Writes the intent: state `sending` and the attempt, in one transaction, before the first byte leaves. */
  beginAttempt(id: string, attempt: Omit<Attempt, 'outcome'>): void
  /** Oldest first. */
  attempts(id: string): Attempt[]
  get(id: string): StoredOperation | undefined
  /** Oldest first. */
  list(): StoredOperation[]
  ofJob(jobId: string): StoredOperation[]
}

interface Row {
  sequence: number
  id: string
  kind: string
  key: string
  state: OperationState
  job_id: string | null
  title: string
  payload: string
  baseline: string | null
  reason: string
  evidence: string
  created_at: string
  updated_at: string
  attempts: number
}

interface AttemptRow {
  number: number
  request_hash: string
  started_at: string
  server_time_ms: number | null
  outcome: string | null
}

export function createOperationStore(data: DataFile): OperationStore {
  const { sql } = data
  const columns = '*, (select count(*) from operation_attempt a where a.operation_id = operation.id) as attempts'
  const one = sql.prepare<[string], Row>(`select ${columns} from operation where id = ?`)
  const many = sql.prepare<[], Row>(`select ${columns} from operation order by sequence`)
  const byJob = sql.prepare<[string], Row>(`select ${columns} from operation where job_id = ? order by sequence`)
  const insert = sql.prepare(
    `insert into operation (id, kind, key, state, job_id, title, payload, baseline, reason, evidence, created_at, updated_at)
     values (@id, @kind, @key, @state, @jobId, @title, @payload, null, @reason, '[]', @createdAt, @createdAt)`
  )
  const update = sql.prepare(
    `update operation set state = @state, reason = @reason, key = @key, title = @title, payload = @payload, baseline = @baseline,
       evidence = @evidence, updated_at = @at where id = @id`
  )
  const insertAttempt = sql.prepare(
    'insert into operation_attempt (operation_id, number, request_hash, started_at, server_time_ms) values (?, ?, ?, ?, ?)'
  )
  const finishAttempt = sql.prepare('update operation_attempt set outcome = ? where operation_id = ? and number = ?')
  const attemptsOf = sql.prepare<[string], AttemptRow>('select * from operation_attempt where operation_id = ? order by number')

  function get(id: string): StoredOperation | undefined {
    const row = one.get(id)
    return row && fromRow(row)
  }

  function change(id: string, { state, reason, at, finalised, baseline, evidence, attempt }: OperationChange): void {
    data.write(() => {
      const before = get(id)
      if (!before) throw new Error(`There is no operation ${id} to change`)
      if (finalised && before.state !== 'draft') throw new Error(`The payload of operation ${id} is frozen: it is ${before.state}`)
      const { payload, key, title } = finalised ?? before
      update.run({
        id,
        state,
        reason,
        at,
        key,
        title,
        payload: JSON.stringify(payload),
        baseline: JSON.stringify(baseline ?? before.baseline),
        evidence: JSON.stringify(evidence ? [...before.evidence, { at, what: evidence.what, raw: evidence.raw }] : before.evidence)
      })
      if (attempt) finishAttempt.run(attempt.outcome, id, attempt.number)
    })
  }

  return {
    get,
    change,
    add(operation) {
      data.write(() => insert.run({ ...operation, payload: JSON.stringify(operation.payload) }))
    },
    beginAttempt(id, attempt) {
      data.write(() => {
        insertAttempt.run(id, attempt.number, attempt.requestHash, attempt.startedAt, attempt.serverTimeMs)
        change(id, { state: 'sending', reason: `Attempt ${attempt.number} is on its way.`, at: attempt.startedAt })
      })
    },
    attempts: (id) =>
      attemptsOf.all(id).map((row) => ({
        number: row.number,
        requestHash: row.request_hash,
        startedAt: row.started_at,
        serverTimeMs: row.server_time_ms,
        outcome: row.outcome
      })),
    list: () => many.all().map(fromRow),
    ofJob: (jobId) => byJob.all(jobId).map(fromRow)
  }
}

function fromRow(row: Row): StoredOperation {
  return {
    sequence: row.sequence,
    id: row.id,
    kind: row.kind,
    key: row.key,
    state: row.state,
    attempts: row.attempts,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    reason: row.reason,
    jobId: row.job_id,
    title: row.title,
    payload: readJson<Json>(row.payload),
    baseline: row.baseline === null ? null : readJson<Json>(row.baseline),
    evidence: readJson<StoredOperation['evidence']>(row.evidence)
  }
}
