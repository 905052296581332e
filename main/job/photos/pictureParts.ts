import { crc32 } from 'node:zlib'
import { message, type Message } from '../../../preload/contract/messages.ts'

/** A JPEG or PNG split into parts: enough to check it, and to remove parts, without changing the pixels. */
export type PictureParts =
  | { kind: 'jpeg'; width: number; height: number; parts: JpegPart[]; exif: Uint8Array | null }
  | { kind: 'png'; width: number; height: number; parts: PngPart[]; exif: Uint8Array | null }

export interface JpegPart {
  marker: number
  /** The whole part with its marker; for the start of a scan, including the data after it. */
  bytes: Uint8Array
}

export interface PngPart {
  type: string
  bytes: Uint8Array
}

/** Why a picture is refused. */
export class PictureRefusal extends Error {
  readonly reason: Message
  constructor(reason: Message) {
    super(reason.id)
    this.reason = reason
  }
}

export const unreadable = () => new PictureRefusal(message('photos.unreadable'))
export const truncated = () => new PictureRefusal(message('photos.truncated'))

const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const exifStart = Buffer.from('Exif\0\0', 'latin1')

/**
 * Splits a picture into parts. Throws PictureRefusal for anything but a JPEG or PNG. Without its end mark it ends with
 * the file: whether its pixels are complete is known to the decoder.
 */
export function takeApart(bytes: Uint8Array): PictureParts {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return takeJpegApart(bytes)
  if (pngStart.equals(bytes.subarray(0, pngStart.length))) return takePngApart(bytes)
  throw new PictureRefusal(message('photos.unknownForm'))
}

const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

function takeJpegApart(bytes: Uint8Array): PictureParts {
  const parts: JpegPart[] = []
  let size: { width: number; height: number } | undefined
  let exif: Uint8Array | null = null
  let hasScan = false
  let at = 2
  for (;;) {
    // Any number of fill bytes may come before a marker.
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at += 1
    const marker = bytes[at + 1]
    if (marker === 0xd9 || (marker === undefined && hasScan)) break
    if (bytes[at] !== 0xff || marker === undefined) throw truncated()
    const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)
    let end = at + 2 + length
    if (length < 2 || end > bytes.length) throw truncated()
    if (isFrame(marker)) {
      if (length < 8) throw unreadable()
      size = {
        height: ((bytes[at + 5] ?? 0) << 8) | (bytes[at + 6] ?? 0),
        width: ((bytes[at + 7] ?? 0) << 8) | (bytes[at + 8] ?? 0)
      }
    }
    if (isExif(marker, bytes.subarray(at, end))) exif ??= bytes.subarray(at + 10, end)
    if (marker === 0xda) {
      end = endOfScan(bytes, end)
      hasScan = true
    }
    parts.push({ marker, bytes: bytes.subarray(at, end) })
    at = end
  }
  if (!size || !hasScan) throw truncated()
  return { kind: 'jpeg', ...size, parts, exif }
}

/** The coded pixels continue to the next marker that is not a restart. */
function endOfScan(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(0xff, from)
  while (at !== -1) {
    const next = bytes[at + 1]
    if (next === undefined) return at
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at
    at = bytes.indexOf(0xff, at + (next === 0xff ? 1 : 2))
  }
  return bytes.length
}

function takePngApart(bytes: Uint8Array): PictureParts {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: PngPart[] = []
  let at = pngStart.length
  while (at < bytes.length || !parts.some(({ type }) => type === 'IDAT')) {
    if (at + 12 > bytes.length) throw truncated()
    const end = at + 12 + view.getUint32(at)
    if (end > bytes.length) throw truncated()
    const type = Buffer.from(bytes.subarray(at + 4, at + 8)).toString('latin1')
    parts.push({ type, bytes: bytes.subarray(at, end) })
    at = end
    if (type === 'IEND') break
  }
  const [head] = parts
  if (head?.type !== 'IHDR' || head.bytes.length !== 25) throw unreadable()
  const exif = parts.find(({ type }) => type === 'eXIf')
  return {
    kind: 'png',
    width: view.getUint32(16),
    height: view.getUint32(20),
    parts,
    exif: exif ? exif.bytes.subarray(8, -4) : null
  }
}

/** How the pixels are meant; texts, second pictures and program notes may contain a location or a name. */
const keptJpeg = (marker: number, bytes: Uint8Array) =>
  (!(marker >= 0xe0 && marker <= 0xef) && marker !== 0xfe) || isHarmless(marker, bytes)
const keptPng = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'pHYs', 'sBIT', 'bKGD'])

/** The same picture, pixel by pixel, with this EXIF block (null: none) and no other metadata. */
export function putTogether(picture: PictureParts, exif: Uint8Array | null): Uint8Array {
  if (picture.kind === 'jpeg') {
    const kept = picture.parts.filter(({ marker, bytes }) => keptJpeg(marker, bytes)).map(({ bytes }) => bytes)
    return Buffer.concat([
      Buffer.from([0xff, 0xd8]),
      ...(exif ? [exifSegment(exif)] : []),
      ...kept,
      Buffer.from([0xff, 0xd9])
    ])
  }
  const [head, ...others] = picture.parts.filter(({ type }) => keptPng.has(type)).map(({ bytes }) => bytes)
  return Buffer.concat([
    pngStart,
    ...(head ? [head] : []),
    ...(exif ? [pngPart('eXIf', exif)] : []),
    ...others,
    pngPart('IEND', Buffer.alloc(0))
  ])
}

function pngPart(type: string, content: Uint8Array): Uint8Array {
  const part = Buffer.alloc(12 + content.length)
  part.writeUInt32BE(content.length)
  part.write(type, 4, 'latin1')
  part.set(content, 8)
  part.writeUInt32BE(crc32(part.subarray(4, -4)), part.length - 4)
  return part
}

function isExif(marker: number, bytes: Uint8Array): boolean {
  return marker === 0xe1 && exifStart.equals(bytes.subarray(4, 4 + exifStart.length))
}

/** How the colours are meant. */
function isHarmless(marker: number, bytes: Uint8Array): boolean {
  const name = (text: string) => Buffer.from(bytes.subarray(4, 4 + text.length)).toString('latin1') === text
  return (
    (marker === 0xe0 && name('JFIF\0')) ||
    (marker === 0xe2 && name('ICC_PROFILE\0')) ||
    (marker === 0xee && name('Adobe'))
  )
}

function exifSegment(exif: Uint8Array): Uint8Array {
  const head = Buffer.alloc(4)
  head.writeUInt16BE(0xffe1)
  head.writeUInt16BE(2 + exifStart.length + exif.length, 2)
  return Buffer.concat([head, exifStart, exif])
}
