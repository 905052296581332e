import { BrokenScan, readCodeTable, ScanBits, type CodeTable } from './jpegScan.ts'
import type { JpegPart } from './pictureParts.ts'

/** How much smaller a JPEG is decoded: of each block of 8 x 8 pixels only as many frequencies as needed. */
export type JpegScale = 1 | 2 | 4 | 8

/** Receives one row of pixels: red, green and blue of each. The row is overwritten afterwards. */
export type TakeRow = (row: Uint8ClampedArray, y: number) => void

/** The position of the n-th coefficient in a block. */
export const zigzag = [
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47,
  55, 62, 63
]

interface Component {
  id: number
  /** Its samples beside and above each other in one unit of the picture. */
  across: number
  down: number
  quantisation: number
  /** Its own blocks; those up to the end of the last unit are stored as well. */
  blocksAcross: number
  blocksDown: number
  blocksKeptAcross: number
  coefficients: Int16Array
  /** Two words for each block: which of its 64 coefficients are not zero, including those that are not stored. */
  present: Uint32Array
  last: number
}

interface Frame {
  width: number
  height: number
  isProgressive: boolean
  unitsAcross: number
  unitsDown: number
  mostAcross: number
  mostDown: number
  components: Component[]
}

interface Scan {
  bits: ScanBits
  dc: CodeTable | undefined
  ac: CodeTable | undefined
  from: number
  to: number
  high: number
  low: number
  /** Blocks that a code marked as ended. */
  ended: { left: number }
}

/** One dimension of a picture that is decoded smaller. */
export function scaledLength(length: number, scale: JpegScale): number {
  return Math.ceil(length / scale)
}

/** Memory for a JPEG of this frame, which is stored as a whole while it is read. */
export function storedBytes(parts: readonly JpegPart[], scale: JpegScale): number {
  const frame = parts.find(({ marker }) => isReadableFrame(marker))
  if (!frame) throw new BrokenScan('No frame')
  const isProgressive = frame.marker === 0xc2
  return readSizes(frame.bytes.subarray(4)).sizes.reduce(
    (sum, { blocks }) => sum + blocks * (2 * (8 / scale) ** 2 + (isProgressive ? 8 : 0)),
    0
  )
}

function isReadableFrame(marker: number): boolean {
  return marker === 0xc0 || marker === 0xc1 || marker === 0xc2
}

/**
 * Decodes a JPEG (baseline, extended or progressive, Huffman coded, 8 bits) row by row from the top, without storing all
 * pixels. Throws BrokenScan for invalid data, and for a picture that ends early.
 */
export function readJpeg(parts: readonly JpegPart[], scale: JpegScale, takeRow: TakeRow): void {
  const kept = 8 / scale
  const places = Int8Array.from(zigzag, (at) => (at % 8 < kept && at >> 3 < kept ? (at >> 3) * kept + (at % 8) : -1))
  const quantisations: (Uint16Array | undefined)[] = []
  const tables: { dc: (CodeTable | undefined)[]; ac: (CodeTable | undefined)[] } = { dc: [], ac: [] }
  let frame: Frame | undefined
  let restartEvery = 0
  let adobe: number | undefined
  let isJfif = false
  for (const { marker, bytes } of parts) {
    const length = ((bytes[2] ?? 0) << 8) | (bytes[3] ?? 0)
    const body = bytes.subarray(4, 2 + length)
    if (marker === 0xdb) readQuantisations(body, quantisations)
    else if (marker === 0xc4) readTables(body, tables)
    else if (marker === 0xdd) restartEvery = ((body[0] ?? 0) << 8) | (body[1] ?? 0)
    else if (marker === 0xee && isNamed(body, 'Adobe')) adobe = body[11]
    else if (marker === 0xe0 && isNamed(body, 'JFIF')) isJfif = true
    else if (isReadableFrame(marker)) {
      if (frame) throw new BrokenScan('Two frames')
      frame = readFrame(body, marker === 0xc2, kept)
    } else if (marker === 0xda) {
      if (!frame) throw new BrokenScan('A scan before its frame')
      readScan({ frame, body, bits: new ScanBits(bytes, 2 + length), tables, restartEvery, places, kept })
    }
  }
  if (!frame) throw new BrokenScan('No frame')
  writeRows(frame, { scale, quantisations, places, toRgb: colours(frame.components, adobe, isJfif) }, takeRow)
}

function isNamed(body: Uint8Array, name: string): boolean {
  return Buffer.from(body.subarray(0, name.length)).toString('latin1') === name
}

function readQuantisations(body: Uint8Array, into: (Uint16Array | undefined)[]): void {
  for (let at = 0; at < body.length;) {
    const [isWide, index] = [(body[at] ?? 0) >> 4 > 0, (body[at] ?? 0) & 15]
    at += 1
    const bytes = isWide ? 128 : 64
    if (at + bytes > body.length) throw new BrokenScan('A table ends early')
    const start = at
    into[index] = Uint16Array.from({ length: 64 }, (_, n) =>
      isWide ? ((body[start + 2 * n] ?? 0) << 8) | (body[start + 2 * n + 1] ?? 0) : (body[start + n] ?? 0)
    )
    at += bytes
  }
}

function readTables(
  body: Uint8Array,
  { dc, ac }: { dc: (CodeTable | undefined)[]; ac: (CodeTable | undefined)[] }
): void {
  for (let at = 0; at < body.length;) {
    const head = body[at] ?? 0
    const lengths = body.subarray(at + 1, at + 17)
    const count = lengths.reduce((sum, n) => sum + n, 0)
    if (at + 17 + count > body.length) throw new BrokenScan('A table ends early')
    ;(head >> 4 === 0 ? dc : ac)[head & 15] = readCodeTable(lengths, body.subarray(at + 17, at + 17 + count))
    at += 17 + count
  }
}

function readSizes(body: Uint8Array) {
  const [height, width, count] = [
    ((body[1] ?? 0) << 8) | (body[2] ?? 0),
    ((body[3] ?? 0) << 8) | (body[4] ?? 0),
    body[5] ?? 0
  ]
  const heads = Array.from({ length: count }, (_, n) => body.subarray(6 + 3 * n, 9 + 3 * n))
  const sampled = heads.map(([id = 0, sampling = 0, quantisation = 0]) => ({
    id,
    across: sampling >> 4,
    down: sampling & 15,
    quantisation
  }))
  const isUsual = body[0] === 8 && width > 0 && height > 0 && [1, 3, 4].includes(count) && body.length >= 6 + 3 * count
  if (!isUsual || sampled.some(({ across, down }) => across < 1 || across > 4 || down < 1 || down > 4))
    throw new BrokenScan('A frame of another kind')
  // A picture of one colour has units of one block, whatever its header says.
  if (count === 1) Object.assign(sampled[0] ?? {}, { across: 1, down: 1 })
  const [mostAcross, mostDown] = [
    Math.max(...sampled.map(({ across }) => across)),
    Math.max(...sampled.map(({ down }) => down))
  ]
  const [unitsAcross, unitsDown] = [Math.ceil(width / (8 * mostAcross)), Math.ceil(height / (8 * mostDown))]
  const sizes = sampled.map((size) => ({ ...size, blocks: unitsAcross * size.across * unitsDown * size.down }))
  return { width, height, unitsAcross, unitsDown, mostAcross, mostDown, sizes }
}

function readFrame(body: Uint8Array, isProgressive: boolean, kept: number): Frame {
  const { sizes, ...frame } = readSizes(body)
  const components = sizes.map(({ blocks, ...size }) => ({
    ...size,
    blocksAcross: Math.ceil(Math.ceil((frame.width * size.across) / frame.mostAcross) / 8),
    blocksDown: Math.ceil(Math.ceil((frame.height * size.down) / frame.mostDown) / 8),
    blocksKeptAcross: frame.unitsAcross * size.across,
    coefficients: new Int16Array(blocks * kept * kept),
    present: new Uint32Array(isProgressive ? 2 * blocks : 0),
    last: 0
  }))
  return { ...frame, isProgressive, components }
}

interface ScanInput {
  frame: Frame
  body: Uint8Array
  bits: ScanBits
  tables: { dc: (CodeTable | undefined)[]; ac: (CodeTable | undefined)[] }
  restartEvery: number
  places: Int8Array
  kept: number
}

function readScan({ frame, body, bits, tables, restartEvery, places, kept }: ScanInput): void {
  const count = body[0] ?? 0
  const chosen = Array.from({ length: count }, (_, n) => {
    const component = frame.components.find(({ id }) => id === body[1 + 2 * n])
    if (!component) throw new BrokenScan('A scan of a colour that is not there')
    const table = body[2 + 2 * n] ?? 0
    return { component, dc: tables.dc[table >> 4], ac: tables.ac[table & 15] }
  })
  const [from, to, shift] = [body[1 + 2 * count] ?? 0, body[2 + 2 * count] ?? 0, body[3 + 2 * count] ?? 0]
  if (count === 0 || from > to || to > 63 || (frame.isProgressive && from > 0 && count > 1))
    throw new BrokenScan('A scan of another kind')
  const ended = { left: 0 }
  const readers = chosen.map(({ component, dc, ac }) => {
    const scan: Scan = { bits, dc, ac, from, to, high: shift >> 4, low: shift & 15, ended }
    const read = readerOf(frame.isProgressive, scan)
    return { component, read: (block: number) => read(component, block, { scan, places, kept }) }
  })
  const [alone] = readers
  const unitsAcross = readers.length === 1 && alone ? alone.component.blocksAcross : frame.unitsAcross
  const units = unitsAcross * (readers.length === 1 && alone ? alone.component.blocksDown : frame.unitsDown)
  for (let unit = 0; unit < units; unit += 1) {
    if (restartEvery > 0 && unit > 0 && unit % restartEvery === 0) {
      bits.restart()
      ended.left = 0
      for (const { component } of readers) component.last = 0
    }
    const [x, y] = [unit % unitsAcross, Math.floor(unit / unitsAcross)]
    if (readers.length === 1 && alone) alone.read(y * alone.component.blocksKeptAcross + x)
    else readUnit(readers, x, y)
    bits.assertWhole()
  }
  for (const { component } of readers) component.last = 0
}

function readUnit(
  readers: readonly { component: Component; read: (block: number) => void }[],
  x: number,
  y: number
): void {
  for (const { component, read } of readers) {
    for (let down = 0; down < component.down; down += 1) {
      for (let across = 0; across < component.across; across += 1)
        read((y * component.down + down) * component.blocksKeptAcross + x * component.across + across)
    }
  }
}

interface Around {
  scan: Scan
  places: Int8Array
  kept: number
}
type ReadBlock = (component: Component, block: number, around: Around) => void

function readerOf(isProgressive: boolean, { dc, ac, from, high }: Scan): ReadBlock {
  const needsDc = from === 0 && (!isProgressive || high === 0)
  if ((needsDc && !dc) || ((!isProgressive || from > 0) && !ac)) throw new BrokenScan('A table is missing')
  if (!isProgressive) return readWhole
  if (from === 0) return high === 0 ? readFirstMean : readMoreOfMean
  return high === 0 ? readFirstBand : readMoreOfBand
}

/** A complete block, as in baseline pictures. */
function readWhole(component: Component, block: number, { scan: { bits, dc, ac }, places, kept }: Around): void {
  const start = block * kept * kept
  component.last += bits.signed(bits.symbol(dc!))
  component.coefficients[start] = component.last
  for (let at = 1; at < 64; at += 1) {
    const code = bits.symbol(ac!)
    const length = code & 15
    if (length === 0 && code < 0xf0) return
    at += code >> 4
    if (at > 63) throw new BrokenScan('More coefficients than a block has')
    const value = bits.signed(length)
    const place = places[at]!
    if (place >= 0) component.coefficients[start + place] = value
  }
}

function readFirstMean(component: Component, block: number, { scan: { bits, dc, low }, kept }: Around): void {
  component.last += bits.signed(bits.symbol(dc!))
  component.coefficients[block * kept * kept] = component.last << low
}

function readMoreOfMean({ coefficients }: Component, block: number, { scan: { bits, low }, kept }: Around): void {
  if (bits.bits(1) === 1) coefficients[block * kept * kept]! |= 1 << low
}

function readFirstBand(component: Component, block: number, around: Around): void {
  const { bits, ac, from, to, low, ended } = around.scan
  if (ended.left > 0) {
    ended.left -= 1
    return
  }
  for (let at = from; at <= to; at += 1) {
    const code = bits.symbol(ac!)
    const [zeros, length] = [code >> 4, code & 15]
    if (length === 0 && zeros < 15) {
      ended.left = (1 << zeros) - 1 + bits.bits(zeros)
      return
    }
    at += zeros
    if (at > to) throw new BrokenScan('More coefficients than a band has')
    if (length > 0) put(component, block, at, bits.signed(length) * (1 << low), around)
  }
}

function readMoreOfBand(component: Component, block: number, around: Around): void {
  const { bits, ac, from, to, low, ended } = around.scan
  let at = from
  while (ended.left === 0 && at <= to) {
    const code = bits.symbol(ac!)
    const [zeros, length] = [code >> 4, code & 15]
    if (length === 0 && zeros < 15) {
      ended.left = (1 << zeros) + bits.bits(zeros)
      break
    }
    if (length > 1) throw new BrokenScan('No such coefficient')
    const value = length === 0 ? 0 : bits.bits(1) === 1 ? 1 << low : -1 << low
    at = refine(component, block, { at, zeros }, around)
    if (at > to) {
      if (value !== 0) throw new BrokenScan('More coefficients than a band has')
      return
    }
    if (value !== 0) put(component, block, at, value, around)
    at += 1
  }
  if (ended.left === 0) return
  refine(component, block, { at, zeros: 64 }, around)
  ended.left -= 1
}

/** Adds the next bit to each nonzero coefficient, up to the position after this many zeros. */
function refine(
  component: Component,
  block: number,
  { at, zeros }: { at: number; zeros: number },
  { scan: { bits, to, low }, places, kept }: Around
): number {
  let left = zeros
  for (; at <= to; at += 1) {
    if (((component.present[2 * block + (at >> 5)]! >>> (at & 31)) & 1) === 0) {
      if (left === 0) return at
      left -= 1
    } else if (bits.bits(1) === 1 && places[at]! >= 0) {
      const index = block * kept * kept + places[at]!
      component.coefficients[index]! += component.coefficients[index]! < 0 ? -1 << low : 1 << low
    }
  }
  return at
}

function put(
  { coefficients, present }: Component,
  block: number,
  at: number,
  value: number,
  { places, kept }: Around
): void {
  present[2 * block + (at >> 5)]! |= 1 << (at & 31)
  const place = places[at]!
  if (place >= 0) coefficients[block * kept * kept + place] = value
}

/** Converts the samples of one pixel into red, green and blue, in place. */
type ToRgb = (samples: Uint8ClampedArray, row: Uint8ClampedArray, to: number) => void

/** The usual meaning when the file does not say: three colours are brightness and two of colour, four are inks. */
function colours(components: readonly Component[], adobe: number | undefined, isJfif: boolean): ToRgb {
  if (components.length === 1) return ([grey = 0], row, to) => row.fill(grey, to, to + 3)
  const isRgb =
    adobe === 0 ||
    (adobe === undefined && !isJfif && components.map(({ id }) => String.fromCharCode(id)).join('') === 'RGB')
  if (components.length === 3) return isRgb ? (samples, row, to) => row.set(samples, to) : fromBrightness
  return (samples, row, to) => {
    const ink = samples[3] ?? 0
    if (adobe === 2) fromBrightness(samples, row, to)
    else row.set(samples.subarray(0, 3), to)
    for (let at = to; at < to + 3; at += 1) {
      const value = row[at] ?? 0
      // Adobe stores the remaining light, and for brightness and colour its opposite; all others store the ink.
      row[at] =
        adobe === undefined ? ((255 - value) * (255 - ink)) / 255 : ((adobe === 2 ? 255 - value : value) * ink) / 255
    }
  }
}

function fromBrightness(samples: Uint8ClampedArray, row: Uint8ClampedArray, to: number): void {
  const [y, cb, cr] = [samples[0]!, samples[1]! - 128, samples[2]! - 128]
  row[to] = y + 1.402 * cr
  row[to + 1] = y - 0.344136 * cb - 0.714136 * cr
  row[to + 2] = y + 1.772 * cb
}

interface Writing {
  scale: JpegScale
  quantisations: readonly (Uint16Array | undefined)[]
  places: Int8Array
  toRgb: ToRgb
}

function writeRows(frame: Frame, { scale, quantisations, places, toRgb }: Writing, takeRow: TakeRow): void {
  const kept = 8 / scale
  const [width, height] = [scaledLength(frame.width, scale), scaledLength(frame.height, scale)]
  const planes = frame.components.map((component) => {
    const quantisation = quantisations[component.quantisation]
    if (!quantisation) throw new BrokenScan('A table is missing')
    const factors = new Float32Array(kept * kept)
    for (const [at, place] of places.entries()) if (place >= 0) factors[place] = quantisation[at] ?? 0
    const across = component.blocksKeptAcross * kept
    return {
      component,
      across,
      toSamples: transform(kept, factors),
      samples: new Uint8ClampedArray(across * component.down * kept),
      columns: Uint32Array.from({ length: width }, (_, x) => Math.floor((x * component.across) / frame.mostAcross))
    }
  })
  const row = new Uint8ClampedArray(width * 3)
  const point = new Uint8ClampedArray(planes.length)
  const unitRows = frame.mostDown * kept
  for (let unit = 0; unit < frame.unitsDown; unit += 1) {
    for (const { component, across, toSamples, samples } of planes) {
      for (let block = 0; block < component.down * component.blocksKeptAcross; block += 1) {
        const [blockDown, blockAcross] = [
          Math.floor(block / component.blocksKeptAcross),
          block % component.blocksKeptAcross
        ]
        toSamples(component.coefficients, (unit * component.down * component.blocksKeptAcross + block) * kept * kept, {
          samples,
          to: blockDown * kept * across + blockAcross * kept,
          across
        })
      }
    }
    for (let y = 0; y < unitRows && unit * unitRows + y < height; y += 1) {
      const starts = planes.map(({ component, across }) => Math.floor((y * component.down) / frame.mostDown) * across)
      for (let x = 0; x < width; x += 1) {
        for (let plane = 0; plane < planes.length; plane += 1)
          point[plane] = planes[plane]!.samples[starts[plane]! + planes[plane]!.columns[x]!]!
        toRgb(point, row, 3 * x)
      }
      takeRow(row, unit * unitRows + y)
    }
  }
}

/** The inverse cosine transform of a block with the stored frequencies; with fewer than 8 x 8 it returns means of pixels. */
function transform(kept: number, factors: Float32Array) {
  const waves = Float32Array.from({ length: kept * kept }, (_, at) => {
    const [x, frequency] = [Math.floor(at / kept), at % kept]
    return frequency === 0 ? Math.SQRT1_2 / 2 : Math.cos(((2 * x + 1) * frequency * Math.PI) / (2 * kept)) / 2
  })
  const half = new Float32Array(kept * kept)
  return (
    coefficients: Int16Array,
    start: number,
    { samples, to, across }: { samples: Uint8ClampedArray; to: number; across: number }
  ): void => {
    for (let v = 0; v < kept; v += 1) {
      for (let x = 0; x < kept; x += 1) {
        let sum = 0
        for (let u = 0; u < kept; u += 1)
          sum += coefficients[start + v * kept + u]! * factors[v * kept + u]! * waves[x * kept + u]!
        half[v * kept + x] = sum
      }
    }
    for (let y = 0; y < kept; y += 1) {
      for (let x = 0; x < kept; x += 1) {
        let sum = 128
        for (let v = 0; v < kept; v += 1) sum += half[v * kept + x]! * waves[y * kept + v]!
        samples[to + y * across + x] = sum
      }
    }
  }
}
