import { crc32 } from 'node:zlib'

/**
 * Writes files one after the other into a ZIP archive, without holding more than one of them. They are stored as they
 * are: a PDF is compressed already. At most 65,535 files and 4 GiB, which is what the plain form of the archive can say.
 */
export interface ZipWriter {
  add(name: string, content: Uint8Array, at: Date): Promise<void>
  end(): Promise<void>
}

/** Bytes of the longest archive. */
export const zipAtMostBytes = 0xffff_ffff

const utf8Names = 0x0800

export function createZip(write: (bytes: Uint8Array) => Promise<unknown>): ZipWriter {
  const directory: Buffer[] = []
  let offset = 0

  async function put(bytes: Uint8Array): Promise<void> {
    offset += bytes.length
    await write(bytes)
  }

  return {
    async add(name, content, at) {
      const nameBytes = Buffer.from(name, 'utf8')
      // Of both headers: version, flags, method, time, date, checksum, both sizes, length of the name, no extra field.
      const facts = Buffer.alloc(26)
      facts.writeUInt16LE(20, 0)
      facts.writeUInt16LE(utf8Names, 2)
      facts.writeUInt16LE(0, 4)
      facts.writeUInt16LE(dosTime(at), 6)
      facts.writeUInt16LE(dosDate(at), 8)
      facts.writeUInt32LE(crc32(content), 10)
      facts.writeUInt32LE(content.length, 14)
      facts.writeUInt32LE(content.length, 18)
      facts.writeUInt16LE(nameBytes.length, 22)
      const place = Buffer.alloc(14)
      place.writeUInt32LE(offset, 10)
      directory.push(Buffer.concat([signature(0x02014b50), Buffer.from([20, 0]), facts, place, nameBytes]))
      await put(Buffer.concat([signature(0x04034b50), facts, nameBytes]))
      await put(content)
    },
    async end() {
      const start = offset
      for (const entry of directory) await put(entry)
      const end = Buffer.alloc(22)
      end.writeUInt32LE(0x06054b50, 0)
      end.writeUInt16LE(directory.length, 8)
      end.writeUInt16LE(directory.length, 10)
      end.writeUInt32LE(offset - start, 12)
      end.writeUInt32LE(start, 16)
      await put(end)
    }
  }
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
