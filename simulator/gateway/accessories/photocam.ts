import { deviceOf, findDevice, findVehicle, isOnline } from '../access.ts'
import { misuseCall, okAnswer, recordEffect, Refusal, type Answer, type Call, type Endpoint } from '../call.ts'
import type { Camera } from '../../vehicle/accessories.ts'
import type { Device, JsonRecord, Photo, RawEvent } from '../state.ts'
import { blackPicture, cargoPicture, roadPicture } from './pictures.ts'
import { formatTime, parseTime, utcMarkOf } from '../time.ts'

const statusTexts = [
  'received photo request',
  'waiting for camera',
  'device is receiving photo',
  'photo is being uploaded',
  'photo ready'
]

/** The camera accessories: photo camera and flash camera share capture, last, browse and from_event. */
export const photocamEndpoints: Endpoint[] = [
  {
    id: 'photocam.methods',
    scopes: ['plugins.photocam'],
    handle: (call) => answerMethods(call, deviceOf(call, findVehicle(call)))
  },
  {
    id: 'photocam.deviceMethods',
    scopes: ['plugins.photocam'],
    handle: (call) => answerMethods(call, findDevice(call))
  },
  {
    id: 'flashcam.methods',
    scopes: ['plugins.flashcam'],
    handle: (call) => answerMethods(call, deviceOf(call, findVehicle(call)))
  },
  {
    id: 'photocam.capture',
    scopes: ['plugins.photocam', 'plugins.flashcam'],
    level: 'w',
    handle: (call) => capturePhoto(call, deviceOf(call, findVehicle(call)))
  },
  {
    id: 'photocam.deviceCapture',
    scopes: ['plugins.photocam', 'plugins.flashcam'],
    level: 'w',
    handle: (call) => capturePhoto(call, findDevice(call))
  },
  {
    id: 'photocam.last',
    scopes: ['plugins.photocam', 'plugins.flashcam'],
    handle: (call) => {
      const vehicle = findVehicle(call)
      const photo = call.state.photos.findLast((candidate) => candidate.vid === vehicle.id)
      if (!photo) return okAnswer({ photos: [] })
      // A serial expander has up to 3 cameras: one entry for each.
      const together = call.state.photos.filter(
        (candidate) => candidate.vid === vehicle.id && candidate.eventId === photo.eventId
      )
      const shown = together.map((one) => (statusOf(one, call) === 4 ? photoRecord(one) : photoProgress(one, call)))
      if (together.some((one) => statusOf(one, call) === 4))
        return okAnswer({ photos: shown, event: photoEvent(call, photo) })
      return okAnswer(shown.length > 1 || call.state.shape('photo progress', 2) === 1 ? { photos: shown } : shown[0])
    }
  },
  {
    id: 'photocam.browse',
    scopes: ['plugins.photocam', 'plugins.flashcam'],
    query: ['_from', '_to'],
    handle: (call) => {
      const vehicle = findVehicle(call)
      const fromMs = readMoment(call, '_from')
      const toMs = readMoment(call, '_to')
      const isFirst = (photo: Photo): boolean =>
        call.state.photos.find((candidate) => candidate.eventId === photo.eventId) === photo
      const found = call.state.photos.filter(
        (photo) => photo.vid === vehicle.id && statusOf(photo, call) === 4 && isFirst(photo)
      )
      return okAnswer(found.flatMap((photo) => browsedEvent(call, photo, fromMs, toMs)))
    }
  },
  {
    id: 'photocam.fromEvent',
    scopes: ['plugins.photocam', 'plugins.flashcam'],
    query: ['event', 'time'],
    handle: (call) => {
      const vehicle = findVehicle(call)
      const timeMs = readMoment(call, 'time')
      if (!(call.query.get('time') ?? '').includes('T')) throw misuseCall(call, 'time is not YYYY-MM-DDThh:mm:ss')
      if (!/^\d+$/.test(call.query.get('event') ?? '')) throw misuseCall(call, 'event is not an event id')
      const photo = call.state.photos.find(
        (candidate) => candidate.vid === vehicle.id && String(candidate.eventId) === call.query.get('event')
      )
      const event = photo && eventOf(call, photo)
      if (!photo || !event || statusOf(photo, call) !== 4 || Math.floor(event.systemTimeMs / 1000) * 1000 !== timeMs)
        throw new Refusal(404, 'no photo of this event')
      const together = call.state.photos.filter(
        (candidate) => candidate.eventId === photo.eventId && statusOf(candidate, call) === 4
      )
      return okAnswer({ photos: together.map(photoRecord), event: photoEvent(call, photo) })
    }
  }
]

function answerMethods(call: Call, device: Device): Answer {
  const methods: JsonRecord = {
    capture: { GET: [] },
    last: { GET: [] },
    browse: { GET: ['_from', '_to'] },
    from_event: { GET: ['event', 'time'] }
  }
  const shape = call.state.shape('camera methods', 3)
  if (shape === 0) return okAnswer(methods)
  return okAnswer(shape === 1 ? Object.keys(methods) : { imei: device.imei, methods })
}

function capturePhoto(call: Call, device: Device): Answer {
  const vehicle = call.state.vehicles.find((candidate) => candidate.device === device.imei)
  const underWay = call.state.photos.some(
    (photo) => photo.imei === device.imei && photo.readyMs !== Infinity && call.nowMs < photo.readyMs
  )
  if (underWay) call.note('doubled effect: a photo is asked for while one is under way')
  const isConnected = isOnline(device, call.nowMs)
  const hasFlashCamera = (vehicle?.id ?? 1) % 5 === 0
  const eventId = 900_000 + call.state.nextId('event')
  const connected = call.lookThrough(String(device.imei))
  const own: Camera = { source: hasFlashCamera ? flashSource : 0, isCovered: false, failsWith: null }
  const cameras = connected.length > 0 ? connected : [own]
  const photos = cameras.map(({ source, isCovered, failsWith }): Photo => ({
    id: call.state.nextId('photo'),
    imei: device.imei,
    vid: vehicle?.id ?? 0,
    source,
    requestedMs: call.nowMs,
    readyMs: isConnected ? call.nowMs + call.photoMs : Infinity,
    eventId,
    picture: isCovered ? blackPicture : source === 0 || source === flashSource ? roadPicture : cargoPicture,
    failsWith
  }))
  call.state.photos.push(...photos)
  const [photo] = photos
  if (isConnected && photo && photos.some((one) => one.failsWith === null))
    call.state.events.push(makeEvent(device, photo))
  recordEffect(call, { imei: device.imei, photo: photo?.id ?? null })
  const answer = { msg: isConnected ? 'Photo request sent' : 'Device is offline', device_is_online: isConnected }
  return okAnswer(isConnected ? { ...answer, oids: [call.state.nextId('oid')] } : answer)
}

function makeEvent(device: Device, photo: Photo): RawEvent {
  const report = device.report
  return {
    id: photo.eventId,
    vid: photo.vid,
    imei: photo.imei,
    deviceTimeMs: photo.readyMs,
    systemTimeMs: photo.readyMs,
    systemMicros: 0,
    visibleMs: photo.readyMs,
    fields: {
      type: 10,
      code: 40,
      label: 'photo',
      lat: report?.lat ?? null,
      lon: report?.lon ?? null,
      valid_position: report?.validPosition ?? false,
      dphoto_ptr: photo.id,
      photo_status: 4
    }
  }
}

/**
 * Status numbers before a picture is ready, in equal parts of the time. The flash camera has its own table, without 1
 * and 2.
 */
const cameraSteps = [0, 1, 2, 3] as const
const flashSteps = [0, 3] as const
const flashSource = 99

/** The status number now: 4 when the picture is ready. A photo requested from an offline device stays at 0. */
function statusOf(photo: Photo, call: Call): number {
  if (call.nowMs >= photo.readyMs) return photo.failsWith ?? 4
  if (photo.readyMs === Infinity) return 0
  const steps = photo.source === flashSource ? flashSteps : cameraSteps
  return steps[Math.floor((steps.length * (call.nowMs - photo.requestedMs)) / (photo.readyMs - photo.requestedMs))] ?? 3
}

function photoRecord(photo: Photo): JsonRecord {
  const epoch = Math.floor(photo.readyMs / 1000)
  return {
    status: statusTexts[4],
    status_no: 4,
    source: photo.source,
    photo_id: photo.id,
    debug: formatTime(photo.readyMs, 'UTC'),
    epoch,
    imei: photo.imei,
    b64data: photo.picture,
    size: Buffer.from(photo.picture, 'base64').length
  }
}

function photoProgress(photo: Photo, call: Call): JsonRecord {
  const number = statusOf(photo, call)
  return { status: statusTexts[number] ?? `error ${String(number)}`, source: photo.source, status_no: number }
}

function eventOf(call: Call, photo: Photo): RawEvent | undefined {
  return call.state.events.find((event) => event.id === photo.eventId)
}

function photoEvent(call: Call, photo: Photo): JsonRecord {
  const event = eventOf(call, photo)
  return {
    ...eventTimes(call, event),
    dphoto_ptr: photo.id,
    lat: event?.fields['lat'] ?? null,
    lon: event?.fields['lon'] ?? null,
    id: photo.eventId,
    device_id: photo.imei,
    photo_status: 4,
    photo_status_time: Math.floor(photo.readyMs / 1000),
    pi: 77
  }
}

function browsedEvent(call: Call, photo: Photo, fromMs: number, toMs: number): JsonRecord[] {
  const event = eventOf(call, photo)
  if (!event || event.systemTimeMs < fromMs || event.systemTimeMs > toMs) return []
  const { code, lat, lon, label } = event.fields
  return [{ dphoto_ptr: photo.id, ...eventTimes(call, event), code, vid: event.vid, lon, lat, label, id: event.id }]
}

function eventTimes(call: Call, event: RawEvent | undefined): JsonRecord {
  if (!event) return { system_time: null, event_time: null }
  return {
    system_time: formatTime(event.systemTimeMs, call.zone, event.systemMicros, utcMarkOf(call)),
    event_time: formatTime(event.deviceTimeMs, call.zone, undefined, utcMarkOf(call))
  }
}

function readMoment(call: Call, name: string): number {
  const ms = parseTime(call.query.get(name) ?? '', call.zone)
  if (ms === undefined) throw misuseCall(call, `${name} is required as YYYY-MM-DD[Thh:mm:ss]`)
  return ms
}
