import { message, type Message } from '../../../preload/contract/messages.ts'
import { distanceM } from '../../../preload/base/maps/distance.ts'
import { asJpeg, jpegOf, readHeader, reportPoints } from './decodePicture.ts'
import { plainExif, readExif, type Exif } from './exif.ts'
import { largestFileBytes, largestPhotoBytes } from './photoLimits.ts'
import { PictureRefusal, putTogether, takeApart } from './pictureParts.ts'
import { brightnessOf, type Brightness } from './points.ts'
import { stampPhoto, stampText } from './stamp.ts'

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
 * Checks a picture, removes its metadata except orientation, time and a location beside the device, and makes the copy
 * for reports. A JPEG or PNG is stored pixel by pixel, any other form as a JPEG. Anything else, an incomplete picture,
 * or one larger than any camera's, is refused with a message.
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
  if (bytes.length > largestFileBytes) throw tooLarge(largestFileBytes)
  const header = await readHeader(bytes)
  const exif = header.exif === null ? undefined : readExif(header.exif)
  const placeInPicture = exif?.place ?? null
  const isHere = placeInPicture !== null && devicePlace !== null && distanceM(placeInPicture, devicePlace) <= samePlaceM
  const isStoredAsIs = (header.format === 'jpeg' || header.format === 'png') && bytes.length <= largestPhotoBytes
  const parts = takeApart(isStoredAsIs ? bytes : await asJpeg(bytes, header.format))
  // The decoder of these two has turned the picture already.
  const orientation = header.format === 'heic' || header.format === 'avif' ? 1 : (exif?.orientation ?? 1)
  const stored = putTogether(parts, exif ? plainExif({ ...exif, orientation }, isHere ? placeInPicture : null) : null)
  if (stored.length > largestPhotoBytes) throw tooLarge(largestPhotoBytes)
  const points = await reportPoints(stored, orientation)
  const taken = takenAt ?? exif?.takenAt ?? null
  const [place, placeSource] = placeOf({ given, exif, isHere, devicePlace })
  const isTurned = orientation >= 5
  return {
    bytes: stored,
    mediaType: parts.kind === 'jpeg' ? 'image/jpeg' : 'image/png',
    width: isTurned ? parts.height : parts.width,
    height: isTurned ? parts.width : parts.height,
    takenAt: taken,
    place,
    placeSource,
    report: await jpegOf(stampPhoto(points, stampText(taken ?? keptAt, place))),
    brightness: brightnessOf(points)
  }
}

const tooLarge = (bytes: number) => new PictureRefusal(message('photos.tooLarge', { largestMb: bytes / 1_000_000 }))

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
