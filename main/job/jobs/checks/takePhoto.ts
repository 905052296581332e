import { AppError } from '../../../../preload/contract/errors.ts'
import type { PhotoView } from '../../../../preload/contract/gateway/accessories.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { OfVehicle, PhotosSeen } from '../engine/accessoryPort.ts'
import { askGateway, askPatiently, createPatience } from '../engine/askGateway.ts'
import { fail, unreadable, type CheckContext, type Outcome } from '../engine/check.ts'
import { timeLeft } from '../engine/meters.ts'

const lookEveryMs = 2_000
/** The gateway may show the result of the previous picture for this long. */
const staleMs = 6_000
/** The camera did not understand, could not read, or dropped the picture: another attempt may succeed. */
const worthRepeating = [7, 8, 15]

export type PhotoResult = { kind: 'taken'; seen: PhotosSeen } | { kind: 'ended'; outcome: Outcome }

/**
 * Takes a photo through the gateway and waits for the result of each required camera. The request is a GET with a side
 * effect: it is sent once, its result is followed even if the answer is lost, and it is sent again only if the first
 * request certainly gave no picture and the person is still waiting. If a photo is already being taken, its result is
 * followed instead of a new one.
 */
export async function takePhoto(
  context: CheckContext<'camera'>,
  wanted: readonly number[] | undefined
): Promise<PhotoResult> {
  const { accessories } = context.gateway
  const { giveUpS } = context.profile.camera
  const ofVehicle = (): OfVehicle => ({ imei: context.job.device.imei, vehicleId: context.job.vehicle?.id ?? null })
  const before = await askPatiently(context, () => accessories.lastPhotos(ofVehicle(), context.signal))
  if (before.kind === 'away') return away(before.why)
  if (before.kind === 'no')
    return { kind: 'ended', outcome: fail(before.why, message('jobs.askWhetherShown'), ['gateway']) }
  if (before.value === null)
    return {
      kind: 'ended',
      outcome: unreadable(message('accessoryChecks.noVehicleForCamera'), message('link.runVehicleFirst'))
    }
  const old = new Set(before.value.photos.filter(({ outcome }) => outcome !== 'working').map(idOf))
  let freshMs = 0
  const operationIds: string[] = []
  let isOffline = false
  let repeats = 1
  if (!before.value.photos.some(isUnderWay)) {
    const refused = await capture()
    if (refused) return refused
  }
  const untilMs = context.monotonicMs() + giveUpS * 1000
  const patience = createPatience()
  let seen: PhotosSeen = { photos: [], event: null }
  for (;;) {
    const reply = await askGateway(() => accessories.lastPhotos(ofVehicle(), context.signal))
    const leftMs = untilMs - context.monotonicMs()
    if (reply.kind === 'no')
      return end({ kind: 'ended', outcome: fail(reply.why, message('jobs.askWhetherShown'), ['gateway']) })
    if (reply.kind === 'away' && (patience.isOver(reply) || leftMs <= 0)) return end(away(reply.why))
    if (reply.kind === 'answer' && reply.value) {
      // A failure has no number: one that equals the previous failure counts as new once the previous one must have
      // disappeared.
      const isNew = (photo: PhotoView): boolean =>
        !old.has(idOf(photo)) || (photo.outcome === 'failed' && context.monotonicMs() >= freshMs)
      seen = { photos: reply.value.photos.filter(isNew), event: reply.value.event }
      if (isComplete(seen.photos)) {
        const isWorthIt = seen.photos.some(
          ({ outcome, statusNo }) => outcome === 'failed' && worthRepeating.includes(statusNo ?? -1)
        )
        if (!isWorthIt || repeats === 0) return end({ kind: 'taken', seen })
        repeats -= 1
        for (const photo of seen.photos) old.add(idOf(photo))
        context.show({ say: message('accessoryChecks.repeating') })
        const refused = await capture()
        if (refused) return end(refused)
      }
    }
    if (leftMs <= 0) {
      if (isOffline)
        return end({
          kind: 'ended',
          outcome: unreadable(message('accessoryChecks.cameraOffline'), message('accessoryChecks.bringOnline'))
        })
      return end({ kind: 'taken', seen: { ...seen, photos: seen.photos.filter((photo) => !isUnderWay(photo)) } })
    }
    const hint =
      reply.kind === 'away'
        ? reply.why
        : isOffline
          ? message('accessoryChecks.cameraOffline')
          : sayProgress(seen.photos)
    context.show({ say: message('accessoryChecks.openCamera'), hint, meters: [timeLeft(leftMs)], leftMs })
    await context.pause(lookEveryMs)
  }

  function isComplete(photos: readonly PhotoView[]): boolean {
    if (photos.length === 0 || photos.some(isUnderWay)) return false
    return wanted === undefined || wanted.every((source) => photos.some((photo) => photo.source === source))
  }

  /** Undefined if the request was sent, or may have been sent: then the state of the cameras decides. */
  async function capture(): Promise<PhotoResult | undefined> {
    const request = ofVehicle()
    try {
      const result = await context.operations.sendNow({
        kind: 'photocam.capture',
        key: `photo:${request.vehicleId ?? request.imei}`,
        payload: { vehicleId: request.vehicleId, imei: request.imei },
        jobId: context.job.id,
        imei: request.imei,
        // The step may be stopped in the meantime; the request continues, because its outcome would otherwise stay
        // unknown.
        send: () => accessories.capturePhoto(request, new AbortController().signal),
        read: ({ raw }) => ({ what: message('photos.askedFor'), raw, isProof: false })
      })
      operationIds.push(result.id)
      freshMs = context.monotonicMs() + staleMs
      if (result.kind === 'answered') isOffline = result.answer.deviceIsOnline === false
      return undefined
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
      if (error.fate === 'refused')
        return { kind: 'ended', outcome: fail(error.sentence, message('jobs.askWhetherShown'), ['gateway']) }
      return away(error.sentence)
    }
  }

  function end(taken: PhotoResult): PhotoResult {
    const isThere = taken.kind === 'taken' && taken.seen.photos.some(({ outcome }) => outcome === 'ready')
    for (const id of operationIds) {
      context.operations.endLive(id, {
        state: isThere ? 'done' : 'expired',
        reason: message(isThere ? 'photos.ready' : 'accessoryChecks.noPictureAtAll'),
        raw: null
      })
    }
    return taken
  }
}

function away(why: Message): PhotoResult {
  return {
    kind: 'ended',
    outcome: unreadable(message('jobs.waitsForGateway', { why }), message('accessoryChecks.cameraAway'))
  }
}

function sayProgress(photos: readonly PhotoView[]): Message | null {
  return photos.find(isUnderWay)?.meaning ?? null
}

function isUnderWay({ outcome }: PhotoView): boolean {
  return outcome === 'working'
}

function idOf({ source, photoId, takenAt, statusNo }: PhotoView): string {
  return `${source}/${photoId}/${takenAt}/${statusNo}`
}
