import { open, stat, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { OfflineMap } from '../../../preload/contract/app/maps.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { checkPmtiles, type PmtilesCheck } from './pmtiles.ts'

export interface MapBytes {
  bytes: Uint8Array<ArrayBuffer>
  sizeBytes: number
  /** Changes whenever the file is written. */
  tag: string
}

interface Look {
  savedAt: string
  sizeBytes: number
  tag: string
  check: PmtilesCheck
}

/** A map file needs an absolute path and the ending .pmtiles. Undefined: the file may be read. */
export function refusePath(file: string): Message | undefined {
  if (!path.isAbsolute(file)) return message('maps.wholePath')
  return path.extname(file).toLowerCase() === '.pmtiles' ? undefined : message('maps.notPmtiles')
}

/** The chosen map file. It is checked again after every change, because a USB stick may be removed at any time. */
export function createOfflineFile(file: string) {
  let latest: Look | undefined

  async function look(): Promise<Look> {
    const { mtimeMs, size, ino, isFile } = await stat(file).then((found) => ({
      mtimeMs: found.mtimeMs,
      size: found.size,
      ino: found.ino,
      isFile: found.isFile()
    }))
    const tag = `"${ino.toString(36)}-${Math.round(mtimeMs).toString(36)}-${size.toString(36)}"`
    if (latest?.tag === tag) return latest
    // Reading a pipe or a device would never end.
    const check: PmtilesCheck = isFile
      ? await within(file, (handle) => checkPmtiles(handle, size))
      : { kind: 'bad', why: message('maps.notPmtiles') }
    latest = { savedAt: new Date(mtimeMs).toISOString(), sizeBytes: size, tag, check }
    return latest
  }

  return {
    async show(): Promise<OfflineMap> {
      const name = path.basename(file, path.extname(file))
      try {
        const { savedAt, sizeBytes, check } = await look()
        const facts = check.kind === 'good' ? check.facts : { maxZoom: 0, attribution: '' }
        return { name, savedAt, sizeBytes, ...facts, problem: check.kind === 'good' ? null : check.why }
      } catch (error) {
        const savedAt = latest?.savedAt ?? new Date(0).toISOString()
        return { name, savedAt, sizeBytes: 0, maxZoom: 0, attribution: '', problem: whyUnreadable(error) }
      }
    },
    /** Undefined if the file cannot be drawn, or if the range is outside the file. */
    async read(from: number, length: number): Promise<MapBytes | undefined> {
      const { check, sizeBytes, tag } = await look()
      if (check.kind === 'bad' || from >= sizeBytes) return undefined
      const wanted = Math.min(length, sizeBytes - from)
      const bytes = new Uint8Array(wanted)
      const { bytesRead } = await within(file, (handle) => handle.read(bytes, 0, wanted, from))
      return { bytes: bytes.subarray(0, bytesRead), sizeBytes, tag }
    }
  }
}

async function within<T>(file: string, work: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(file, 'r')
  try {
    return await work(handle)
  } finally {
    await handle.close()
  }
}

function whyUnreadable(error: unknown): Message {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
  return code === 'ENOENT' || code === 'ENOTDIR'
    ? message('maps.notThere')
    : message('maps.unreadable', { reason: code })
}
