/** How events become the lines of a list: equal ones one after the other are one line. */
export interface LineRule {
  /** Rows, newest first. */
  rows: Uint32Array
  isSame(row: number, older: number): boolean
  /** Groups whose events are shown one by one, each by its newest event. */
  opened: ReadonlySet<number>
}

/** The lines of a list as positions in `rows`, each where its newest event is. */
export function layLines({ rows, isSame, opened }: LineRule): Uint32Array {
  const starts = new Uint32Array(rows.length)
  let n = 0
  let isOpen = false
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number
    const isNext = at > 0 && isSame(rows[at - 1] as number, row)
    if (!isNext) isOpen = opened.has(row)
    if (!isNext || isOpen) starts[n++] = at
  }
  return starts.slice(0, n)
}

export function lineOf(starts: Uint32Array, position: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] as number) <= position) low = middle + 1
    else high = middle
  }
  return low - 1
}

export interface ListedLines {
  total: number
  /** Of the newest event of a line; NaN: without any time. */
  atMs(line: number): number
}

/** Two lists as one, newest first: which list each line is from, and its place there. */
export function mergeLines(one: ListedLines, other: ListedLines): { of: Uint8Array; line: Uint32Array } {
  const total = one.total + other.total
  const [of, line] = [new Uint8Array(total), new Uint32Array(total)]
  const rank = (list: ListedLines, index: number): number => {
    const at = list.atMs(index)
    return Number.isNaN(at) ? -Infinity : at
  }
  for (let to = 0, a = 0, b = 0; to < total; to++) {
    const isOne = b >= other.total || (a < one.total && rank(one, a) >= rank(other, b))
    of[to] = isOne ? 0 : 1
    line[to] = isOne ? a++ : b++
  }
  return { of, line }
}
