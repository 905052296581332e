import { inflateSync } from 'node:zlib'
import type { PngPart } from './pictureParts.ts'

/** Values of a point, by the kind of colour that the head of a PNG names. */
const valuesOfColour: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/**
 * Whether the data of a PNG are those of every point that its head promises. The decoder does not look: what is missing it
 * takes from memory that was never written, and that would stand in the picture. Interlaced pictures it reads otherwise, and whole.
 */
export function hasAllPoints(parts: readonly PngPart[]): boolean {
  const head = Buffer.from(parts[0]?.bytes ?? [])
  if (head.length < 25) return false
  const [width, height, depth, values, isInterlaced] = [head.readUInt32BE(8), head.readUInt32BE(12), head[16] ?? 0, valuesOfColour[head[17] ?? -1] ?? 0, head[20] !== 0]
  if (isInterlaced) return true
  // Each row has its filter before its points.
  const wantedBytes = (Math.ceil((width * values * depth) / 8) + 1) * height
  const data = Buffer.concat(parts.filter(({ type }) => type === 'IDAT').map(({ bytes }) => bytes.subarray(8, -4)))
  try {
    return inflateSync(data, { maxOutputLength: wantedBytes }).length === wantedBytes
  } catch (error) {
    // More than was promised is left unread.
    return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
  }
}
