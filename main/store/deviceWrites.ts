import type { Json } from '../../preload/contract/define.ts'
import type { DeviceWrite } from '../../preload/contract/workspace.ts'
import type { DataFile } from './database.ts'

export interface NewDeviceWrite {
  /** IMEI of the device, or its address where it has not said who it is. */
  imei: string
  at: string
  operation: string
  /** Without secrets: nothing here takes them out. */
  input: Json
  by: string
  jobId: string | null
}

export interface DeviceWriteStore {
  /** Writes the intent before the first byte leaves; without an end it stays `unknown`. Gives its id. */
  begin(write: NewDeviceWrite): number
  end(id: number, end: Pick<DeviceWrite, 'outcome' | 'detail' | 'answer'> & { at: string }): void
  /** Newest first; of all operations when none is named. */
  list(filter: { imei: string; operations: readonly string[]; limit: number }): DeviceWrite[]
  /** A list that a person keeps, such as the applications that every device has to have. */
  names(preference: string): string[]
  keepNames(preference: string, names: readonly string[]): void
}

interface Row {
  id: number
  at: string
  operation: string
  input: string
  sent_by: string
  job_id: string | null
  outcome: DeviceWrite['outcome']
  detail: string
  answer: string
}

/** Keeps what was sent to devices: console runs, settings, engine-bus lists. */
export function createDeviceWriteStore(data: DataFile): DeviceWriteStore {
  const { sql } = data
  const insert = sql.prepare(
    `insert into device_write (imei, at, operation, input, sent_by, job_id, outcome, detail, answer)
     values (@imei, @at, @operation, @input, @by, @jobId, 'unknown', '', 'null')`
  )
  const finish = sql.prepare('update device_write set outcome = @outcome, detail = @detail, answer = @answer, ended_at = @at where id = @id')
  const many = sql.prepare<[{ imei: string; operations: string; limit: number }], Row>(
    `select * from device_write
     where imei = @imei and (@operations = '[]' or operation in (select value from json_each(@operations)))
     order by id desc limit @limit`
  )
  const readPreference = sql.prepare<[string], { value: string }>('select value from preference where name = ?')
  const putPreference = sql.prepare(
    'insert into preference (name, value) values (?, ?) on conflict (name) do update set value = excluded.value'
  )

  return {
    begin: (write) => data.write(() => Number(insert.run({ ...write, input: JSON.stringify(write.input) }).lastInsertRowid)),
    end(id, { outcome, detail, answer, at }) {
      data.write(() => finish.run({ id, outcome, detail, answer: JSON.stringify(answer), at }))
    },
    list({ imei, operations, limit }) {
      return many.all({ imei, operations: JSON.stringify(operations), limit }).map((row) => ({
        id: row.id,
        at: row.at,
        operation: row.operation,
        input: JSON.parse(row.input) as Json,
        by: row.sent_by,
        jobId: row.job_id,
        outcome: row.outcome,
        detail: row.detail,
        answer: JSON.parse(row.answer) as Json
      }))
    },
    names(preference) {
      const row = readPreference.get(preference)
      return row ? (JSON.parse(row.value) as string[]) : []
    },
    keepNames(preference, names) {
      data.write(() => putPreference.run(preference, JSON.stringify(names)))
    }
  }
}
