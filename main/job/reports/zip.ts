import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

const utf8Names = 0x0800

interface Facts {
  name: Buffer
  at: Date
  isPacked: boolean
  checksum: number
  packedBytes: number
  bytes: number
}

const localSignature = 0x04034b50
const directorySignature = 0x02014b50
const endSignature = 0x06054b50
/** The length of the header before a file, without its name. */
const localBytes = 30

/** The plain form of an archive describes at most 65,535 files and 4 GiB. */
export const zipAtMostBytes = 0xffff_ffff

export interface ZippedFile {
  bytes: number
  sha256: string
}

/**
 * Writes a ZIP archive piece by piece; packed files are deflated. `checkRoom` gets the archive's length before each
 * piece.
 */
export function createZipFile(handle: FileHandle, checkRoom: (bytes: number) => void) {
  const directory: Buffer[] = []
  let offset = 0

  async function put(bytes: Uint8Array): Promise<void> {
    checkRoom(offset + bytes.length)
    await handle.write(bytes, 0, bytes.length, offset)
    offset += bytes.length
  }

  return {
    async add(
      name: string,
      pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
      { at, isPacked }: { at: Date; isPacked: boolean }
    ): Promise<ZippedFile> {
      const facts: Facts = { name: Buffer.from(name, 'utf8'), at, isPacked, checksum: 0, packedBytes: 0, bytes: 0 }
      const hash = createHash('sha256')
      const from = offset
      // Replaced when the checksum and the sizes are known.
      await put(localHeader(facts))
      async function* counted(): AsyncGenerator<Uint8Array> {
        for await (const piece of pieces) {
          facts.bytes += piece.length
          facts.checksum = crc32(piece, facts.checksum)
          hash.update(piece)
          yield piece
        }
      }
      const packed = isPacked ? pipeline(Readable.from(counted()), createDeflateRaw(), () => undefined) : counted()
      for await (const piece of packed) {
        facts.packedBytes += (piece as Uint8Array).length
        await put(piece as Uint8Array)
      }
      const header = localHeader(facts)
      await handle.write(header, 0, header.length, from)
      directory.push(directoryEntry(facts, from))
      return { bytes: facts.bytes, sha256: hash.digest('hex') }
    },
    async end(): Promise<void> {
      await put(endOfArchive(directory, offset))
    }
  }
}

function localHeader(facts: Facts): Buffer {
  return Buffer.concat([signature(localSignature), sharedFields(facts), facts.name])
}

/** Of both headers: version, flags, method, time, date, checksum, both sizes, length of the name, no extra field. */
function sharedFields({ name, at, isPacked, checksum, packedBytes, bytes }: Facts): Buffer {
  const fields = Buffer.alloc(localBytes - 4)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(utf8Names, 2)
  fields.writeUInt16LE(isPacked ? 8 : 0, 4)
  fields.writeUInt16LE(dosTime(at), 6)
  fields.writeUInt16LE(dosDate(at), 8)
  fields.writeUInt32LE(checksum, 10)
  fields.writeUInt32LE(packedBytes, 14)
  fields.writeUInt32LE(bytes, 18)
  fields.writeUInt16LE(name.length, 22)
  return fields
}

function directoryEntry(facts: Facts, offset: number): Buffer {
  const place = Buffer.alloc(14)
  place.writeUInt32LE(offset, 10)
  return Buffer.concat([signature(directorySignature), Buffer.from([20, 0]), sharedFields(facts), place, facts.name])
}

function endOfArchive(directory: readonly Buffer[], start: number): Buffer {
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(endSignature, 0)
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(start, 16)
  return Buffer.concat([entries, end])
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function dosTime(at: Date): number {
  return (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1)
}

function dosDate(at: Date): number {
  return ((at.getFullYear() - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate()
}
