import type { Points } from './points.ts'
import { zigzag } from './readJpeg.ts'

// The tables of ITU-T T.81, annex K, as every encoder uses them: steps at half of the quality, and codes.
const brightnessSteps = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51,
  87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101,
  72, 92, 95, 98, 112, 100, 103, 99
]
const colourSteps = [17, 18, 24, 47, 18, 21, 26, 66, 24, 26, 56, 99, 47, 66, 99, 99].reduce<number[]>(
  (all, step, n) => {
    all[8 * (n >> 2) + (n & 3)] = step
    return all
  },
  Array.from({ length: 64 }, () => 99)
)
const sizes = '000102030405060708090a0b'
const codes = [
  { kind: 0x00, lengths: '00010501010101010100000000000000', symbols: sizes },
  {
    kind: 0x10,
    lengths: '0002010303020403050504040000017d',
    symbols:
      '01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738393a434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa'
  },
  { kind: 0x01, lengths: '00030101010101010101010000000000', symbols: sizes },
  {
    kind: 0x11,
    lengths: '00020102040403040705040400010277',
    symbols:
      '000102031104052131061241510761711322328108144291a1b1c109233352f0156272d10a162434e125f11718191a262728292a35363738393a434445464748494a535455565758595a636465666768696a737475767778797a82838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa'
  }
].map(({ kind, lengths, symbols }) => ({
  kind,
  lengths: Buffer.from(lengths, 'hex'),
  symbols: Buffer.from(symbols, 'hex')
}))

/** 85 of 100. */
const stepFactor = 0.3
const endOfBlock = 0x00
const sixteenZeros = 0xf0
/** Three blocks whose bytes are all followed by another one. */
const mostUnitBytes = 3 * 64 * 8

/** The cosines of each frequency, with its weight. */
const waves = Float64Array.from(
  { length: 64 },
  (_, n) => (n < 8 ? Math.SQRT1_2 : 1) * 0.5 * Math.cos(((2 * (n & 7) + 1) * (n >> 3) * Math.PI) / 16)
)

/** A kind of blocks: its steps in the order of the file, and by symbol `length << 16 | code`. */
interface Coding {
  steps: number[]
  dc: Uint32Array
  ac: Uint32Array
}

/**
 * Encodes a picture as baseline JPEG without reducing its colours. Writes into bytes: an encoder that collects numbers needs
 * hundreds of megabytes for a picture without any plain area.
 */
export function writeJpeg({ width, height, data }: Points): Uint8Array {
  const brightness = codingOf(brightnessSteps, 0)
  const colour = codingOf(colourSteps, 2)
  const bits = new CodedBits(headerOf(width, height, brightness.steps, colour.steps))
  const parts = [brightness, colour, colour].map((coding) => ({ coding, samples: new Float64Array(64), dc: 0 }))
  const [y, cb, cr] = parts.map(({ samples }) => samples) as [Float64Array, Float64Array, Float64Array]
  for (let top = 0; top < height; top += 8) {
    for (let left = 0; left < width; left += 8) {
      for (let n = 0; n < 64; n += 1) {
        // Beyond the edge the last pixel is repeated.
        const at = 4 * (Math.min(top + (n >> 3), height - 1) * width + Math.min(left + (n & 7), width - 1))
        const [r, g, b] = [data[at]!, data[at + 1]!, data[at + 2]!]
        y[n] = 0.299 * r + 0.587 * g + 0.114 * b - 128
        cb[n] = -0.168736 * r - 0.331264 * g + 0.5 * b
        cr[n] = 0.5 * r - 0.418688 * g - 0.081312 * b
      }
      bits.reserve(mostUnitBytes)
      for (const part of parts) part.dc = putBlock(bits, part.coding, part.samples, part.dc)
    }
  }
  return bits.end()
}

function codingOf(steps: readonly number[], first: number): Coding {
  const [dc, ac] = codes.slice(first, first + 2).map(({ lengths, symbols }) => {
    const bySymbol = new Uint32Array(256)
    let [code, at] = [0, 0]
    for (const [n, count] of lengths.entries()) {
      for (let left = count; left > 0; left -= 1) bySymbol[symbols[at++]!] = ((n + 1) << 16) | code++
      code <<= 1
    }
    return bySymbol
  }) as [Uint32Array, Uint32Array]
  return { steps: zigzag.map((place) => Math.max(1, Math.round(steps[place]! * stepFactor))), dc, ac }
}

/** Everything before the pixels. */
function headerOf(width: number, height: number, brightness: readonly number[], colour: readonly number[]): Buffer {
  const part = (marker: number, ...body: number[]) => [
    0xff,
    marker,
    (body.length + 2) >> 8,
    (body.length + 2) & 0xff,
    ...body
  ]
  const letters = Buffer.from('JFIF\0', 'latin1')
  return Buffer.from([
    0xff,
    0xd8,
    ...part(0xe0, ...letters, 1, 1, 0, 0, 1, 0, 1, 0, 0),
    ...part(0xdb, 0, ...brightness, 1, ...colour),
    ...part(0xc0, 8, height >> 8, height & 0xff, width >> 8, width & 0xff, 3, 1, 0x11, 0, 2, 0x11, 1, 3, 0x11, 1),
    ...part(0xc4, ...codes.flatMap(({ kind, lengths, symbols }) => [kind, ...lengths, ...symbols])),
    ...part(0xda, 3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0)
  ])
}

const rows = new Float64Array(64)

/** The coefficient at this place of a block whose rows are transformed. */
function column(place: number): number {
  const [u, v] = [place & 7, place >> 3]
  let sum = 0
  for (let n = 0; n < 8; n += 1) sum += rows[8 * n + u]! * waves[8 * v + n]!
  return sum
}

/** Writes one block as differences from the one before; returns its first coefficient. */
function putBlock(bits: CodedBits, { steps, dc, ac }: Coding, samples: Float64Array, dcBefore: number): number {
  for (let n = 0; n < 64; n += 1) {
    let sum = 0
    for (let x = 0; x < 8; x += 1) sum += samples[(n & 56) + x]! * waves[8 * (n & 7) + x]!
    rows[n] = sum
  }
  const first = Math.round(column(0) / steps[0]!)
  bits.putValue(dc, 0, first - dcBefore)
  let zeros = 0
  for (let n = 1; n < 64; n += 1) {
    const value = Math.round(column(zigzag[n]!) / steps[n]!)
    if (value === 0) zeros += 1
    else {
      for (; zeros >= 16; zeros -= 16) bits.put(ac[sixteenZeros]!)
      bits.putValue(ac, zeros, value)
      zeros = 0
    }
  }
  if (zeros > 0) bits.put(ac[endOfBlock]!)
  return first
}

class CodedBits {
  #bytes: Uint8Array
  #at: number
  #bits = 0
  #count = 0

  constructor(head: Uint8Array) {
    this.#bytes = new Uint8Array(1_000_000)
    this.#bytes.set(head)
    this.#at = head.length
  }

  reserve(more: number): void {
    if (this.#at + more <= this.#bytes.length) return
    const larger = new Uint8Array(2 * this.#bytes.length)
    larger.set(this.#bytes)
    this.#bytes = larger
  }

  /** `length << 16 | bits`, of at most 16 bits. */
  put(code: number): void {
    const length = code >>> 16
    this.#bits = (this.#bits << length) | (code & 0xffff)
    this.#count += length
    while (this.#count >= 8) {
      this.#count -= 8
      const byte = (this.#bits >>> this.#count) & 0xff
      this.#bytes[this.#at++] = byte
      // After 0xff there would be a marker.
      if (byte === 0xff) this.#bytes[this.#at++] = 0
    }
  }

  /** The code of a value's size and of the zeros before it, and its bits; those of a negative one are inverted. */
  putValue(table: Uint32Array, zeros: number, value: number): void {
    const size = 32 - Math.clz32(Math.abs(value))
    this.put(table[(zeros << 4) | size]!)
    if (size > 0) this.put((size << 16) | (value < 0 ? value + (1 << size) - 1 : value))
  }

  /** The last byte is filled with ones. */
  end(): Uint8Array {
    if (this.#count > 0) this.put(((8 - this.#count) << 16) | (0xff >> this.#count))
    return Buffer.concat([this.#bytes.subarray(0, this.#at), Buffer.from([0xff, 0xd9])])
  }
}
