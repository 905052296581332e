import type { PhotoView } from '../../../../preload/contract/gateway/accessories.ts'
import type { SeenRow } from '../../../../preload/contract/job/jobSeen.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { PhotosSeen } from '../engine/accessoryPort.ts'
import { fail, pass, unreadable, warn, withFigure, withRows, type CheckContext, type Outcome } from '../engine/check.ts'
import { takePhoto } from './takePhoto.ts'

interface View {
  /** 0 to 3, 99 for the flash camera; null if the gateway does not name it. */
  source: number | null
  label: Message
  isOrdered: boolean
}

interface Judged {
  view: View
  row: SeenRow
  verdict: 'accepted' | 'dark' | 'refused' | 'failed' | 'unreadable'
  what: Message
  remedy: Message
}

/**
 * Each ordered camera takes a picture through the gateway, and a person confirms what it shows. Brightness alone never
 * gives a pass.
 */
export async function checkCamera(context: CheckContext<'camera'>): Promise<Outcome> {
  const { plan } = context
  const taken = await takePhoto(
    context,
    plan.views?.map(({ source }) => source)
  )
  if (taken.kind === 'ended') return taken.outcome
  const views =
    plan.views?.map(({ source, name }) => ({ source, label: sayCamera(source, name), isOrdered: true })) ??
    taken.seen.photos.map(({ source }) => ({ source, label: sayCamera(source), isOrdered: false }))
  const judged: Judged[] = []
  for (const view of views) judged.push(await judgeView(context, view, taken.seen))
  const others = taken.seen.photos.filter(
    ({ source, outcome }) => outcome === 'ready' && !views.some((view) => view.source === source)
  )
  const rows = [
    ...judged.map(({ row }) => row),
    ...others.map((photo): SeenRow => ({
      label: sayCamera(photo.source),
      wanted: null,
      device: null,
      gateway: sayPicture(photo),
      verdict: 'notOrdered'
    }))
  ]
  return withRows(rows, outcomeOf(judged))
}

function outcomeOf(judged: readonly Judged[]): Outcome {
  const has = (verdict: Judged['verdict']) => judged.find((one) => one.verdict === verdict)
  const labels = (verdict: Judged['verdict']) =>
    judged.filter((one) => one.verdict === verdict).map(({ view }) => view.label)
  if (judged.length === 0)
    return fail(message('accessoryChecks.noPictureAtAll'), message('photos.checkWiring'), ['gateway'])
  const bad = has('failed') ?? has('refused')
  if (bad) return fail(bad.what, bad.remedy, bad.verdict === 'refused' ? ['gateway', 'person'] : ['gateway'])
  const odd = has('unreadable')
  if (odd) return unreadable(odd.what, odd.remedy)
  const figure = message('accessoryChecks.pictureCount', { n: judged.length })
  if (has('dark'))
    return withFigure(
      figure,
      warn(message('accessoryChecks.darkAccepted', { cameras: labels('dark') }), message('accessoryChecks.lookByDay'), [
        'gateway',
        'person'
      ])
    )
  return withFigure(
    figure,
    pass(message('accessoryChecks.picturesFine', { cameras: labels('accepted') }), ['gateway', 'person'])
  )
}

async function judgeView(context: CheckContext<'camera'>, view: View, { photos, event }: PhotosSeen): Promise<Judged> {
  const { label } = view
  const photo = photos.find(({ source }) => source === view.source)
  const row = { label, wanted: view.isOrdered ? message('accessoryChecks.aPicture') : null, device: null }
  if (!photo) {
    const what = message('accessoryChecks.noPicture', { cameras: [label] })
    return {
      view,
      row: { ...row, gateway: null, verdict: 'missing', note: what },
      verdict: 'failed',
      what,
      remedy: message('photos.checkWiring')
    }
  }
  if (photo.outcome === 'failed' || photo.base64 === null) {
    const isFailed = photo.outcome === 'failed'
    const what = isFailed
      ? message('accessoryChecks.cameraFailed', { camera: label, meaning: photo.meaning })
      : message('accessoryChecks.pictureBroken', { camera: label, why: photo.remedy ?? photo.meaning })
    context.saw({ witness: 'gateway', what, raw: withoutPicture(photo) })
    return {
      view,
      row: { ...row, gateway: photo.meaning, verdict: 'differs', note: what },
      verdict: isFailed ? 'failed' : 'unreadable',
      what,
      remedy: (isFailed ? photo.remedy : null) ?? message('photos.takeAgain')
    }
  }
  const kept = await context.attach({
    bytes: Buffer.from(photo.base64, 'base64'),
    purpose: 'cameraView',
    source: 'vehicleCamera',
    takenAt: photo.takenAt,
    latitude: event?.latitude ?? null,
    longitude: event?.longitude ?? null,
    placeSource: 'gateway'
  })
  if (kept.outcome === 'refused') {
    const what = message('accessoryChecks.pictureBroken', { camera: label, why: kept.reason })
    context.saw({ witness: 'gateway', what, raw: withoutPicture(photo) })
    return {
      view,
      row: { ...row, gateway: sayPicture(photo), verdict: 'unreadable', note: what },
      verdict: 'unreadable',
      what,
      remedy: message('photos.takeAgain')
    }
  }
  const { brightness, attachment } = kept
  const { darkestMean, flattestSpread } = context.profile.camera
  const isDark = brightness.mean <= darkestMean && brightness.spread <= flattestSpread
  const dark = message('accessoryChecks.pictureDark', { camera: label })
  const seen = { ...withoutPicture(photo), mean: brightness.mean, spread: brightness.spread }
  context.saw({
    witness: 'gateway',
    what: isDark ? dark : message('accessoryChecks.pictureOf', { camera: label }),
    raw: seen,
    thresholds: { darkestMean, flattestSpread }
  })
  const question = message('accessoryChecks.acceptPicture', { camera: label })
  context.show({ say: question, hint: isDark ? dark : null, meters: [], leftMs: null })
  const { answer } = await context.ask({ kind: 'picture', text: question, sha256: attachment.sha256 }).answered
  if (answer !== true) {
    const what = message('accessoryChecks.pictureRefused', { camera: label })
    context.saw({ witness: 'person', what, raw: { sha256: attachment.sha256 } })
    return {
      view,
      row: { ...row, gateway: message('accessoryChecks.refused'), verdict: 'differs', note: isDark ? dark : what },
      verdict: 'refused',
      what,
      remedy: message('accessoryChecks.turnCamera')
    }
  }
  context.saw({
    witness: 'person',
    what: message('accessoryChecks.picturesFine', { cameras: [label] }),
    raw: { sha256: attachment.sha256 }
  })
  const gateway = message('accessoryChecks.accepted')
  return isDark
    ? {
        view,
        row: { ...row, gateway, verdict: 'differs', note: dark },
        verdict: 'dark',
        what: dark,
        remedy: message('accessoryChecks.lookByDay')
      }
    : {
        view,
        row: { ...row, gateway, verdict: view.isOrdered ? 'agrees' : 'received' },
        verdict: 'accepted',
        what: question,
        remedy: question
      }
}

/** The picture itself is stored beside the log, which contains its hash. */
function withoutPicture({ base64: _, ...photo }: PhotoView): object {
  return photo
}

function sayPicture({ sizeBytes }: PhotoView): Message {
  return sizeBytes === null
    ? message('accessoryChecks.unknown')
    : message('accessoryChecks.pictureTaken', { sizeBytes })
}

/** The gateway counts cameras from 0, people count from 1. */
function sayCamera(source: number | null, name?: string | Message): Message {
  if (source === 99)
    return name === undefined
      ? message('accessoryChecks.flashCamera')
      : message('accessoryChecks.flashCameraNamed', { name })
  const number = source === null ? 1 : source + 1
  return name === undefined
    ? message('accessoryChecks.camera', { number })
    : message('accessoryChecks.cameraNamed', { number, name })
}
