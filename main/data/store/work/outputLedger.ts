import type { DataFile } from '../file/database.ts'
import { openOutputsQuery } from '../file/endMark.ts'
import { openToRead } from '../file/readOnly.ts'

/** An output that may be on: which, since when, switched by whom, over which connection. */
export interface LedgerRow {
  id: number
  imei: string
  /** `OUT1`; at the gateway its type and number, `e 1`. */
  output: string
  path: 'local' | 'gateway'
  vehicleId: number | null
  address: string
  since: string
  by: string
  jobId: string | null
  /** The "on" took effect, or can no longer: nothing comes on late. */
  isOnSettled: boolean
}
export type NewLedgerRow = Omit<LedgerRow, 'id' | 'isOnSettled'>

/**
 * How an entry ended: the right device (or the gateway) showed it off, a person checked the relay, or "on" was never
 * sent.
 */
export interface LedgerEnd {
  how: 'proved' | 'person' | 'notSent'
  by: string
  reason: string
  at: string
}

/** The outputs that may be on of a folder that another Fitter uses. Throws DATA_UNUSABLE. */
export function readOpenOutputs(folder: string): LedgerRow[] {
  const data = openToRead(folder, 'bundle')
  try {
    return createOutputLedgerStore(data).open()
  } finally {
    data.close()
  }
}

export type OutputLedgerStore = ReturnType<typeof createOutputLedgerStore>

export function createOutputLedgerStore(data: DataFile) {
  const insert = data.prepare(
    `insert into output_ledger (imei, output, path, vehicle_id, address, since, switched_by, job_id)
     values (@imei, @output, @path, @vehicleId, @address, @since, @by, @jobId)`
  )
  const settle = data.prepare('update output_ledger set is_on_settled = 1 where id = ?')
  const finish = data.prepare(
    'update output_ledger set ended_at = @at, ended_how = @how, ended_by = @by, end_reason = @reason where id = @id and ended_at is null'
  )
  const readOpenIds = data.prepare<[], { id: number }>(openOutputsQuery)
  const readOpen = data.prepare<[], Omit<LedgerRow, 'isOnSettled'> & { isOnSettled: number }>(
    `select id, imei, output, path, vehicle_id as vehicleId, address, since, switched_by as "by", job_id as jobId, is_on_settled as isOnSettled
     from output_ledger where ended_at is null order by id`
  )

  /** Also stored beside the file: a file that loses its end must not silently lose which outputs may be on. */
  const noteOpen = () => data.keepsOutputs(readOpenIds.all().map(({ id }) => id))

  return {
    /**
     * On the disk when it returns: "on" may be sent only after that, and soon, because its conditions were read before.
     * Returns its id.
     */
    begin: (row: NewLedgerRow): number =>
      data.write(
        () => {
          const id = Number(insert.run(row).lastInsertRowid)
          noteOpen()
          return id
        },
        { isBrief: true }
      ),
    settleOn: (id: number): void => void data.write(() => settle.run(id)),
    end: (id: number, end: LedgerEnd) =>
      data.write(() => {
        finish.run({ id, ...end })
        noteOpen()
      }),
    /** The outputs that may be on, oldest first. */
    open: (): LedgerRow[] => readOpen.all().map((row) => ({ ...row, isOnSettled: row.isOnSettled === 1 }))
  }
}
