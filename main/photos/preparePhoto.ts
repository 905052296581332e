import jpeg from 'jpeg-js'
import { PNG } from 'pngjs'
import { message, type Message } from '../../preload/contract/messages.ts'
import { distanceM } from '../device/facts.ts'
import { plainExif, readExif, type Exif } from './exif.ts'
import { largestPhotoBytes, largestPhotoPixels, largestPngPixels, reportPixels } from './limits.ts'
import { PictureRefusal, putTogether, takeApart, type PictureParts, type PngPart } from './pictureParts.ts'
import { brightnessOf, shrinkPoints, sizeWithin, type Brightness, type Points } from './points.ts'
import { readJpeg, scaledLength, type JpegScale } from './readJpeg.ts'
import { stampPhoto, stampText } from './stamp.ts'
import { inflateSync } from 'node:zlib'

export interface PhotoPosition {
  latitude: number
  longitude: number
}

export interface PhotoInput {
  bytes: Uint8Array
  /** Where the device beside it is now; null: not known. */
  devicePlace: PhotoPosition | null
  /** A picture from no farther away than this was taken here. */
  samePlaceM: number
  keptAt: string
  /** What is known from elsewhere, as of a vehicle's camera; it goes before what the file says. */
  takenAt: string | null
  place: PhotoPosition | null
}

/** A picture as it is kept, and its copy for reports. */
export interface PreparedPhoto {
  bytes: Uint8Array
  mediaType: 'image/jpeg' | 'image/png'
  /** As it is to be seen. */
  width: number
  height: number
  takenAt: string | null
  place: PhotoPosition | null
  placeSource: 'device' | 'photo' | 'given' | null
  report: Uint8Array
  brightness: Brightness
}

export type PhotoAnswer = { outcome: 'prepared'; photo: PreparedPhoto } | { outcome: 'refused'; reason: Message }

/**
 * Judges a picture, takes out what names another place, and makes the copy for reports. What is no whole JPEG or PNG, or is
 * larger than any camera makes it, is refused in words.
 */
export function preparePhoto(input: PhotoInput): PhotoAnswer {
  try {
    return { outcome: 'prepared', photo: prepare(input) }
  } catch (error) {
    if (error instanceof PictureRefusal) return { outcome: 'refused', reason: error.reason }
    throw error
  }
}

function prepare({ bytes, devicePlace, samePlaceM, keptAt, takenAt, place: given }: PhotoInput): PreparedPhoto {
  if (bytes.length > largestPhotoBytes) throw new PictureRefusal(message('photos.tooLarge', { largestMb: largestPhotoBytes / 1_000_000 }))
  const parts = takeApart(bytes)
  if (parts.width === 0 || parts.height === 0) throw new PictureRefusal(message('photos.unreadable'))
  const most = mostPoints(parts)
  if (parts.width * parts.height > most) {
    throw new PictureRefusal(message('photos.tooManyPoints', { width: parts.width, height: parts.height, largestMp: most / 1_000_000 }))
  }
  if (parts.kind === 'png' && !hasAllPoints(parts.parts)) throw new PictureRefusal(message('photos.unreadable'))
  const exif = parts.exif === null ? undefined : readExif(parts.exif)
  const said = exif?.place ?? null
  const isHere = said !== null && devicePlace !== null && distanceM(said, devicePlace) <= samePlaceM
  const kept = putTogether(parts, keptExif(parts, exif, isHere))
  const small = decodeSmall(parts, exif?.orientation ?? 1)
  const isTurned = (exif?.orientation ?? 1) >= 5
  const taken = takenAt ?? exif?.takenAt ?? null
  const [place, placeSource] = placeOf({ given, exif, isHere, devicePlace })
  const report = jpeg.encode(stampPhoto(small, stampText(taken ?? keptAt, place)), 85).data
  return {
    bytes: kept,
    mediaType: parts.kind === 'jpeg' ? 'image/jpeg' : 'image/png',
    width: isTurned ? parts.height : parts.width,
    height: isTurned ? parts.width : parts.height,
    takenAt: taken,
    place,
    placeSource,
    report: new Uint8Array(report),
    brightness: brightnessOf(small)
  }
}

/** A PNG of 16 bits needs twice the memory of another one. */
function mostPoints(picture: PictureParts): number {
  if (picture.kind === 'jpeg') return largestPhotoPixels
  return picture.parts[0]?.bytes[16] === 16 ? largestPngPixels / 2 : largestPngPixels
}

/** What does not name a place stays as the camera wrote it; what cannot be read may name one. */
function keptExif(parts: PictureParts, exif: Exif | undefined, isHere: boolean): Uint8Array | null {
  if (!exif) return null
  if (isHere || !exif.hasPlace) return parts.exif
  return parts.kind === 'jpeg' ? plainExif(exif) : null
}

/** A picture that says that it was taken elsewhere does not get the place of the device. */
function placeOf({ given, exif, isHere, devicePlace }: { given: PhotoPosition | null; exif: Exif | undefined; isHere: boolean; devicePlace: PhotoPosition | null }): [PhotoPosition | null, PreparedPhoto['placeSource']] {
  if (given) return [given, 'given']
  if (exif?.place && isHere) return [exif.place, 'photo']
  if (exif?.place && devicePlace) return [null, null]
  return devicePlace ? [devicePlace, 'device'] : [null, null]
}

/** At most as large as reports show it. What the decoders say of a broken picture is for programmers; it is kept as the cause. */
function decodeSmall(parts: PictureParts, orientation: number): Points {
  const size = sizeWithin(parts, reportPixels)
  try {
    if (parts.kind === 'png') return decodePng(parts, size, orientation)
    const longest = Math.max(parts.width, parts.height)
    const scale = ([8, 4, 2] as const).find((one) => longest / one >= reportPixels && Math.min(parts.width, parts.height) / one >= Math.min(size.width, size.height)) ?? 1
    return decodeJpeg(parts, { scale, size, orientation })
  } catch (error) {
    throw Object.assign(new PictureRefusal(message('photos.unreadable')), { cause: error })
  }
}

function decodeJpeg({ width, height, parts }: PictureParts & { kind: 'jpeg' }, { scale, size, orientation }: { scale: JpegScale; size: { width: number; height: number }; orientation: number }): Points {
  const shrinking = shrinkPoints({ width: scaledLength(width, scale), height: scaledLength(height, scale) }, size, orientation)
  readJpeg(parts, scale, shrinking.takeRow)
  return shrinking.end()
}

function decodePng({ parts }: PictureParts & { kind: 'png' }, size: { width: number; height: number }, orientation: number): Points {
  const { width, height, data } = PNG.sync.read(Buffer.from(putTogether({ kind: 'png', width: 0, height: 0, parts, exif: null }, null)))
  const shrinking = shrinkPoints({ width, height }, size, orientation)
  const row = new Uint8Array(width * 3)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const from = 4 * (y * width + x)
      const opacity = data[from + 3] ?? 255
      // What shows through is white, as paper is.
      for (let colour = 0; colour < 3; colour += 1) row[3 * x + colour] = Math.round(255 + (((data[from + colour] ?? 0) - 255) * opacity) / 255)
    }
    shrinking.takeRow(row)
  }
  return shrinking.end()
}

/** Values of a point, by the kind of colour that the head of a PNG names. */
const valuesOfColour: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/**
 * Whether the data of a PNG are those of every point that its head promises. The decoder does not look: what is missing it
 * takes from memory that was never written, and that would stand in the picture. Interlaced pictures it reads otherwise, and whole.
 */
function hasAllPoints(parts: readonly PngPart[]): boolean {
  const head = Buffer.from(parts[0]?.bytes ?? [])
  if (head.length < 25) return false
  const [width, height, depth, values, isInterlaced] = [head.readUInt32BE(8), head.readUInt32BE(12), head[16] ?? 0, valuesOfColour[head[17] ?? -1] ?? 0, head[20] !== 0]
  if (isInterlaced) return true
  // Each row has its filter before its points.
  const wantedBytes = (Math.ceil((width * values * depth) / 8) + 1) * height
  const data = Buffer.concat(parts.filter(({ type }) => type === 'IDAT').map(({ bytes }) => bytes.subarray(8, -4)))
  try {
    return inflateSync(data, { maxOutputLength: wantedBytes }).length === wantedBytes
  } catch (error) {
    // More than was promised is left unread.
    return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
  }
}
