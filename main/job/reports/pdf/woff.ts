import { inflateSync } from 'node:zlib'

/**
 * Unpacks a WOFF 1.0 font (https://www.w3.org/TR/WOFF/) to the plain font in it. PDFKit could read WOFF itself, but
 * inflates every table in JavaScript for every document, which takes longer than the whole report.
 * Throws RangeError or a zlib error when the bytes are no such font.
 */
export function unpackWoff(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new RangeError('not a WOFF font')
  const tableCount = woff.readUInt16BE(12)
  const headerLength = 12 + tableCount * 16
  const header = Buffer.alloc(headerLength)
  woff.copy(header, 0, 4, 8)
  const largestPower = 2 ** Math.floor(Math.log2(tableCount))
  header.writeUInt16BE(tableCount, 4)
  header.writeUInt16BE(largestPower * 16, 6)
  header.writeUInt16BE(Math.log2(largestPower), 8)
  header.writeUInt16BE((tableCount - largestPower) * 16, 10)

  const parts: Buffer[] = [header]
  let offset = headerLength
  for (let index = 0; index < tableCount; index++) {
    const entry = 44 + index * 20
    const start = woff.readUInt32BE(entry + 4)
    const packedLength = woff.readUInt32BE(entry + 8)
    const length = woff.readUInt32BE(entry + 12)
    const stored = woff.subarray(start, start + packedLength)
    const table = packedLength < length ? inflateSync(stored, { maxOutputLength: length }) : stored
    if (table.length !== length) throw new RangeError('a table of the font is cut off')
    const row = 12 + index * 16
    woff.copy(header, row, entry, entry + 4)
    woff.copy(header, row + 4, entry + 16, entry + 20)
    header.writeUInt32BE(offset, row + 8)
    header.writeUInt32BE(length, row + 12)
    const padding = Buffer.alloc((4 - (length % 4)) % 4)
    parts.push(table, padding)
    offset += length + padding.length
  }
  return Buffer.concat(parts)
}
