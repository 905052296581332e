import type { Json } from '../../../../preload/contract/define.ts'
import { asMessage, type Message } from '../../../../preload/contract/messages.ts'
import type { CallParsed } from '../../../../preload/contract/index.ts'
import type { Operation, OperationState } from '../../../../preload/contract/gateway/operations.ts'
import type { Paused } from '../../../../preload/contract/gateway/stories.ts'
import type { AttemptStore } from './attempts.ts'
import type { DataFile } from '../file/database.ts'
import { claimOf, type KeptClaim } from './claims.ts'
import { isOpen } from './holdBack.ts'
import { readJson, readMessage } from '../file/errors.ts'
import { sha256Hex } from '../jobs/seal.ts'

export interface StoredOperation extends Omit<Operation, 'evidenceCount' | 'choices' | 'tries'> {
  baseline: Json
  /** Its result for dependent operations; null before it is done. */
  result: Json
  /** Sent at once or never. */
  isLive: boolean
  /** It came from another laptop or an older copy: it is read back before it is sent. */
  claim: KeptClaim | null
  paused: Paused
}

/** An open operation, without its payload. */
export interface WaitingOperation extends Pick<
  StoredOperation,
  'id' | 'sequence' | 'key' | 'kind' | 'state' | 'jobId' | 'isLive'
> {
  isPaused: boolean
  vehicleId: number | null
}

export interface NewOperation extends Pick<
  Operation,
  'id' | 'kind' | 'key' | 'state' | 'jobId' | 'title' | 'payload' | 'reason' | 'createdAt'
> {
  isLive: boolean
  /**
   * Operations that must be done first, and the part of the payload that their result fills (empty: only the order
   * counts).
   */
  needs: { id: string; part: string }[]
}

export interface OperationChange {
  state: OperationState
  reason: Message
  at: string
  /** The ids for a draft's names, or the results of its dependencies. After that the payload is frozen. */
  finalised?: { payload: Json; key: string; title: Message }
  baseline?: Json
  result?: Json
  claim?: KeptClaim
  /** Added to what is known already. */
  evidence?: { what: Message; raw: Json }
  /** The result of an attempt, in the same transaction. */
  attempt?: { number: number; outcome: string }
}

/** A change without its state. */
export type ChangeDetails = Omit<OperationChange, 'state' | 'reason' | 'at'>

export interface OperationAttempt {
  number: number
  requestHash: string
  startedAt: string
  serverTimeMs: number | null
  /** Null while it runs, and forever if the process died. */
  outcome: string | null
  by: string
}

export interface NewOperationAttempt extends Omit<OperationAttempt, 'outcome'> {
  by: string
  imei: string | null
}

export type OperationStore = ReturnType<typeof createOperationStore>

interface Row extends Pick<
  StoredOperation,
  'sequence' | 'id' | 'kind' | 'key' | 'state' | 'jobId' | 'createdAt' | 'updatedAt' | 'attempts'
> {
  title: string
  payload: string
  payloadHash: string | null
  baseline: string | null
  result: string | null
  isLive: number
  claim: string | null
  reason: string
  evidence: string
  pausedAt: string | null
  pausedBy: string | null
}

type WaitingRow = Omit<WaitingOperation, 'isLive' | 'isPaused'> & { isLive: number; isPaused: number }

/** Gateway work with its attempts and its order. */
export function createOperationStore(data: DataFile, attempts: AttemptStore) {
  const select = `select sequence, id, kind, key, state, job_id as jobId, title, payload, payload_hash as payloadHash, baseline, result, is_live as isLive, claim, reason, evidence,
    created_at as createdAt, updated_at as updatedAt, paused_at as pausedAt, paused_by as pausedBy,
    (select count(*) from attempt a where a.operation_id = operation.id) as attempts from operation`
  const one = data.prepare<[string], Row>(`${select} where id = ?`)
  const many = data.prepare<[], Row>(`${select} order by sequence`)
  const open = data.prepare<[], Row>(`${select} where ${isOpen} order by sequence`)
  const byJob = data.prepare<[string], Row>(`${select} where job_id = ? order by sequence`)
  const openPage = data.prepare<[number, number], Row>(
    `${select} where ${isOpen} and sequence < ? order by sequence desc limit ?`
  )
  const endedPage = data.prepare<[number, number], Row>(
    `${select} where not (${isOpen}) and sequence < ? order by sequence desc limit ?`
  )
  const waiting = data.prepare<[], WaitingRow>(
    `select operation.id, sequence, operation.key, operation.kind, operation.state, job_id as jobId, is_live as isLive, paused_at is not null as isPaused, vehicle_id as vehicleId
     from operation left join job on job.id = operation.job_id where operation.${isOpen} order by sequence`
  )
  const openNeeds = data.prepare<[], { id: string; needs: string }>(
    `select operation_id as id, needs_id as needs from operation_need join operation on operation.id = operation_id where ${isOpen}`
  )
  const pause = data.prepare<[object]>('update operation set paused_at = @at, paused_by = @by where id = @id')
  const younger = data.prepare<[string, number], Row>(
    `${select} where key = ? and sequence > ? and exists (
       select 1 from attempt a where a.operation_id = operation.id and (a.outcome is null or a.outcome = 'answered' or a.outcome like 'unknown%')
     ) order by sequence`
  )
  const countStates = data.prepare<[], { state: OperationState; n: number }>(
    'select state, count(*) as n from operation group by state'
  )
  const needsOf = data.prepare<[string], { id: string; part: string }>(
    'select needs_id as id, part from operation_need where operation_id = ? order by needs_id'
  )
  const dependents = data.prepare<[string], Row>(
    `${select} where state = 'blocked' and id in (select operation_id from operation_need where needs_id = ?) order by sequence`
  )
  const insert = data.prepare(
    `insert into operation (id, kind, key, state, job_id, title, payload, payload_hash, baseline, reason, evidence, created_at, updated_at, is_live)
     values (@id, @kind, @key, @state, @jobId, @title, @payload, @payloadHash, null, @reason, '[]', @createdAt, @createdAt, @isLive)`
  )
  const insertNeed = data.prepare('insert into operation_need (operation_id, needs_id, part) values (?, ?, ?)')
  const update = data.prepare(
    `update operation set state = @state, reason = @reason, key = @key, title = @title, baseline = @baseline,
       result = @result, claim = @claim, evidence = @evidence, updated_at = @at where id = @id`
  )
  const setPayload = data.prepare<[object]>(
    'update operation set payload = @payload, payload_hash = @payloadHash where id = @id'
  )

  function get(id: string): StoredOperation | undefined {
    const row = one.get(id)
    return row && fromRow(row)
  }

  /** Throws when the payload of anything but a draft or blocked one would change, or for an unknown operation. */
  function change(
    id: string,
    { state, reason, at, finalised, baseline, result, claim, evidence, attempt }: OperationChange
  ): void {
    data.write(() => {
      const before = get(id)
      if (!before) throw new Error(`There is no operation ${id} to change`)
      if (finalised && before.state !== 'draft' && before.state !== 'blocked')
        throw new Error(`The payload of operation ${id} is frozen: it is ${before.state}`)
      const { key, title } = finalised ?? before
      update.run({
        id,
        state,
        at,
        key,
        reason: JSON.stringify(reason),
        title: JSON.stringify(title),
        baseline: JSON.stringify(baseline ?? before.baseline),
        result: JSON.stringify(result ?? before.result),
        claim: claim || before.claim ? JSON.stringify(claim ?? before.claim) : null,
        evidence: JSON.stringify(
          evidence ? [...before.evidence, { at, what: evidence.what, raw: evidence.raw }] : before.evidence
        )
      })
      if (finalised) setPayload.run({ id, ...sealPayload(finalised.payload) })
      if (attempt) attempts.endOf(id, attempt.number, { outcome: attempt.outcome, detail: '', answer: null, at })
    })
  }

  return {
    get,
    change,
    together: <T>(work: () => T): T => data.write(work),
    add({ needs, ...operation }: NewOperation): void {
      data.write(() => {
        insert.run({
          ...operation,
          title: JSON.stringify(operation.title),
          reason: JSON.stringify(operation.reason),
          ...sealPayload(operation.payload),
          isLive: operation.isLive ? 1 : 0
        })
        for (const { id, part } of needs) insertNeed.run(operation.id, id, part)
      })
    },
    /** Writes the intent: state `sending` and the attempt, in one transaction, before the first byte is sent. */
    beginAttempt(
      id: string,
      { number, requestHash, startedAt, serverTimeMs, by, imei }: NewOperationAttempt,
      reason: Message
    ): void {
      data.write(() => {
        const row = get(id)
        if (!row) throw new Error(`There is no operation ${id} to send`)
        const { kind, payload, jobId } = row
        attempts.begin({
          target: 'gateway',
          operation: { id, number },
          imei,
          what: kind,
          input: payload,
          requestHash,
          by,
          jobId,
          startedAt,
          serverTimeMs
        })
        change(id, { state: 'sending', reason, at: startedAt })
      })
    },
    /** Oldest first. */
    attempts: (id: string): OperationAttempt[] =>
      attempts.ofOperation(id).map(({ operation, requestHash, startedAt, serverTimeMs, outcome, by }) => ({
        number: operation?.number ?? 0,
        requestHash: requestHash ?? '',
        startedAt,
        serverTimeMs,
        outcome,
        by
      })),
    unfinished: (): StoredOperation[] => open.all().map(fromRow),
    /** All open ones, oldest first, with the vehicles of their jobs. */
    waiting: (): WaitingOperation[] =>
      waiting.all().map((row) => ({ ...row, isLive: row.isLive === 1, isPaused: row.isPaused === 1 })),
    /** The dependencies between open ones. */
    openNeeds: (): { id: string; needs: string }[] => openNeeds.all(),
    setPaused(ids: readonly string[], paused: Paused): void {
      data.write(() => {
        for (const id of ids) pause.run({ id, at: paused?.at ?? null, by: paused?.by ?? null })
      })
    },
    /** Later ones on the same key that may have reached the gateway. */
    youngerSent: ({ key, sequence }: Pick<StoredOperation, 'key' | 'sequence'>): StoredOperation[] =>
      younger.all(key, sequence).map(fromRow),
    needsOf: (id: string): { id: string; part: string }[] => needsOf.all(id),
    /** Blocked ones that depend on this one. */
    dependents: (id: string): StoredOperation[] => dependents.all(id).map(fromRow),
    counts: (): Partial<Record<OperationState, number>> =>
      Object.fromEntries(countStates.all().map(({ state, n }) => [state, n])),
    /** Newest first. */
    page: ({ scope, before, limit }: CallParsed<'operations.list'>): StoredOperation[] =>
      (scope === 'open' ? openPage : endedPage).all(before ?? Number.MAX_SAFE_INTEGER, limit).map(fromRow),
    list: (): StoredOperation[] => many.all().map(fromRow),
    /** Oldest first. */
    ofJob: (jobId: string): StoredOperation[] => byJob.all(jobId).map(fromRow)
  }
}

function fromRow({ payloadHash, pausedAt, pausedBy, ...row }: Row): StoredOperation {
  return {
    ...row,
    reason: readMessage(row.reason),
    title: readMessage(row.title),
    payload: readPayload(row.payload, payloadHash),
    baseline: row.baseline === null ? null : readJson<Json>(row.baseline),
    result: row.result === null ? null : readJson<Json>(row.result),
    isLive: row.isLive === 1,
    claim: row.claim === null ? null : claimOf(row.claim),
    paused: pausedAt === null ? null : { at: pausedAt, by: pausedBy ?? '' },
    evidence: readJson<{ at: string; what: string | Message; raw: Json }[]>(row.evidence).map((one) => ({
      ...one,
      what: asMessage(one.what)
    }))
  }
}

/** A later sending must be what a person or a check wanted then. */
function sealPayload(payload: Json): { payload: string; payloadHash: string } {
  const text = JSON.stringify(payload)
  return { payload: text, payloadHash: sha256Hex(text) }
}

/**
 * A payload that was changed in the file is read as missing: it is never sent, and a person is told that it is
 * unreadable.
 */
function readPayload(payload: string, hash: string | null): Json {
  return hash !== null && sha256Hex(payload) !== hash ? null : readJson<Json>(payload)
}
