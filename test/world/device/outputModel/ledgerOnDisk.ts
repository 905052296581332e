import type { LedgerRow, NewLedgerRow, OutputLedgerStore } from '../../../../main/data/store/work/outputLedger.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'

/** The ledger of a data file that outlives its processes, may be full or locked, and says what happens to its rows. */
export function createLedgerOnDisk(ended: (row: LedgerRow, how: 'proved' | 'person' | 'notSent') => void) {
  let rows: LedgerRow[] = []
  let lastId = 0
  const disk = { isFull: false }
  function write(): void {
    if (disk.isFull) throw new AppError('DATA_UNUSABLE', plainMessage('The disk is full.'))
  }
  const store: OutputLedgerStore = {
    open: () => rows.map((row) => ({ ...row })),
    begin(row: NewLedgerRow) {
      write()
      rows.push({ ...row, id: ++lastId, isOnSettled: false })
      return lastId
    },
    settleOn(id) {
      write()
      rows = rows.map((row) => (row.id === id ? { ...row, isOnSettled: true } : row))
    },
    end(id, { how }) {
      write()
      const row = rows.find((one) => one.id === id)
      rows = rows.filter((one) => one !== row)
      if (row) ended(row, how)
      return undefined as never
    }
  }
  return { store, disk, rows: (): readonly LedgerRow[] => rows }
}
