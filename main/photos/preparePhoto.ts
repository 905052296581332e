import { message, type Message } from '../../preload/contract/messages.ts'
import { distanceM } from '../../preload/maps/distance.ts'
import { plainExif, readExif, type Exif } from './exif.ts'
import { largestPhotoBytes, largestPhotoPixels, largestStoredBytes, reportPixels } from './limits.ts'
import { PictureRefusal, putTogether, takeApart, type PictureParts } from './pictureParts.ts'
import { brightnessOf, shrinkPoints, sizeWithin, type Brightness, type Points } from './points.ts'
import { readJpeg, scaledLength, storedBytes, type JpegScale } from './readJpeg.ts'
import { mostPngPixels, readPng } from './readPng.ts'
import { stampPhoto, stampText } from './stamp.ts'
import { writeJpeg } from './writeJpeg.ts'

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
export async function preparePhoto(input: PhotoInput): Promise<PhotoAnswer> {
  try {
    return { outcome: 'prepared', photo: await prepare(input) }
  } catch (error) {
    if (error instanceof PictureRefusal) return { outcome: 'refused', reason: error.reason }
    throw error
  }
}

async function prepare({
  bytes,
  devicePlace,
  samePlaceM,
  keptAt,
  takenAt,
  place: given
}: PhotoInput): Promise<PreparedPhoto> {
  if (bytes.length > largestPhotoBytes)
    throw new PictureRefusal(message('photos.tooLarge', { largestMb: largestPhotoBytes / 1_000_000 }))
  const parts = takeApart(bytes)
  if (parts.width === 0 || parts.height === 0) throw new PictureRefusal(message('photos.unreadable'))
  const most = parts.kind === 'png' ? await unlessBroken(() => mostPngPixels(parts.parts)) : largestPhotoPixels
  if (parts.width * parts.height > most) {
    throw new PictureRefusal(
      message('photos.tooManyPoints', { width: parts.width, height: parts.height, largestMp: most / 1_000_000 })
    )
  }
  const exif = parts.exif === null ? undefined : readExif(parts.exif)
  const said = exif?.place ?? null
  const isHere = said !== null && devicePlace !== null && distanceM(said, devicePlace) <= samePlaceM
  const kept = putTogether(parts, keptExif(parts, exif, isHere))
  const small = await unlessBroken(() => decodeSmall(parts, exif?.orientation ?? 1))
  const isTurned = (exif?.orientation ?? 1) >= 5
  const taken = takenAt ?? exif?.takenAt ?? null
  const [place, placeSource] = placeOf({ given, exif, isHere, devicePlace })
  const report = writeJpeg(stampPhoto(small, stampText(taken ?? keptAt, place)))
  return {
    bytes: kept,
    mediaType: parts.kind === 'jpeg' ? 'image/jpeg' : 'image/png',
    width: isTurned ? parts.height : parts.width,
    height: isTurned ? parts.width : parts.height,
    takenAt: taken,
    place,
    placeSource,
    report,
    brightness: brightnessOf(small)
  }
}

/** Parts without a location stay unchanged; an unreadable part may contain one. */
function keptExif(parts: PictureParts, exif: Exif | undefined, isHere: boolean): Uint8Array | null {
  if (!exif) return null
  if (isHere || !exif.hasPlace) return parts.exif
  return parts.kind === 'jpeg' ? plainExif(exif) : null
}

/** A picture that says that it was taken elsewhere does not get the position of the device. */
function placeOf({
  given,
  exif,
  isHere,
  devicePlace
}: {
  given: PhotoPosition | null
  exif: Exif | undefined
  isHere: boolean
  devicePlace: PhotoPosition | null
}): [PhotoPosition | null, PreparedPhoto['placeSource']] {
  if (given) return [given, 'given']
  if (exif?.place && isHere) return [exif.place, 'photo']
  if (exif?.place && devicePlace) return [null, null]
  return devicePlace ? [devicePlace, 'device'] : [null, null]
}

/** The decoder's error about a broken picture is for programmers; it is kept as the cause. */
async function unlessBroken<T>(decode: () => T | Promise<T>): Promise<T> {
  try {
    return await decode()
  } catch (error) {
    throw Object.assign(new PictureRefusal(message('photos.unreadable')), { cause: error })
  }
}

/** At most as large as in reports. */
async function decodeSmall(parts: PictureParts, orientation: number): Promise<Points> {
  const size = sizeWithin(parts, reportPixels)
  if (parts.kind === 'png') {
    const shrinking = shrinkPoints(parts, size, orientation)
    await readPng(parts.parts, shrinking.takeRow)
    return shrinking.end()
  }
  const longest = Math.max(parts.width, parts.height)
  let scale: JpegScale =
    ([8, 4, 2] as const).find(
      (one) =>
        longest / one >= reportPixels && Math.min(parts.width, parts.height) / one >= Math.min(size.width, size.height)
    ) ?? 1
  // A few kinds need too much memory at this scale: their copy for reports is a little smaller.
  while (scale < 8 && storedBytes(parts.parts, scale) > largestStoredBytes) scale = (2 * scale) as JpegScale
  return decodeJpeg(parts, scale, orientation)
}

function decodeJpeg(
  { width, height, parts }: PictureParts & { kind: 'jpeg' },
  scale: JpegScale,
  orientation: number
): Points {
  const scaled = { width: scaledLength(width, scale), height: scaledLength(height, scale) }
  const shrinking = shrinkPoints(scaled, sizeWithin(scaled, reportPixels), orientation)
  readJpeg(parts, scale, shrinking.takeRow)
  return shrinking.end()
}
