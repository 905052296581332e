import type { FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { message, type Message } from '../../../preload/contract/messages.ts'

/** The parts of a PMTiles file that are needed to draw it; see the specification of version 3. */
export interface PmtilesFacts {
  maxZoom: number
  /** The attribution, without the markup that such texts often contain. */
  attribution: string
}

export type PmtilesCheck = { kind: 'good'; facts: PmtilesFacts } | { kind: 'bad'; why: Message }

const headerLength = 127
const knownVersion = 3
const vectorTiles = 1
/** A directory or description that is larger than this when unpacked is invalid. */
const largestPart = 16 * 1024 * 1024
const unzip = promisify(gunzip)

/**
 * Reads the header of a file, its first directory and its description: a file that passes can be drawn, except single
 * tiles.
 */
export async function checkPmtiles(file: FileHandle, sizeBytes: number): Promise<PmtilesCheck> {
  const header = await readPart(file, 0, Math.min(headerLength, sizeBytes))
  if (header.subarray(0, 7).toString('latin1') !== 'PMTiles') return bad(message('maps.notPmtiles'))
  const version = header[7] ?? 0
  if (version > knownVersion) return bad(message('maps.tooNew', { version, known: knownVersion }))
  if (version < knownVersion) return bad(message('maps.tooOld', { version, known: knownVersion }))
  if (header.length < headerLength) return bad(message('maps.cutOff'))

  const part = (at: number) => ({
    offset: Number(header.readBigUInt64LE(at)),
    length: Number(header.readBigUInt64LE(at + 8))
  })
  const [root, description, leaves, tiles] = [part(8), part(24), part(40), part(56)]
  if ([root, description, leaves, tiles].some(({ offset, length }) => offset + length > sizeBytes))
    return bad(message('maps.cutOff'))
  const [internal, ofTiles, tileType, maxZoom] = [header[97] ?? 0, header[98] ?? 0, header[99] ?? 0, header[101] ?? 0]
  if (tileType !== vectorTiles) return bad(message('maps.notVector'))
  if (![1, 2].includes(internal) || ![1, 2].includes(ofTiles)) return bad(message('maps.compression'))
  if (root.length === 0 || root.length > largestPart || description.length > largestPart)
    return bad(message('maps.damaged'))
  try {
    const directory = await unpack(await readPart(file, root.offset, root.length), internal)
    if (directory.length === 0 || directory[0] === 0) return bad(message('maps.damaged'))
    const described = JSON.parse(
      (await unpack(await readPart(file, description.offset, description.length), internal)).toString('utf8') || '{}'
    ) as unknown
    return { kind: 'good', facts: { maxZoom: Math.min(maxZoom, 20), attribution: attributionOf(described) } }
  } catch {
    // The bytes could be read, but they do not match the header or are not JSON.
    return bad(message('maps.damaged'))
  }
}

function bad(why: Message): PmtilesCheck {
  return { kind: 'bad', why }
}

async function readPart(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset)
  return buffer.subarray(0, bytesRead)
}

async function unpack(packed: Buffer, compression: number): Promise<Buffer> {
  return compression === 2 && packed.length > 0 ? unzip(packed, { maxOutputLength: largestPart }) : packed
}

function attributionOf(described: unknown): string {
  const text =
    typeof described === 'object' && described !== null
      ? (described as { attribution?: unknown }).attribution
      : undefined
  if (typeof text !== 'string') return ''
  return text
    .replace(/<[^>]*>/g, '')
    .replaceAll('&copy;', '©')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200)
}
