import sharp, { type Metadata, type Sharp } from 'sharp'
import { message } from '../../../preload/contract/messages.ts'
import { isPicture } from '../../../preload/base/photos/isPicture.ts'
import { decodeHeic, largestSingleTile, TooLargeTile } from './decodeHeic.ts'
import { largestPhotoBytes, largestPhotoPixels, reportPixels, storedSide } from './photoLimits.ts'
import { PictureRefusal, truncated, unreadable } from './pictureParts.ts'
import type { Points } from './points.ts'

// Only these decoders ever run, whatever the bytes claim to be.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadHeifBuffer'
  ]
})
sharp.cache(false)
// One picture at a time, beside a core that watches outputs.
sharp.concurrency(1)

export interface PictureHeader {
  format: 'jpeg' | 'png' | 'webp' | 'avif' | 'heic'
  width: number
  height: number
  /** The TIFF block of EXIF. */
  exif: Uint8Array | null
}

/** Reads the header alone, so that a picture that claims to be huge costs nothing. */
export async function readHeader(bytes: Uint8Array): Promise<PictureHeader> {
  if (!isPicture(bytes)) throw new PictureRefusal(message('photos.unknownForm'))
  const header = await unlessBroken(() => sharp(bytes, { failOn: 'none', limitInputPixels: false }).metadata())
  const { width, height, exif } = header
  const format = header.format === 'heif' ? (header.compression === 'av1' ? 'avif' : 'heic') : header.format
  if (format !== 'jpeg' && format !== 'png' && format !== 'webp' && format !== 'avif' && format !== 'heic')
    throw unreadable()
  const most = mostPixels(format, header)
  if (width * height > most) throw tooManyPoints(header, most)
  return {
    format,
    width,
    height,
    exif: exif ? exif.subarray(exif.subarray(0, 4).toString('latin1') === 'Exif' ? 6 : 0) : null
  }
}

/**
 * As many as 300 MB of memory are enough for. JPEG and PNG are read row by row, unless each row is complete only at the
 * end.
 */
function mostPixels(
  format: PictureHeader['format'],
  { isProgressive, chromaSubsampling = '', depth }: Metadata
): number {
  if (format === 'avif') return 12_500_000
  if (format === 'webp') return 25_000_000
  // In tiles, as phones write it; one tile alone may have fewer.
  if (format === 'heic') return 50_000_000
  if (!isProgressive) return largestPhotoPixels
  if (format === 'png') return depth === 'ushort' ? 12_000_000 : 25_000_000
  return chromaSubsampling.startsWith('4:2:0') ? 50_000_000 : 26_000_000
}

/**
 * A JPEG without any metadata, small enough to be stored; as the camera was held for JPEG, PNG and WebP, otherwise
 * upright.
 */
export function asJpeg(bytes: Uint8Array, format: PictureHeader['format']): Promise<Uint8Array> {
  const write = (picture: Sharp) =>
    plain(picture, storedSide)
      .jpeg({ quality: bytes.length > largestPhotoBytes ? 85 : 92, optimiseCoding })
      .toBuffer()
  return format === 'heic'
    ? jpegOfHeic(bytes, write)
    : whileWhole((failOn) => write(sharp(bytes, { failOn, limitInputPixels })))
}

/** The tables of a JPEG made for its own pixels need all of them in memory. */
const optimiseCoding = false
const limitInputPixels = largestPhotoPixels

/** HEVC is missing in sharp, as it is patented. */
async function jpegOfHeic(bytes: Uint8Array, write: (picture: Sharp) => Promise<Uint8Array>): Promise<Uint8Array> {
  try {
    return await decodeHeic(bytes, ({ data, width, height, stride }) => {
      if (stride % 3 !== 0) throw new Error('Its rows are no whole pixels')
      return write(
        sharp(data, { raw: { width: stride / 3, height, channels: 3 } }).extract({ left: 0, top: 0, width, height })
      )
    })
  } catch (error) {
    if (error instanceof TooLargeTile) throw tooManyPoints(await sharp(bytes).metadata(), largestSingleTile)
    throw Object.assign(unreadable(), { cause: error })
  }
}

const tooManyPoints = ({ width, height }: Pick<Metadata, 'width' | 'height'>, most: number) =>
  new PictureRefusal(message('photos.tooManyPoints', { width, height, largestMp: most / 1_000_000 }))

/** At most this long, on white, in the colours of screens. */
const plain = (picture: Sharp, longestSide: number) =>
  picture
    .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')

/** The turns of EXIF: mirrored first, then by so many degrees to the right. */
const turns: Readonly<Record<number, { isMirrored: boolean; degrees: number }>> = {
  2: { isMirrored: true, degrees: 0 },
  3: { isMirrored: false, degrees: 180 },
  4: { isMirrored: true, degrees: 180 },
  5: { isMirrored: true, degrees: 270 },
  6: { isMirrored: false, degrees: 90 },
  7: { isMirrored: true, degrees: 90 },
  8: { isMirrored: false, degrees: 270 }
}

/** The pixels for a report, upright. They are turned when they are few: turning needs the whole picture in memory. */
export async function reportPoints(bytes: Uint8Array, orientation: number): Promise<Points> {
  const { data, info } = await whileWhole((failOn) =>
    plain(sharp(bytes, { failOn, limitInputPixels }), reportPixels).raw().toBuffer({ resolveWithObject: true })
  )
  const turn = turns[orientation]
  if (!turn) return { width: info.width, height: info.height, data }
  const turned = await fromPoints({ width: info.width, height: info.height, data })
    .flop(turn.isMirrored)
    .rotate(turn.degrees)
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: turned.info.width, height: turned.info.height, data: turned.data }
}

export const jpegOf = (points: Points): Promise<Uint8Array> =>
  fromPoints(points).jpeg({ quality: 85, optimiseCoding }).toBuffer()

const fromPoints = ({ width, height, data }: Points) => sharp(data, { raw: { width, height, channels: 3 } })

type FailOn = 'warning' | 'error'

/** A decoder only warns about missing pixels, but also about headers that some phones write, which change nothing. */
async function whileWhole<T>(decode: (failOn: FailOn) => Promise<T>): Promise<T> {
  try {
    return await decode('warning')
  } catch (error) {
    if (/premature end/i.test(String(error))) throw Object.assign(truncated(), { cause: error })
    return await unlessBroken(() => decode('error'))
  }
}

/** The decoder's error about a broken picture is for programmers; it is kept as the cause. */
async function unlessBroken<T>(decode: () => Promise<T>): Promise<T> {
  try {
    return await decode()
  } catch (error) {
    throw Object.assign(unreadable(), { cause: error })
  }
}
