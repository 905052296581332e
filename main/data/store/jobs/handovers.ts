import type { Json } from '../../../../preload/contract/define.ts'
import type { Message } from '../../../../preload/contract/messages.ts'
import type { OperationState } from '../../../../preload/contract/gateway/operations.ts'
import type { AttemptStore } from '../work/attempts.ts'
import type { KeptClaim } from '../work/claims.ts'
import type { DataFile } from '../file/database.ts'
import { readJson } from '../file/errors.ts'
import type { OperationStore, StoredOperation } from '../work/operations.ts'

export interface Handover {
  id: string
  direction: 'away' | 'here'
  at: string
  /** The receiver, or the sender. */
  person: string
  sha256: string
  sizeBytes: number
  /** The data of the file besides logs and pictures; null for one from elsewhere. */
  given: Json
}

/** The last entry of a job's log in it. */
export interface HandoverJob {
  jobId: string
  seq: number
  hash: string
}

export interface AttemptOfOperation {
  number: number
  requestHash: string | null
  startedAt: string
  serverTimeMs: number | null
  outcome: string | null
  by: string
  imei: string | null
}

/** An operation with all its attempts, as it is inserted on the new holder's laptop. */
export interface ArrivedOperation extends Omit<StoredOperation, 'sequence' | 'attempts' | 'claim' | 'paused'> {
  payloadHash: string
  state: OperationState
  reason: Message
  claim: KeptClaim | null
  needs: { id: string; part: string }[]
  attempts: AttemptOfOperation[]
}

export type HandoverStore = ReturnType<typeof createHandoverStore>

/** Which work was handed over, and which was received. */
export function createHandoverStore(
  data: DataFile,
  { operations, attempts }: { operations: OperationStore; attempts: AttemptStore }
) {
  const insert = data.prepare(
    'insert into handover (id, direction, at, person, sha256, size_bytes, given) values (@id, @direction, @at, @person, @sha256, @sizeBytes, @given)'
  )
  const insertJob = data.prepare(
    'insert into handover_job (handover_id, job_id, seq, hash) values (?, ?, ?, ?) on conflict do nothing'
  )
  const away = data.prepare<[string], Omit<Handover, 'given'> & { given: string | null }>(
    "select id, direction, at, person, sha256, size_bytes as sizeBytes, given from handover where id = ? and direction = 'away' order by at desc limit 1"
  )
  const here = data.prepare<[string], { n: number }>(
    "select count(*) as n from handover where id = ? and direction = 'here'"
  )
  const jobs = data.prepare<[string], HandoverJob>(
    'select job_id as jobId, seq, hash from handover_job where handover_id = ? order by job_id'
  )
  const needing = data.prepare<[string], { id: string }>(
    'select operation_id as id from operation_need where needs_id = ? order by operation_id'
  )
  const insertOperation = data.prepare<[object]>(
    `insert into operation (id, kind, key, state, job_id, title, payload, payload_hash, baseline, result, reason, evidence, created_at, updated_at, is_live, claim)
     values (@id, @kind, @key, @state, @jobId, @title, @payload, @payloadHash, @baseline, @result, @reason, @evidence, @createdAt, @updatedAt, @isLive, @claim)`
  )
  const updateOperation = data.prepare<[object]>(
    `update operation set key = @key, state = @state, title = @title, payload = @payload, payload_hash = @payloadHash, baseline = @baseline, result = @result,
       reason = @reason, evidence = @evidence, updated_at = @updatedAt, claim = @claim, paused_at = null, paused_by = null where id = @id`
  )
  const insertNeed = data.prepare(
    'insert into operation_need (operation_id, needs_id, part) values (?, ?, ?) on conflict do nothing'
  )
  const known = data.prepare<[string, number], { outcome: string | null }>(
    'select outcome from attempt where operation_id = ? and number = ?'
  )
  const insertAttempt = data.prepare<[object]>(
    `insert into attempt (target, operation_id, number, imei, what, input, request_hash, sent_by, job_id, started_at, server_time_ms, outcome, detail, answer)
     values ('gateway', @operationId, @number, @imei, @what, @input, @requestHash, @by, @jobId, @startedAt, @serverTimeMs, @outcome, '', 'null')`
  )
  const endAttempt = data.prepare(
    'update attempt set outcome = ? where operation_id = ? and number = ? and outcome is null'
  )

  function putAttempt(
    { id, kind, jobId, payload }: ArrivedOperation,
    { number, ...attempt }: AttemptOfOperation
  ): void {
    const present = known.get(id, number)
    if (!present)
      insertAttempt.run({ ...attempt, operationId: id, number, what: kind, input: JSON.stringify(payload), jobId })
    else if (present.outcome === null) endAttempt.run(attempt.outcome, id, number)
  }

  return {
    keep(handover: Handover, ofJobs: readonly HandoverJob[]): void {
      data.write(() => {
        insert.run({ ...handover, given: handover.given === null ? null : JSON.stringify(handover.given) })
        for (const { jobId, seq, hash } of ofJobs) insertJob.run(handover.id, jobId, seq, hash)
      })
    },
    /** The data that was handed over with this id. */
    away(id: string): Handover | undefined {
      const row = away.get(id)
      return row && { ...row, given: row.given === null ? null : readJson<Json>(row.given) }
    },
    /** Whether a file with this id was imported here. */
    isHere: (id: string): boolean => (here.get(id)?.n ?? 0) > 0,
    jobsOf: (id: string): HandoverJob[] => jobs.all(id),
    attemptsOf: (id: string): AttemptOfOperation[] =>
      attempts.ofOperation(id).map(({ operation, requestHash, startedAt, serverTimeMs, outcome, by, imei }) => ({
        number: operation?.number ?? 0,
        requestHash,
        startedAt,
        serverTimeMs,
        outcome,
        by,
        imei
      })),
    /** The operations that depend on this one, waiting or not. */
    neededBy: (id: string): string[] => needing.all(id).map((row) => row.id),
    /** Inserts work from elsewhere; work that left from here returns to its old position. */
    putOperation(operation: ArrivedOperation): void {
      const {
        needs,
        attempts: made,
        title,
        payload,
        baseline,
        result,
        reason,
        evidence,
        claim,
        isLive,
        ...rest
      } = operation
      const row = {
        ...rest,
        title: JSON.stringify(title),
        payload: JSON.stringify(payload),
        baseline: JSON.stringify(baseline),
        result: JSON.stringify(result),
        reason: JSON.stringify(reason),
        evidence: JSON.stringify(evidence),
        claim: claim === null ? null : JSON.stringify(claim),
        isLive: isLive ? 1 : 0
      }
      data.write(() => {
        ;(operations.get(operation.id) ? updateOperation : insertOperation).run(row)
        for (const { id, part } of needs) insertNeed.run(operation.id, id, part)
        for (const attempt of made) putAttempt(operation, attempt)
      })
    }
  }
}
