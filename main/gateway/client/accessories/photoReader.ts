import { createHash } from 'node:crypto'
import type { PhotoView } from '../../../../preload/contract/gateway/accessories.ts'
import type { Json } from '../../../../preload/contract/define.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import type { Photo, PhotoAnswer, PhotoEvent } from '../records/photoRecords.ts'
import type { Sparse } from '../../../../preload/contract/device/deviceAreas.ts'
import type { PhotoEventView } from '../../../../preload/contract/gateway/photos.ts'
import type { GatewayClient } from '../client.ts'
import { timeFromOutside } from '../../../../preload/gateway/events/timeFromOutside.ts'
import { describeFlashStatus, describePhotoStatus } from '../decoders/photoStatus.ts'

export interface PhotosNow {
  photos: PhotoView[]
  event: PhotoEventView | null
}

const flashSource = 99

/** Camera accessory and flash camera ("Accessories"): one photo of each of up to 3 cameras. */
export function createPhotoReader(client: () => Promise<GatewayClient>) {
  return {
    /** Takes a photo although it is a GET. Nothing here repeats it. */
    async capture(
      vehicleId: number,
      signal: AbortSignal
    ): Promise<{ message: string; deviceIsOnline: boolean | null; raw: Json }> {
      const { value, raw } = await (await client()).photocam.capture({ vid: vehicleId }, { signal, priority: 'person' })
      return { message: value.msg ?? '', deviceIsOnline: value.device_is_online ?? null, raw: (raw ?? null) as Json }
    },

    async last(vehicleId: number, signal: AbortSignal): Promise<PhotosNow> {
      return photosOf((await (await client()).photocam.last({ vid: vehicleId }, { signal, priority: 'person' })).value)
    },

    async browse(
      vehicleId: number,
      range: { from: string; to: string },
      signal: AbortSignal
    ): Promise<PhotoEventView[]> {
      const { value } = await (
        await client()
      ).photocam.browse({ vid: vehicleId, _from: range.from, _to: range.to }, { signal, priority: 'person' })
      return (value.data ?? [])
        .map(eventOf)
        .filter((event) => event !== null)
        .sort((a, b) => b.at.localeCompare(a.at))
    },

    /** `systemTime`: as in the event; the gateway uses whole seconds. */
    async open(vehicleId: number, eventId: number, systemTime: string, signal: AbortSignal): Promise<PhotosNow> {
      const time = systemTime.slice(0, 19)
      return photosOf(
        (
          await (
            await client()
          ).photocam.fromEvent({ vid: vehicleId, event: eventId, time }, { signal, priority: 'person' })
        ).value
      )
    }
  }
}

export function photosOf(answer: Sparse<PhotoAnswer>): PhotosNow {
  const list = Array.isArray(answer.photos)
    ? answer.photos
    : answer.status_no !== undefined
      ? [answer as Sparse<Photo>]
      : []
  return { photos: list.map(viewOf), event: answer.event ? eventOf(answer.event) : null }
}

function viewOf(photo: Sparse<Photo>): PhotoView {
  const source = photo.source ?? null
  const statusNo = photo.status_no ?? null
  const status =
    statusNo === null
      ? undefined
      : source === flashSource
        ? describeFlashStatus(statusNo)
        : describePhotoStatus(statusNo)
  const picture = photo.b64data === undefined || photo.b64data === '' ? null : Buffer.from(photo.b64data, 'base64')
  const isJpeg = picture !== null && picture[0] === 0xff && picture[1] === 0xd8
  return {
    source,
    statusNo,
    outcome: status?.outcome ?? (isJpeg ? 'ready' : 'unknown'),
    meaning:
      status?.meaning ??
      (statusNo === null ? message('photos.noStatus') : message('photos.unknownStatus', { number: statusNo })),
    remedy: picture !== null && !isJpeg ? message('photos.noPicture') : (status?.remedy ?? null),
    photoId: photo.photo_id ?? null,
    takenAt: typeof photo.epoch === 'number' ? new Date(photo.epoch * 1000).toISOString() : null,
    sizeBytes: picture?.length ?? photo.size ?? null,
    sha256: isJpeg ? createHash('sha256').update(picture).digest('hex') : null,
    base64: isJpeg ? picture.toString('base64') : null
  }
}

function eventOf(event: Sparse<PhotoEvent>): PhotoEventView | null {
  const { id, system_time: systemTime } = event
  if (typeof id !== 'number' || typeof systemTime !== 'string') return null
  const ms = timeFromOutside(systemTime)
  if (ms === undefined) return null
  return {
    eventId: id,
    systemTime,
    at: new Date(ms).toISOString(),
    label: event.label ?? null,
    latitude: event.lat ?? null,
    longitude: event.lon ?? null
  }
}

/** The bytes of a picture that a front end returns, and their hash. INVALID_REQUEST for anything but a JPEG. */
export function readPicture(base64: string): { bytes: Buffer; sha256: string } {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) throw new AppError('INVALID_REQUEST', message('photos.noJpeg'))
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
}
