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
  /** The current position of the connected device; null: unknown. */
  devicePlace: PhotoPosition | null
  /** A picture from at most this distance was taken here. */
  samePlaceM: number
  keptAt: string
  /** Facts from elsewhere, as for a vehicle's camera; they override the file's. */
  takenAt: string | null
  place: PhotoPosition | null
}

/** A stored picture, and its copy for reports. */
export interface PreparedPhoto {
  bytes: Uint8Array
  mediaType: 'image/jpeg' | 'image/png'
  /** As displayed. */
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
 * Checks a picture, removes other locations, and makes the copy for reports. Anything but a complete JPEG or PNG, or one
 * larger than any camera's, is refused with a message.
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

/** A PNG of 16 bits needs twice the memory. */
function mostPoints(picture: PictureParts): number {
  if (picture.kind === 'jpeg') return largestPhotoPixels
  return picture.parts[0]?.bytes[16] === 16 ? largestPngPixels / 2 : largestPngPixels
}

/** Parts without a location stay unchanged; an unreadable part may contain one. */
function keptExif(parts: PictureParts, exif: Exif | undefined, isHere: boolean): Uint8Array | null {
  if (!exif) return null
  if (isHere || !exif.hasPlace) return parts.exif
  return parts.kind === 'jpeg' ? plainExif(exif) : null
}

/** A picture that says that it was taken elsewhere does not get the position of the device. */
function placeOf({ given, exif, isHere, devicePlace }: { given: PhotoPosition | null; exif: Exif | undefined; isHere: boolean; devicePlace: PhotoPosition | null }): [PhotoPosition | null, PreparedPhoto['placeSource']] {
  if (given) return [given, 'given']
  if (exif?.place && isHere) return [exif.place, 'photo']
  if (exif?.place && devicePlace) return [null, null]
  return devicePlace ? [devicePlace, 'device'] : [null, null]
}

/** At most as large as in reports. The decoder's error about a broken picture is for programmers; it is kept as the cause. */
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
      // Transparent areas become white, like paper.
      for (let colour = 0; colour < 3; colour += 1) row[3 * x + colour] = Math.round(255 + (((data[from + colour] ?? 0) - 255) * opacity) / 255)
    }
    shrinking.takeRow(row)
  }
  return shrinking.end()
}

/** Values per pixel, by the colour type in the header of a PNG. */
const valuesOfColour: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/**
 * Whether the data of a PNG contains every pixel that its header promises. The decoder does not check: it would fill
 * missing pixels from uninitialised memory, and show them. Interlaced pictures have another layout, which it reads
 * completely.
 */
function hasAllPoints(parts: readonly PngPart[]): boolean {
  const head = Buffer.from(parts[0]?.bytes ?? [])
  if (head.length < 25) return false
  const [width, height, depth, values, isInterlaced] = [head.readUInt32BE(8), head.readUInt32BE(12), head[16] ?? 0, valuesOfColour[head[17] ?? -1] ?? 0, head[20] !== 0]
  if (isInterlaced) return true
  // Each row has its filter before its pixels.
  const wantedBytes = (Math.ceil((width * values * depth) / 8) + 1) * height
  const data = Buffer.concat(parts.filter(({ type }) => type === 'IDAT').map(({ bytes }) => bytes.subarray(8, -4)))
  try {
    return inflateSync(data, { maxOutputLength: wantedBytes }).length === wantedBytes
  } catch (error) {
    // Additional data is not read.
    return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
  }
}
