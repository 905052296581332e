import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { translateDataError } from '../file/errors.ts'
import { sha256Hex } from './seal.ts'
import { syncToDisk } from '../file/syncToDisk.ts'

/** Bytes are read and passed on in pieces of this size, the last one shorter. */
export const pieceBytes = 256 * 1024

/** Bytes on the disk under their hash; a row may now name them. */
export interface WrittenFile {
  sha256: string
  sizeBytes: number
}

const hashForm = /^[0-9a-f]{64}$/

/** The path of the bytes with this hash; undefined for an invalid hash, so that a changed row leads nowhere else. */
export function fileOf(folder: string, sha256: string): string | undefined {
  return hashForm.test(sha256) ? path.join(folder, sha256.slice(0, 2), sha256) : undefined
}

/** Stores bytes under their hash, on the disk when it resolves. An existing file is left; a changed one is repaired. */
export async function writeAttachment(folder: string, bytes: Uint8Array): Promise<WrittenFile> {
  const written = { sha256: sha256Hex(bytes), sizeBytes: bytes.length }
  const target = path.join(folder, written.sha256.slice(0, 2), written.sha256)
  const partial = partialOf(target)
  try {
    await fs.promises.mkdir(path.dirname(target), { recursive: true, mode: 0o700 })
    if (!(await isWhole(folder, written))) {
      // A new file with a name where nobody can have placed a link.
      const handle = await fs.promises.open(partial, 'wx', 0o600)
      try {
        await handle.writeFile(bytes)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await fs.promises.rename(partial, target)
    }
    // Another writer may have created the folders without syncing them yet.
    for (const name of foldersOf(folder, target)) await syncFolder(name)
    return written
  } catch (error) {
    await fs.promises.rm(partial, { force: true }).catch(() => undefined)
    throw translateDataError(error)
  }
}

/**
 * The same for a separate thread, which may wait: `pieces` in order. False, without writing, when they do not match the
 * hash.
 */
export function writePieces(folder: string, { sha256, sizeBytes }: WrittenFile, pieces: Iterable<Uint8Array>): boolean {
  const target = fileOf(folder, sha256)
  if (target === undefined) return false
  if (holdsWhole(folder, { sha256, sizeBytes })) return true
  fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 })
  const partial = partialOf(target)
  const handle = fs.openSync(partial, 'wx', 0o600)
  let isOpen = true
  try {
    const hash = createHash('sha256')
    for (const piece of pieces) {
      hash.update(piece)
      fs.writeFileSync(handle, piece)
    }
    if (hash.digest('hex') !== sha256) return false
    fs.fsyncSync(handle)
    fs.closeSync(handle)
    isOpen = false
    fs.renameSync(partial, target)
    return true
  } finally {
    if (isOpen) fs.closeSync(handle)
    fs.rmSync(partial, { force: true })
  }
}

/** The complete file under a hash, with or without a row; undefined when there is none. */
export async function findAttachment(folder: string, written: WrittenFile): Promise<WrittenFile | undefined> {
  return (await isWhole(folder, written)) ? written : undefined
}

/** After many `writePieces`: syncs their names as well. */
export function syncFolders(folder: string): void {
  if (process.platform === 'win32' || !fs.existsSync(folder)) return
  for (const entry of fs.readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) syncToDisk(path.join(folder, entry.name))
  syncToDisk(folder)
  syncToDisk(path.dirname(folder))
}

/** Opens the file under a hash if it is an ordinary file, not a link, pipe or folder. */
export function openAttachment(folder: string, sha256: string): number | undefined {
  const name = fileOf(folder, sha256)
  if (name === undefined) return undefined
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants
  let handle: number
  try {
    // Windows has neither.
    handle = fs.openSync(name, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0))
  } catch (error) {
    if (isNoFile(error)) return undefined
    throw error
  }
  if (fs.fstatSync(handle).isFile()) return handle
  fs.closeSync(handle)
  return undefined
}

/** The file piece by piece, so that a part can be read alone; nothing when there is no file. */
export function* piecesOf(folder: string, sha256: string): Generator<Buffer> {
  const handle = openAttachment(folder, sha256)
  if (handle === undefined) return
  try {
    for (;;) {
      const piece = Buffer.alloc(pieceBytes)
      const length = readFully(handle, piece)
      if (length > 0) yield piece.subarray(0, length)
      if (length < pieceBytes) return
    }
  } finally {
    fs.closeSync(handle)
  }
}

function readFully(handle: number, into: Buffer): number {
  let length = 0
  while (length < into.length) {
    const read = fs.readSync(handle, into, length, into.length - length, null)
    if (read === 0) break
    length += read
  }
  return length
}

/** Whether the bytes match their hash. */
export function holdsWhole(folder: string, { sha256, sizeBytes }: WrittenFile): boolean {
  const name = fileOf(folder, sha256)
  const present = name === undefined ? undefined : fs.lstatSync(name, { throwIfNoEntry: false })
  if (!present?.isFile() || present.size !== sizeBytes) return false
  const hash = createHash('sha256')
  for (const piece of piecesOf(folder, sha256)) hash.update(piece)
  return hash.digest('hex') === sha256
}

async function isWhole(folder: string, { sha256, sizeBytes }: WrittenFile): Promise<boolean> {
  const name = fileOf(folder, sha256)
  if (name === undefined) return false
  const present = await fs.promises.lstat(name).catch((error: unknown) => {
    if (isNoFile(error)) return undefined
    throw error
  })
  if (!present?.isFile() || present.size !== sizeBytes) return false
  return sha256Hex(await fs.promises.readFile(name)) === sha256
}

function partialOf(target: string): string {
  return `${target}.${randomBytes(6).toString('hex')}.part`
}

function foldersOf(folder: string, target: string): string[] {
  return [path.dirname(target), folder, path.dirname(folder)]
}

async function syncFolder(name: string): Promise<void> {
  // Windows cannot sync a folder.
  if (process.platform === 'win32') return
  const handle = await fs.promises.open(name, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Missing, or not a file of ours. */
function isNoFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(ENOENT|ENOTDIR|ELOOP|EMLINK|ENXIO)$/.test(String(error.code))
}
