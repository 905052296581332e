/** Rows of numbers in one typed array: when it is full, the newest replace the oldest. */
export type Ring = ReturnType<typeof createRing>

const firstRows = 64

/** An empty ring of at most `mostRows` rows with `fields` numbers each. */
export function createRing(fields: number, mostRows: number) {
  let rows = Math.min(firstRows, mostRows)
  let data = new Float64Array(rows * fields)
  let length = 0
  let oldest = 0

  function grow(): void {
    rows = Math.min(rows * 2, mostRows)
    const larger = new Float64Array(rows * fields)
    // Only a full ring wraps, so here the oldest row is still the first.
    larger.set(data)
    data = larger
  }

  return {
    /** Changes when the ring grows: do not keep a reference. */
    get data() {
      return data
    },
    get length() {
      return length
    },
    get bytes() {
      return data.byteLength
    },
    /** The offset of a row in `data`; 0 is the oldest. */
    row: (index: number): number => ((oldest + index) % rows) * fields,
    push(): number {
      if (length === rows && rows < mostRows) grow()
      if (length < rows) length += 1
      else oldest = (oldest + 1) % rows
      return ((oldest + length - 1) % rows) * fields
    },
    clear(): void {
      length = 0
      oldest = 0
    }
  }
}
