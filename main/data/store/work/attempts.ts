import type { Json } from '../../../../preload/contract/define.ts'
import type { DataFile } from '../file/database.ts'
import { readJson } from '../file/errors.ts'

export interface NewAttempt {
  target: 'device' | 'gateway'
  operation: { id: string; number: number } | null
  imei: string | null
  /** The request: an operation of the API, or a kind of gateway work. */
  what: string
  /** Without secrets: this module does not remove them. */
  input: Json
  requestHash: string | null
  by: string
  jobId: string | null
  startedAt: string
  serverTimeMs: number | null
}

export interface StoredAttempt extends NewAttempt {
  id: number
  /** Null while it runs, and forever if the process died. */
  outcome: string | null
  detail: string
  answer: Json
}

export interface AttemptEnd {
  outcome: string
  detail: string
  answer: Json
  at: string
}

/** The journal of every request that changes something: the intent before the first byte is sent, then the result. */
export type AttemptStore = ReturnType<typeof createAttemptStore>

interface Row extends Omit<StoredAttempt, 'operation' | 'input' | 'answer'> {
  operationId: string | null
  number: number | null
  input: string
  answer: string
}

const columns =
  'id, target, operation_id as operationId, number, imei, what, input, request_hash as requestHash, sent_by as "by", job_id as jobId, started_at as startedAt, server_time_ms as serverTimeMs, outcome, detail, answer'

/** The one journal of writes, at devices and at the gateway. */
export function createAttemptStore(data: DataFile) {
  const insert = data.prepare(
    `insert into attempt (target, operation_id, number, imei, what, input, request_hash, sent_by, job_id, started_at, server_time_ms, outcome, detail, answer)
     values (@target, @operationId, @number, @imei, @what, @input, @requestHash, @by, @jobId, @startedAt, @serverTimeMs, null, '', 'null')`
  )
  const finish = data.prepare(
    'update attempt set outcome = @outcome, detail = @detail, answer = @answer, ended_at = @at where id = @id'
  )
  const finishOf = data.prepare(
    'update attempt set outcome = @outcome, detail = @detail, answer = @answer, ended_at = @at where operation_id = @operationId and number = @number'
  )
  const ofOperation = data.prepare<[string], Row>(
    `select ${columns} from attempt where operation_id = ? order by number`
  )
  const ofDevice = data.prepare<[{ imei: string; what: string; limit: number }], Row>(
    `select ${columns} from attempt
     where imei = @imei and (@what = '[]' or what in (select value from json_each(@what)))
     order by id desc limit @limit`
  )

  return {
    begin({ operation, input, ...attempt }: NewAttempt): number {
      const row = {
        ...attempt,
        operationId: operation?.id ?? null,
        number: operation?.number ?? null,
        input: JSON.stringify(input)
      }
      return data.write(() => Number(insert.run(row).lastInsertRowid))
    },
    end: (id: number, end: AttemptEnd): void =>
      void data.write(() => finish.run({ ...end, id, answer: JSON.stringify(end.answer) })),
    endOf: (operationId: string, number: number, end: AttemptEnd): void =>
      void data.write(() => finishOf.run({ ...end, operationId, number, answer: JSON.stringify(end.answer) })),
    /** Oldest first. */
    ofOperation: (operationId: string): StoredAttempt[] => ofOperation.all(operationId).map(fromRow),
    /** Newest first; without a name, of everything that was sent. */
    ofDevice: ({ imei, what, limit }: { imei: string; what: readonly string[]; limit: number }): StoredAttempt[] =>
      ofDevice.all({ imei, what: JSON.stringify(what), limit }).map(fromRow)
  }
}

function fromRow({ operationId, number, input, answer, ...row }: Row): StoredAttempt {
  return {
    ...row,
    operation: operationId === null || number === null ? null : { id: operationId, number },
    input: readJson<Json>(input),
    answer: readJson<Json>(answer)
  }
}
