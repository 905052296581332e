import { onData } from './errors.ts'

/** Rows in pages of `size`, so that memory does not grow with the table. `read` gets the last row so far. */
export function* pagesOf<Row>(size: number, read: (last: Row | undefined) => Row[]): Generator<Row[]> {
  for (let last: Row | undefined; ;) {
    const rows = onData(() => read(last))
    last = rows.at(-1)
    if (!last) return
    yield rows
    if (rows.length < size) return
  }
}
