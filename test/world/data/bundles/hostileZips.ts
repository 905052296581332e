import { crc32, deflateRawSync } from 'node:zlib'
import { sha256Hex } from '../../../../main/data/store/jobs/seal.ts'

/** A file of an archive, with whatever its headers shall say instead of the truth. */
export interface RawEntry {
  name: string
  content: Buffer
  isPacked?: boolean
  /** Bytes that stand in the archive in the place of the packed content. */
  packed?: Buffer
  checksum?: number
  bytes?: number
  packedBytes?: number
  flags?: number
  method?: number
  madeBy?: number
  attributes?: number
  localName?: string
  /** Says that it begins where this one does. */
  at?: number
  /** Extra field of the directory. */
  extra?: Buffer
}

export interface RawArchive {
  entries: RawEntry[]
  /** What its end says. */
  count?: number
  directoryAt?: number
  disk?: number
  /** Before its end. */
  beforeEnd?: Buffer
  behind?: Buffer
  before?: Buffer
}

/** Writes an archive with its headers as they are wanted. */
export function rawZip({ entries, count, directoryAt, disk = 0, beforeEnd, behind, before }: RawArchive): Buffer {
  const pieces: Buffer[] = before ? [before] : []
  const directory: Buffer[] = []
  let offset = before?.length ?? 0
  for (const entry of entries) {
    const packed = entry.packed ?? (entry.isPacked ? deflateRawSync(entry.content) : entry.content)
    const fields = (name: Buffer, extraLength: number): Buffer => {
      const head = Buffer.alloc(26)
      head.writeUInt16LE(20, 0)
      head.writeUInt16LE(entry.flags ?? 0, 2)
      head.writeUInt16LE(entry.method ?? (entry.isPacked ? 8 : 0), 4)
      head.writeUInt32LE(entry.checksum ?? crc32(entry.content), 10)
      head.writeUInt32LE(entry.packedBytes ?? packed.length, 14)
      head.writeUInt32LE(entry.bytes ?? entry.content.length, 18)
      head.writeUInt16LE(name.length, 22)
      head.writeUInt16LE(extraLength, 24)
      return head
    }
    const name = Buffer.from(entry.name, 'utf8')
    const local = Buffer.from(entry.localName ?? entry.name, 'utf8')
    const extra = entry.extra ?? Buffer.alloc(0)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(entry.attributes ?? 0, 6)
    place.writeUInt32LE(entry.at ?? offset, 10)
    const madeBy = Buffer.alloc(2)
    madeBy.writeUInt16LE(entry.madeBy ?? 20)
    directory.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002', 'latin1'), madeBy, fields(name, extra.length), place, name, extra])
    )
    const whole = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), fields(local, 0), local, packed])
    pieces.push(whole)
    offset += whole.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(disk, 4)
  end.writeUInt16LE(Math.min(0xffff, count ?? entries.length), 8)
  end.writeUInt16LE(Math.min(0xffff, count ?? entries.length), 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(directoryAt ?? offset, 16)
  return Buffer.concat([...pieces, listed, beforeEnd ?? Buffer.alloc(0), end, behind ?? Buffer.alloc(0)])
}

type Files = ReadonlyMap<string, Buffer>
interface ManifestJson {
  version: unknown
  parts: { name: string; kind: string; bytes: number; sha256: string }[]
}

/**
 * The files of a bundle with some replaced (null: removed), and a matching manifest: an attacker can compute hashes
 * too.
 */
export function exchanged(
  files: Files,
  changes: Record<string, string | Buffer | null>,
  more: { name: string; kind: string }[] = []
): RawEntry[] {
  const present = new Map(files)
  for (const [name, content] of Object.entries(changes)) {
    if (content === null) present.delete(name)
    else present.set(name, Buffer.from(content))
  }
  const manifest = JSON.parse(String(files.get('manifest.json'))) as ManifestJson
  const parts = [
    ...manifest.parts,
    ...more.map((one) => ({ ...one, bytes: 0, sha256: '', items: null, from: null, to: null }))
  ]
  manifest.parts = parts.flatMap((part) => {
    const content = present.get(part.name)
    return content ? [{ ...part, bytes: content.length, sha256: sha256Hex(content) }] : []
  })
  if (!('manifest.json' in changes)) present.set('manifest.json', Buffer.from(JSON.stringify(manifest)))
  return [...present].map(([name, content]) => ({ name, content, isPacked: true }))
}

/** The manifest of a bundle with something changed in it, and everything else as it was. */
export function withManifest(
  files: Files,
  change: (manifest: Record<string, unknown> & ManifestJson) => void
): RawEntry[] {
  const manifest = JSON.parse(String(files.get('manifest.json'))) as Record<string, unknown> & ManifestJson
  change(manifest)
  return [...files].map(([name, content]) => ({
    name,
    content: name === 'manifest.json' ? Buffer.from(JSON.stringify(manifest)) : content,
    isPacked: true
  }))
}
