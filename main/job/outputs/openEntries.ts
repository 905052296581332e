import type { LedgerEnd, LedgerRow, NewLedgerRow, OutputLedgerStore } from '../../data/store/work/outputLedger.ts'

/** The entries of the ledger that are open, in memory: the file is read once, and written before anything is sent. */
export type OpenEntries = ReturnType<typeof createOpenEntries>

export function createOpenEntries(store: OutputLedgerStore, { now, changed }: { now(): Date; changed(): void }) {
  const open = new Map(store.open().map((row) => [row.id, row]))
  return {
    all: (): LedgerRow[] => [...open.values()],
    find: (id: number): LedgerRow | undefined => open.get(id),
    begin(row: NewLedgerRow): LedgerRow {
      const written: LedgerRow = { ...row, id: store.begin(row), isOnSettled: false }
      open.set(written.id, written)
      changed()
      return written
    },
    settleOn: (row: LedgerRow): void => store.settleOn(row.id),
    end(row: LedgerRow, end: Omit<LedgerEnd, 'at'>): void {
      store.end(row.id, { ...end, at: now().toISOString() })
      open.delete(row.id)
      changed()
    }
  }
}
