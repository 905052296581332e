import { crc32, inflateRawSync } from 'node:zlib'

/** The files of an archive, found by its directory. Throws when a checksum is wrong. */
export function readZip(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  if (end < 0) throw new Error('This is no archive.')
  const files = new Map<string, Buffer>()
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    if (bytes.readUInt32LE(at) !== 0x02014b50) throw new Error('The directory is not where it should be.')
    const [sum, size, nameLength, place] = [
      bytes.readUInt32LE(at + 16),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt16LE(at + 28),
      bytes.readUInt32LE(at + 42)
    ]
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const start = place + 30 + bytes.readUInt16LE(place + 26) + bytes.readUInt16LE(place + 28)
    const packed = bytes.subarray(start, start + size)
    const content = bytes.readUInt16LE(at + 10) === 8 ? inflateRawSync(packed) : packed
    if (crc32(content) !== sum) throw new Error(`${name} is damaged.`)
    files.set(name, content)
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return files
}
