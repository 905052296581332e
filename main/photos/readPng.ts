import { Readable } from 'node:stream'
import { crc32, createInflate } from 'node:zlib'
import { PNG } from 'pngjs'
import { largestInterlacedPixels, largestPhotoPixels } from './limits.ts'
import { putTogether, type PngPart } from './pictureParts.ts'
import type { TakeRow } from './readJpeg.ts'

/** The header of a PNG. */
interface PngForm {
  width: number
  height: number
  depth: number
  colour: number
  /** Per pixel. */
  values: number
  isInterlaced: boolean
  /** Of one row, without its filter. */
  rowBytes: number
}

const usedParts: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT'])
const valuesOfColour: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
/** Some programs write more than the pixels; this much of it is read for the checksum after it. */
const ignoredBytes = 1_000_000

function readForm([first]: readonly PngPart[]): PngForm {
  const head = Buffer.from(first?.bytes ?? [])
  if (head.length < 25) throw new Error('No header')
  const [width, height, depth = 0, colour = 0] = [head.readUInt32BE(8), head.readUInt32BE(12), head[16], head[17]]
  const values = valuesOfColour[colour] ?? 0
  if (![1, 2, 4, 8, 16].includes(depth) || values === 0 || width === 0 || height === 0)
    throw new Error('A header of another kind')
  return {
    width,
    height,
    depth,
    colour,
    values,
    isInterlaced: head[20] !== 0,
    rowBytes: Math.ceil((width * values * depth) / 8)
  }
}

/** An interlaced PNG is read as a whole. */
export function mostPngPixels(parts: readonly PngPart[]): number {
  const { isInterlaced, depth } = readForm(parts)
  if (!isInterlaced) return largestPhotoPixels
  return depth === 16 ? largestInterlacedPixels / 2 : largestInterlacedPixels
}

/**
 * Decodes a PNG row by row from the top, without storing all pixels; transparent areas become white, like paper. Throws for
 * invalid data and missing pixels.
 */
export async function readPng(parts: readonly PngPart[], takeRow: TakeRow): Promise<void> {
  const form = readForm(parts)
  if (form.isInterlaced) return readInterlaced(parts, takeRow)
  if (parts.some((part) => usedParts.has(part.type) && !isUnchanged(part))) throw new Error('A changed part')
  const { width, height, rowBytes } = form
  const toRgb = colours(parts, form)
  const row = new Uint8ClampedArray(width * 3)
  const pixelBytes = Math.max(1, (form.values * form.depth) / 8)
  let [line, above] = [Buffer.alloc(rowBytes + 1), Buffer.alloc(rowBytes + 1)]
  let [filled, y, beyond] = [0, 0, 0]
  const data = Readable.from(parts.filter(({ type }) => type === 'IDAT').map(contentOf))
  for await (const chunk of data.pipe(createInflate()) as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length && y < height;) {
      const taken = chunk.copy(line, filled, at)
      at += taken
      filled += taken
      if (filled < line.length) continue
      undoFilter(line, above, pixelBytes)
      toRgb(line.subarray(1), row)
      takeRow(row, y)
      ;[line, above] = [above, line]
      filled = 0
      y += 1
    }
    if (y === height) beyond += chunk.length
    if (beyond > ignoredBytes) break
  }
  if (y < height) throw new Error('Pixels are missing')
}

function isUnchanged({ bytes }: PngPart): boolean {
  return crc32(bytes.subarray(4, -4)) === Buffer.from(bytes.subarray(-4)).readUInt32BE()
}

function contentOf({ bytes }: PngPart): Uint8Array {
  return bytes.subarray(8, -4)
}

/** Each row is stored as differences from the pixel before, the row above, or both; its first byte says which. */
function undoFilter(line: Uint8Array, above: Uint8Array, pixelBytes: number): void {
  const filter = line[0]!
  if (filter > 4) throw new Error('No such filter')
  if (filter === 0) return
  for (let at = 1; at < line.length; at += 1) {
    const left = at <= pixelBytes ? 0 : line[at - pixelBytes]!
    const up = above[at]!
    const corner = at <= pixelBytes ? 0 : above[at - pixelBytes]!
    line[at]! += filter === 1 ? left : filter === 2 ? up : filter === 3 ? (left + up) >> 1 : nearest(left, up, corner)
  }
}

/** The Paeth predictor. */
function nearest(left: number, up: number, corner: number): number {
  const [byLeft, byUp, byCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  if (byLeft <= byUp && byLeft <= byCorner) return left
  return byUp <= byCorner ? up : corner
}

/** Converts a row of the file into red, green and blue. */
function colours(
  parts: readonly PngPart[],
  { width, depth, colour, values }: PngForm
): (line: Uint8Array, row: Uint8ClampedArray) => void {
  const [palette, transparent] = ['PLTE', 'tRNS'].map((wanted) => {
    const part = parts.find(({ type }) => type === wanted)
    return part && contentOf(part)
  })
  if (colour === 3 && !palette) throw new Error('No palette')
  const most = 2 ** depth - 1
  const valueAt = (line: Uint8Array, n: number): number => {
    if (depth === 8) return line[n]!
    if (depth === 16) return (line[2 * n]! << 8) | line[2 * n + 1]!
    return (line[(n * depth) >> 3]! >> (8 - depth - ((n * depth) & 7))) & most
  }
  const isTransparent = (line: Uint8Array, n: number): boolean => {
    if (!transparent || colour === 3 || values % 2 === 0) return false
    for (let one = 0; one < values; one += 1)
      if (valueAt(line, n + one) !== ((transparent[2 * one]! << 8) | transparent[2 * one + 1]!)) return false
    return true
  }
  return (line, row) => {
    for (let x = 0; x < width; x += 1) {
      const n = x * values
      const index = colour === 3 ? valueAt(line, n) : 0
      const opacity =
        colour === 3
          ? (transparent?.[index] ?? 255) / 255
          : values % 2 === 0
            ? valueAt(line, n + values - 1) / most
            : isTransparent(line, n)
              ? 0
              : 1
      for (let one = 0; one < 3; one += 1) {
        const value =
          colour === 3 ? (palette?.[3 * index + one] ?? 0) : (valueAt(line, values < 3 ? n : n + one) * 255) / most
        row[3 * x + one] = 255 + (value - 255) * opacity
      }
    }
  }
}

function readInterlaced(parts: readonly PngPart[], takeRow: TakeRow): void {
  const { width, height, data } = PNG.sync.read(
    Buffer.from(putTogether({ kind: 'png', width: 0, height: 0, parts: [...parts], exif: null }, null))
  )
  const row = new Uint8ClampedArray(width * 3)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const from = 4 * (y * width + x)
      const opacity = (data[from + 3] ?? 255) / 255
      for (let one = 0; one < 3; one += 1) row[3 * x + one] = 255 + ((data[from + one] ?? 0) - 255) * opacity
    }
    takeRow(row, y)
  }
}
