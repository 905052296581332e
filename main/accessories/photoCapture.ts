import type { AccessoryTest, PhotoView } from '../../preload/contract/accessories.ts'
import type { Json } from '../../preload/contract/define.ts'
import { AppError } from '../../preload/contract/errors.ts'
import type { AccessoryGateway, CommandLog } from './ports.ts'
import type { Look, Waits } from './waits.ts'

const lookEveryMs = 2_000

/**
 * Takes a photo, once: the request is a GET with a side effect, so it is never repeated. A photo that is under way is
 * followed instead of taking another one. Where the answer is lost, what the camera shows next decides.
 */
export async function capturePhoto(
  parts: { gateway: AccessoryGateway; waits: Waits; log: CommandLog },
  input: { vehicleId: number; waitS: number },
  signal: AbortSignal
): Promise<AccessoryTest> {
  const { gateway, waits, log } = parts
  const { vehicleId } = input
  const before = await gateway.photos.last(vehicleId, signal)
  const underWay = before.photos.some(isUnderWay)
  const idsBefore = new Set(before.photos.filter(({ outcome }) => outcome === 'ready').map(idOf))
  const imei = (await gateway.deviceOf(vehicleId, signal)) ?? 'unknown'
  let note = 'A photo is under way already: it is followed, and none is asked for.'
  let isOffline = false
  if (!underWay) {
    const id = log.begin({ imei, operation: 'photocam.capture', input: { vehicleId } })
    try {
      const answer = await gateway.photos.capture(vehicleId, signal)
      log.end(id, 'done', answer.message, answer.raw)
      isOffline = answer.deviceIsOnline === false
      note = isOffline ? 'The device is offline: the gateway may take the photo when it is back.' : 'The photo was asked for.'
    } catch (error) {
      if (!(error instanceof AppError) || error.fate !== 'unknown') {
        log.end(id, 'refused', error instanceof Error ? error.message : 'failed', null)
        throw error
      }
      log.end(id, 'unknown', error.message, null)
      note = `It is not known whether the photo was asked for (${error.message}). It is not asked for again; looking whether one comes.`
    }
  }
  return waits.start({
    kind: 'photo',
    vehicleId,
    title: 'Photo',
    note,
    limitMs: input.waitS * 1000,
    everyMs: lookEveryMs,
    look: async (abort) => readLook(await gateway.photos.last(vehicleId, abort), idsBefore, note),
    whenOver: isOffline
      ? { note: 'The device is offline; no photo came.', remedy: 'Bring the device online first. The gateway may still take this photo later: look under “By date”.' }
      : { note: `No photo came in ${input.waitS} s.`, remedy: 'Look under “By date” in some minutes, before another photo is taken: it may still come.' }
  })
}

/** What the cameras show against what they showed before. Each camera ends by itself; all of them end the wait. */
export function readLook(now: { photos: PhotoView[]; event: unknown }, idsBefore: ReadonlySet<string>, note: string): Look {
  const photos = now.photos.filter((photo) => photo.outcome !== 'ready' || !idsBefore.has(idOf(photo)))
  if (photos.length === 0) return { kind: 'waiting', note, photos: [] }
  const working = photos.filter(isUnderWay)
  const words = photos.map((photo) => `${cameraName(photo.source)}: ${photo.meaning}`).join('. ')
  if (working.length > 0) return { kind: 'waiting', note: `${words}.`, photos }
  const failed = photos.filter(({ outcome }) => outcome !== 'ready')
  if (failed.length === 0) return { kind: 'found', note: `${words}.`, evidence: evidenceOf(photos, now.event), photos }
  return { kind: 'problem', note: `${words}.`, remedy: [...new Set(failed.map(({ remedy }) => remedy).filter(Boolean))].join(' '), evidence: evidenceOf(photos, now.event), photos }
}

/** The picture itself is not in the evidence, its hash is. */
function evidenceOf(photos: readonly PhotoView[], event: unknown): Json {
  return { photos: photos.map(({ base64: _, ...photo }) => photo), event: (event ?? null) as Json }
}

function isUnderWay({ outcome }: PhotoView): boolean {
  return outcome === 'working'
}

function idOf({ source, photoId, takenAt }: PhotoView): string {
  return `${source}/${photoId}/${takenAt}`
}

/** The gateway counts cameras from 0, people from 1. */
function cameraName(source: number | null): string {
  return source === null ? 'Camera' : source === 99 ? 'Flash camera' : `Camera ${source + 1}`
}
