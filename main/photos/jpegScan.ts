/** The bits of a scan ended early, or are invalid. */
export class BrokenScan extends Error {}

/** Decoding table: the next 16 bits lead to `length << 8 | symbol`; 0 means an invalid code. */
export type CodeTable = Uint16Array

/** A table as in the file: the number of codes of each length, then their symbols. */
export function readCodeTable(lengths: Uint8Array, symbols: Uint8Array): CodeTable {
  const table = new Uint16Array(65_536)
  let code = 0
  let at = 0
  for (let length = 1; length <= 16; length += 1) {
    for (let left = lengths[length - 1] ?? 0; left > 0; left -= 1) {
      const first = code << (16 - length)
      if (first >= 65_536) throw new BrokenScan('More codes than bits')
      table.fill((length << 8) | (symbols[at] ?? 0), first, first + (1 << (16 - length)))
      code += 1
      at += 1
    }
    code <<= 1
  }
  return table
}

/**
 * Reads the bits of one scan. Restart markers end its pieces; bits beyond the end of a piece are zero, and `assertWhole`
 * refuses them.
 */
export class ScanBits {
  readonly #bytes: Uint8Array
  #at: number
  #bits = 0
  #count = 0
  #padded = 0

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes
    this.#at = at
  }

  #fill(): void {
    while (this.#count <= 16) {
      const byte = this.#bytes[this.#at]
      const isMarker = byte === 0xff && this.#bytes[this.#at + 1] !== 0
      if (byte === undefined || isMarker) {
        this.#padded += 8
        this.#bits <<= 8
      } else {
        this.#at += byte === 0xff ? 2 : 1
        this.#bits = (this.#bits << 8) | byte
      }
      this.#count += 8
    }
  }

  symbol(table: CodeTable): number {
    if (this.#count < 16) this.#fill()
    const found = table[(this.#bits >>> (this.#count - 16)) & 0xffff] ?? 0
    if (found === 0) throw new BrokenScan('No such code')
    this.#count -= found >> 8
    return found & 0xff
  }

  /** The next bits (0 to 16) as they are. */
  bits(length: number): number {
    if (length === 0) return 0
    if (this.#count < length) this.#fill()
    this.#count -= length
    return (this.#bits >>> this.#count) & ((1 << length) - 1)
  }

  /** The next bits as a signed coefficient. */
  signed(length: number): number {
    if (length > 15) throw new BrokenScan('No such coefficient')
    const value = this.bits(length)
    return length === 0 || value >= 1 << (length - 1) ? value : value - (1 << length) + 1
  }

  /** Throws BrokenScan when more was read than there is. */
  assertWhole(): void {
    if (this.#count < this.#padded) throw new BrokenScan('The scan ends early')
  }

  /** Continues after the restart marker at this position. */
  restart(): void {
    this.assertWhole()
    this.#bits = 0
    this.#count = 0
    this.#padded = 0
    while (this.#bytes[this.#at] === 0xff && this.#bytes[this.#at + 1] === 0xff) this.#at += 1
    const marker = this.#bytes[this.#at + 1] ?? 0
    if (this.#bytes[this.#at] !== 0xff || marker < 0xd0 || marker > 0xd7)
      throw new BrokenScan('A restart marker is missing')
    this.#at += 2
  }
}
