import { createHash } from 'node:crypto'
import { constants, open, type FileHandle } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { fromFdPromise, type Entry, type ZipFile } from 'yauzl'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import { bundleLimits, manifestName } from './format.ts'

interface Place {
  name: string
  from: number
  packedBytes: number
  bytes: number
  isPacked: boolean
  checksum: number
}

/** Allowed header flags: the compression level, sizes after the data, and names in UTF-8. */
const bearableFlags = 0x080e
/** The file type in a Unix mode: it shows links, devices and everything else that is not a regular file. */
const unixKindMask = 0o170000
const unixFile = 0o100000
const unixFolder = 0o040000
/** With what a file manager adds: a folder or a second file for each part. */
const mostEntries = 3 * (bundleLimits.parts + 1)
const mostShownName = 80
/** At most one folder deep, and no dot except before the extension: such a name cannot leave its folder. */
const bearableName = /^[0-9A-Za-z-]{1,40}(\/[0-9A-Za-z-]{1,70})?\.[a-z]{3,5}$/
const endBytes = 22
const locatorBytes = 20
const pieceBytes = 256 * 1024

export function refusal(sentence: Message, cause?: unknown): AppError {
  return new AppError('INVALID_REQUEST', sentence, cause === undefined ? {} : { cause })
}

/**
 * The files of an archive with few files of unique names; opening reads only its directory. INVALID_REQUEST for
 * everything else, in bounded time.
 */
export async function openZip(file: string, signal: AbortSignal) {
  const handle = await openFile(file)
  try {
    const directoryAt = await findDirectory(handle)
    const places = await readDirectory(handle, directoryAt, signal)
    return {
      /** The unpacked size that each file claims; reading stops if the file contains more or fewer bytes. */
      sizes: new Map([...places].map(([name, { bytes }]) => [name, bytes])),
      /**
       * The pieces of a file. Throws INVALID_REQUEST at its end if its checksum, or its SHA-256 if one is given,
       * differs.
       */
      pieces: (name: string, expected: { sha256: string | null; signal: AbortSignal }): AsyncGenerator<Uint8Array> =>
        readPieces(handle, places.get(name), expected),
      close: () => handle.close()
    }
  } catch (error) {
    await handle.close()
    throw asRefusal(error, signal)
  }
}

export type ZipReader = Awaited<ReturnType<typeof openZip>>

async function openFile(file: string): Promise<FileHandle> {
  try {
    // Reading a pipe would wait forever.
    return await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (cause) {
    throw refusal(message('bundles.notRead'), cause)
  }
}

/**
 * Finds the archive's directory: the end record must be at the very end, in the plain form; an offset out of range
 * would end the process.
 */
async function findDirectory(handle: FileHandle): Promise<number> {
  const facts = await handle.stat()
  if (!facts.isFile()) throw refusal(message('bundles.notAFile'))
  if (facts.size > bundleLimits.fileBytes) throw refusal(message('bundles.tooLarge'))
  const start = Buffer.alloc(4)
  await handle.read(start, 0, 4, 0)
  if (start.readUInt32LE(0) !== 0x04034b50) throw refusal(message('bundles.notABundle'))
  const end = Buffer.alloc(locatorBytes + endBytes)
  await handle.read(end, 0, end.length, Math.max(0, facts.size - end.length))
  if (end.readUInt32LE(locatorBytes) !== 0x06054b50 || end.readUInt16LE(end.length - 2) !== 0)
    throw refusal(message('bundles.cutOff'))
  if (end.readUInt32LE(0) === 0x07064b50) throw refusal(message('bundles.tooLarge'))
  return end.readUInt32LE(locatorBytes + 16)
}

async function readDirectory(
  handle: FileHandle,
  directoryAt: number,
  signal: AbortSignal
): Promise<Map<string, Place>> {
  const zip = await fromFdPromise(handle.fd, { autoClose: false, decodeStrings: false })
  if (zip.entryCount > mostEntries) throw refusal(message('bundles.tooLarge'))
  const packed: { name: string; entry: Entry }[] = []
  for await (const entry of zip.eachEntry()) {
    signal.throwIfAborted()
    const name = entry.fileName.toString('latin1')
    if (isAddedByPacking(name, entry)) continue
    if (entry.isEncrypted()) throw refusal(message('bundles.encrypted'))
    packed.push({ name, entry })
    if (packed.length > bundleLimits.parts + 1) throw refusal(message('bundles.tooLarge'))
  }
  const [only] = packed
  if (only && packed.length === 1 && /\.zip$/i.test(only.name))
    throw refusal(message('bundles.packedTwice', { name: showName(new TextDecoder().decode(only.entry.fileName)) }))
  const folder = enclosingFolder(packed.map(({ name }) => name))
  const entries = new Map<string, Entry>()
  let unpackedBytes = 0
  for (const { name: full, entry } of packed) {
    const name = full.slice(folder.length)
    if (!isPlainFile(entry) || !bearableName.test(name)) throw unknownFile(entry.fileName)
    if (entries.has(name)) throw refusal(message('bundles.strangeFile'))
    unpackedBytes += entry.uncompressedSize
    if (unpackedBytes > bundleLimits.unpackedBytes) throw refusal(message('bundles.tooLarge'))
    entries.set(name, entry)
  }
  return findPlaces(zip, entries, directoryAt)
}

/**
 * What the file managers of Windows, macOS and Linux add when a person unpacks a bundle and packs it again. None of it
 * is read.
 */
function isAddedByPacking(name: string, { uncompressedSize, versionMadeBy, externalFileAttributes }: Entry): boolean {
  const unixKind = versionMadeBy >> 8 === 3 ? (externalFileAttributes >>> 16) & unixKindMask : 0
  if (name.endsWith('/'))
    return uncompressedSize === 0 && (unixKind === 0 || unixKind === unixFolder) && isPlainPath(name)
  return /^__MACOSX\//.test(name) || /(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini)$/i.test(name)
}

/** The one folder that contains everything, with its slash; empty if the manifest is not in one. */
function enclosingFolder(names: readonly string[]): string {
  const folder = names.includes(manifestName)
    ? ''
    : (names.find((name) => name.endsWith(`/${manifestName}`))?.slice(0, -manifestName.length) ?? '')
  return isPlainPath(folder) && folder.split('/').length === 2 && names.every((name) => name.startsWith(folder))
    ? folder
    : ''
}

/** No part of it leaves its folder. */
function isPlainPath(path: string): boolean {
  return !/^\/|[\\:\0-\x1f]/.test(path) && !path.split('/').some((part) => part === '..' || part === '.')
}

/** Its name is of somebody else: shown short and without signs that steer a terminal or turn a line around. */
function unknownFile(name: Uint8Array): AppError {
  return refusal(message('bundles.unknownFile', { name: showName(new TextDecoder().decode(name)) }))
}

function showName(name: string): string {
  return name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd').slice(0, mostShownName)
}

function isPlainFile({
  generalPurposeBitFlag,
  compressionMethod,
  versionMadeBy,
  externalFileAttributes
}: Entry): boolean {
  const unixKind = versionMadeBy >> 8 === 3 ? (externalFileAttributes >>> 16) & unixKindMask : 0
  const isFile = unixKind === 0 || unixKind === unixFile
  return (
    isFile && (generalPurposeBitFlag & ~bearableFlags) === 0 && (compressionMethod === 0 || compressionMethod === 8)
  )
}

/** Files that share bytes can unpack to any size, and a header that differs from the directory can hide a file. */
async function findPlaces(
  zip: ZipFile,
  entries: ReadonlyMap<string, Entry>,
  directoryAt: number
): Promise<Map<string, Place>> {
  const places = new Map<string, Place>()
  let freeFrom = 0
  const inOrder = [...entries].sort(([, a], [, b]) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader)
  for (const [name, entry] of inOrder) {
    const {
      relativeOffsetOfLocalHeader: at,
      compressedSize: packedBytes,
      uncompressedSize: bytes,
      compressionMethod,
      crc32: checksum
    } = entry
    if (at < freeFrom || at + packedBytes > directoryAt) throw refusal(message('bundles.overlapping'))
    const header = await zip.readLocalFileHeaderPromise(entry)
    freeFrom = header.fileDataStart + packedBytes
    if (freeFrom > directoryAt) throw refusal(message('bundles.overlapping'))
    // A header may leave its sizes open and put them after the data.
    const isOpen = (header.generalPurposeBitFlag & 8) !== 0
    const isSame = header.fileName.equals(entry.fileName) && header.compressionMethod === compressionMethod
    const isSameSize =
      isOpen ||
      (header.compressedSize === packedBytes && header.uncompressedSize === bytes && header.crc32 === checksum)
    if (!isSame || !isSameSize) throw refusal(message('bundles.strangeFile'))
    places.set(name, {
      name,
      from: header.fileDataStart,
      packedBytes,
      bytes,
      isPacked: compressionMethod === 8,
      checksum
    })
  }
  return places
}

async function* readPieces(
  handle: FileHandle,
  place: Place | undefined,
  { sha256, signal }: { sha256: string | null; signal: AbortSignal }
): AsyncGenerator<Uint8Array> {
  if (!place) throw refusal(message('bundles.partMissing'))
  const damaged = () => refusal(message('bundles.damaged', { part: place.name }))
  const hash = createHash('sha256')
  let checksum = 0
  let bytes = 0
  try {
    for await (const piece of unpacked(handle, place)) {
      signal.throwIfAborted()
      bytes += piece.length
      if (bytes > place.bytes) throw damaged()
      hash.update(piece)
      checksum = crc32(piece, checksum)
      yield piece
    }
  } catch (error) {
    throw asRefusal(error, signal)
  }
  if (bytes !== place.bytes || checksum !== place.checksum || (sha256 !== null && hash.digest('hex') !== sha256))
    throw damaged()
}

/** Stored or inflated; when the reader stops, inflating stops too. */
function unpacked(handle: FileHandle, place: Place): AsyncIterable<Uint8Array> {
  const packed = storedPieces(handle, place)
  if (!place.isPacked) return packed
  return pipeline(Readable.from(packed), createInflateRaw({ chunkSize: pieceBytes }), () => undefined)
}

async function* storedPieces(handle: FileHandle, { from, packedBytes }: Place): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < packedBytes;) {
    const length = Math.min(pieceBytes, packedBytes - at)
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, from + at)
    // The file had this length when it was opened.
    if (bytesRead === 0) throw refusal(message('bundles.cutOff'))
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Turns errors of the archive library and of unpacking into one sentence about a malformed file. */
function asRefusal(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof AppError || signal.aborted) return error
  // A fault in Fitter is not turned into that sentence.
  if (error instanceof TypeError || error instanceof ReferenceError) return error
  return refusal(message('bundles.cutOff'), error)
}
