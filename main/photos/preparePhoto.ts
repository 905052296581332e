import jpeg from 'jpeg-js'
import { PNG } from 'pngjs'
import { message, type Message } from '../../preload/contract/messages.ts'
import { distanceM } from '../device/facts.ts'
import { plainExif, readExif, type Exif } from './exif.ts'
import { largestPhotoBytes, largestPhotoPixels, reportPixels } from './limits.ts'
import { PictureRefusal, putTogether, takeApart, type PictureParts } from './pictureParts.ts'
import { hasAllPoints } from './pngPoints.ts'
import { brightnessOf, shrink, type Brightness, type Points } from './points.ts'
import { stamp, stampText } from './stamp.ts'

export interface Place {
  latitude: number
  longitude: number
}

export interface PhotoInput {
  bytes: Uint8Array
  /** Where the device beside it is now; null: not known. */
  devicePlace: Place | null
  /** A picture from no farther away than this was taken here. */
  samePlaceM: number
  keptAt: string
  /** What is known from elsewhere, as of a vehicle's camera; it goes before what the file says. */
  takenAt: string | null
  place: Place | null
}

/** A picture as it is kept, and its copy for reports. */
export interface PreparedPhoto {
  bytes: Uint8Array
  mediaType: 'image/jpeg' | 'image/png'
  /** As it is to be seen. */
  width: number
  height: number
  takenAt: string | null
  place: Place | null
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
  if (parts.width * parts.height > largestPhotoPixels) {
    throw new PictureRefusal(message('photos.tooManyPoints', { width: parts.width, height: parts.height, largestMp: largestPhotoPixels / 1_000_000 }))
  }
  if (parts.kind === 'png' && !hasAllPoints(parts.parts)) throw new PictureRefusal(message('photos.unreadable'))
  const exif = parts.exif === null ? undefined : readExif(parts.exif)
  const said = exif?.place ?? null
  const isHere = said !== null && devicePlace !== null && distanceM(said, devicePlace) <= samePlaceM
  const kept = putTogether(parts, keptExif(parts, exif, isHere))
  const points = decode(parts.kind, kept)
  const small = shrink(points, reportPixels, exif?.orientation ?? 1)
  const isTurned = (exif?.orientation ?? 1) >= 5
  const taken = takenAt ?? exif?.takenAt ?? null
  const [place, placeSource] = placeOf({ given, exif, isHere, devicePlace })
  const report = jpeg.encode(stamp(small, stampText(taken ?? keptAt, place)), 85).data
  return {
    bytes: kept,
    mediaType: parts.kind === 'jpeg' ? 'image/jpeg' : 'image/png',
    width: isTurned ? points.height : points.width,
    height: isTurned ? points.width : points.height,
    takenAt: taken,
    place,
    placeSource,
    report: new Uint8Array(report),
    brightness: brightnessOf(small)
  }
}

/** What does not name a place stays as the camera wrote it; what cannot be read may name one. */
function keptExif(parts: PictureParts, exif: Exif | undefined, isHere: boolean): Uint8Array | null {
  if (!exif) return null
  if (isHere || !exif.hasPlace) return parts.exif
  return parts.kind === 'jpeg' ? plainExif(exif) : null
}

/** A picture that says that it was taken elsewhere does not get the place of the device. */
function placeOf({ given, exif, isHere, devicePlace }: { given: Place | null; exif: Exif | undefined; isHere: boolean; devicePlace: Place | null }): [Place | null, PreparedPhoto['placeSource']] {
  if (given) return [given, 'given']
  if (exif?.place && isHere) return [exif.place, 'photo']
  if (exif?.place && devicePlace) return [null, null]
  return devicePlace ? [devicePlace, 'device'] : [null, null]
}

/** What the decoders say of a broken picture is for programmers; it is kept as the cause. */
function decode(kind: PictureParts['kind'], bytes: Uint8Array): Points {
  try {
    if (kind === 'png') return PNG.sync.read(Buffer.from(bytes))
    return jpeg.decode(bytes, { useTArray: true, tolerantDecoding: false, maxResolutionInMP: largestPhotoPixels / 1_000_000, maxMemoryUsageInMB: 1_024 })
  } catch (error) {
    throw Object.assign(new PictureRefusal(message('photos.unreadable')), { cause: error })
  }
}
