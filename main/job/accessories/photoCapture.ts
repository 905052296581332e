import type { AccessoryTest, PhotoView } from '../../../preload/contract/gateway/accessories.ts'
import type { Json } from '../../../preload/contract/define.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { AccessoryGateway, LiveWrites } from './ports.ts'
import type { AccessoryTrials, TrialReading } from './trials.ts'

const lookEveryMs = 2_000

/**
 * Takes a photo once: the request is a GET with a side effect. A photo in progress is followed; after a lost answer the
 * next one decides.
 */
export async function capturePhoto(
  { gateway, tests, live }: { gateway: AccessoryGateway; tests: AccessoryTrials; live: LiveWrites },
  { vehicleId, waitS }: { vehicleId: number; waitS: number },
  signal: AbortSignal
): Promise<AccessoryTest> {
  const before = await gateway.photos.last(vehicleId, signal)
  const idsBefore = new Set(before.photos.filter(({ outcome }) => outcome === 'ready').map(idOf))
  if (before.photos.some(isUnderWay)) return follow(message('photos.underWay'), false)
  const imei = await gateway.deviceOf(vehicleId, signal)
  const sent = await live.sendNow({
    kind: 'photocam.capture',
    key: `photo:${vehicleId}`,
    payload: { vehicleId },
    jobId: null,
    imei,
    // The caller may stop waiting; the request continues, so that its result is known.
    send: () => gateway.photos.capture(vehicleId, new AbortController().signal),
    read: ({ raw }) => ({ what: message('photos.askedFor'), raw, isProof: false })
  })
  if (sent.kind === 'unknown') return follow(message('photos.unknown', { why: sent.error.sentence }), false, sent.id)
  const isOffline = sent.answer.deviceIsOnline === false
  return follow(message(isOffline ? 'photos.deviceOffline' : 'photos.askedFor'), isOffline, sent.id)

  function follow(note: Message, isOffline: boolean, operationId?: string): AccessoryTest {
    return tests.start({
      kind: 'photo',
      vehicleId,
      title: message('photos.photo'),
      note,
      limitMs: waitS * 1000,
      everyMs: lookEveryMs,
      look: async (abort) => readLook(await gateway.photos.last(vehicleId, abort), idsBefore, note),
      whenOver: isOffline
        ? { note: message('photos.noneOffline'), remedy: message('photos.bringOnline') }
        : { note: message('photos.none', { waitS }), remedy: message('photos.lookLater') },
      ended(test) {
        if (operationId !== undefined)
          live.endLive(operationId, {
            state: test.state === 'found' ? 'done' : 'expired',
            reason: test.note,
            raw: test.evidence
          })
      }
    })
  }
}

/** The cameras' photos compared with the earlier ones. Each camera ends separately; the wait ends with the last. */
export function readLook(
  now: { photos: PhotoView[]; event: unknown },
  idsBefore: ReadonlySet<string>,
  note: Message
): TrialReading {
  const photos = now.photos.filter((photo) => photo.outcome !== 'ready' || !idsBefore.has(idOf(photo)))
  if (photos.length === 0) return { kind: 'waiting', note, photos: [] }
  const lines = photos.map(({ source, meaning }) =>
    message('photos.cameraSays', { camera: cameraName(source), meaning })
  )
  const seen = message('photos.cameras', { lines })
  if (photos.some(isUnderWay)) return { kind: 'waiting', note: seen, photos }
  const failed = photos.filter(({ outcome }) => outcome !== 'ready')
  if (failed.length === 0) return { kind: 'found', note: seen, evidence: evidenceOf(photos, now.event), photos }
  return { kind: 'problem', note: seen, remedy: remedyOf(failed), evidence: evidenceOf(photos, now.event), photos }
}

/** Each remedy once, however many cameras need it. */
function remedyOf(failed: readonly PhotoView[]): Message | null {
  const remedies = new Map(failed.flatMap(({ remedy }) => (remedy ? [[remedy.id, remedy] as const] : [])))
  const [only] = remedies.values()
  return remedies.size > 1 ? message('photos.remedies', { lines: [...remedies.values()] }) : (only ?? null)
}

/** The evidence contains the hash of the picture, not the picture itself. */
function evidenceOf(photos: readonly PhotoView[], event: unknown): Json {
  return { photos: photos.map(({ base64: _, ...photo }) => photo), event: event ?? null } as unknown as Json
}

function isUnderWay({ outcome }: PhotoView): boolean {
  return outcome === 'working'
}

function idOf({ source, photoId, takenAt }: PhotoView): string {
  return `${source}/${photoId}/${takenAt}`
}

/** The gateway counts cameras from 0, people from 1. */
function cameraName(source: number | null): Message {
  if (source === null) return message('photos.camera')
  return source === 99 ? message('photos.flashCamera') : message('photos.cameraNumber', { number: source + 1 })
}
