import type { Json } from '../../preload/contract/define.ts'
import type { Operation, OperationState } from '../../preload/contract/operations.ts'
import type { DataFile } from './database.ts'

export interface StoredOperation extends Operation {
  /** Order of creation: decisions go by it, never by the wall clock. */
  sequence: number
  baseline: Json
}

export interface OperationChange {
  state: OperationState
  reason: string
  at: string
  payload?: Json
  baseline?: Json
  /** Added to what is known already. */
  evidence?: { what: string; raw: Json }
}

export interface Attempt {
  number: number
  requestHash: string
  startedAt: string
  serverTimeMs: number | null
}

export interface OperationStore {
  add(operation: Pick<Operation, 'id' | 'kind' | 'key' | 'state' | 'jobId' | 'title' | 'payload' | 'reason' | 'createdAt'>): void
  change(id: string, change: OperationChange): void
  /** Writes the intent: state `sending` and the attempt, in one transaction, before the first byte leaves. */
  beginAttempt(id: string, attempt: Attempt): void
  endAttempt(id: string, number: number, outcome: string): void
  lastAttempt(id: string): Attempt | undefined
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
    'update operation set state = @state, reason = @reason, payload = @payload, baseline = @baseline, evidence = @evidence, updated_at = @at where id = @id'
  )
  const insertAttempt = sql.prepare(
    'insert into operation_attempt (operation_id, number, request_hash, started_at, server_time_ms) values (?, ?, ?, ?, ?)'
  )
  const finishAttempt = sql.prepare('update operation_attempt set outcome = ? where operation_id = ? and number = ?')
  const latestAttempt = sql.prepare<[string], AttemptRow>(
    'select * from operation_attempt where operation_id = ? order by number desc limit 1'
  )

  function get(id: string): StoredOperation | undefined {
    const row = one.get(id)
    return row && fromRow(row)
  }

  function change(id: string, { state, reason, at, payload, baseline, evidence }: OperationChange): void {
    data.write(() => {
      const before = get(id)
      if (!before) return
      update.run({
        id,
        state,
        reason,
        at,
        payload: JSON.stringify(payload ?? before.payload),
        baseline: JSON.stringify(baseline ?? before.baseline),
        evidence: JSON.stringify(evidence ? [...before.evidence, { at, ...evidence }] : before.evidence)
      })
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
    endAttempt(id, number, outcome) {
      data.write(() => finishAttempt.run(outcome, id, number))
    },
    lastAttempt(id) {
      const row = latestAttempt.get(id)
      return row && { number: row.number, requestHash: row.request_hash, startedAt: row.started_at, serverTimeMs: row.server_time_ms }
    },
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
    payload: JSON.parse(row.payload) as Json,
    baseline: row.baseline === null ? null : (JSON.parse(row.baseline) as Json),
    evidence: JSON.parse(row.evidence) as StoredOperation['evidence']
  }
}
