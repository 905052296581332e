import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** Some programs read only the plain form of an archive, which describes at most 65,535 files and 4 GiB. */
export const zipAtMostBytes = 0xffff_ffff

/** Writes a ZIP archive piece by piece. `checkRoom` gets the archive's length before each piece. */
export function createZipFile(handle: FileHandle, checkRoom: (bytes: number) => void) {
  const zip = new ZipFile()
  const written = writeAll()
  // Whoever adds the next file, or ends the archive, gets the failure.
  written.catch(() => undefined)

  async function writeAll(): Promise<void> {
    let length = 0
    for await (const piece of zip.outputStream as AsyncIterable<Buffer>) {
      length += piece.length
      checkRoom(length)
      await handle.writeFile(piece)
    }
  }

  return {
    async add(
      name: string,
      pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
      at: Date
    ): Promise<{ bytes: number; sha256: string }> {
      const hash = createHash('sha256')
      let bytes = 0
      async function* counted(): AsyncGenerator<Uint8Array> {
        for await (const piece of pieces) {
          bytes += piece.length
          hash.update(piece)
          yield piece
        }
      }
      const source = Readable.from(counted())
      zip.addReadStream(source, name, { mtime: at })
      try {
        await Promise.race([finished(source), written])
      } finally {
        source.destroy()
      }
      return { bytes, sha256: hash.digest('hex') }
    },
    async end(): Promise<void> {
      zip.end()
      await written
    }
  }
}
