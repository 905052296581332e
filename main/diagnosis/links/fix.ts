import { message } from '../../../preload/contract/messages.ts'
import { isZeroPlace } from '../../../preload/events/fields.ts'
import { isOfReceiver, isPlaced, kindOf } from '../events.ts'
import { brokenLink, byDevice, okLink, unknownLink, type LinkVerdict } from '../linkVerdict.ts'
import { ageOf, whyMissing, whyNoGateway, type EvidenceView } from '../evidenceView.ts'

/** This many events without a position are not a tunnel. */
const emptyInRow = 2
const connectionsInRow = 3

/** The receiver has a fix, and arriving events have positions. */
export function judgeFix(sight: EvidenceView): LinkVerdict {
  const byReceiver = judgeReceiver(sight)
  if (byReceiver.state === 'broken') return byReceiver
  const byEvents = judgeEvents(sight)
  if (byReceiver.state === 'unknown') return byEvents ?? byReceiver
  return byEvents?.state === 'broken' && byEvents.short.id === 'chain.short.noPositions' ? byEvents : byReceiver
}

function judgeReceiver({ position, limits, upS }: EvidenceView): LinkVerdict {
  const by = byDevice(position)
  const { coords, extras } = position.value ?? {}
  if (position.value === null)
    return unknownLink(message('chain.fix.unknown', { why: whyMissing(position, 'extras.fix') }))
  const { latitude, longitude } = coords ?? {}
  const fix = extras?.fix
  const isStarting = upS !== null && upS < limits.fixWithinS
  const todo = { remedy: message('position.goOutdoors'), action: { kind: 'openPart', part: 'position' } } as const
  if (fix === undefined)
    return unknownLink(message('chain.fix.unreadable', { why: whyMissing(position, 'extras.fix') }), by)
  if (fix <= 0) {
    if (isStarting) return unknownLink(message('chain.fix.starting', { upS: Math.round(upS) }), by)
    return brokenLink({
      ...by,
      sentence: message('chain.fix.none'),
      detail:
        extras?.satsActive === undefined ? null : message('chain.fix.satellites', { satellites: extras.satsActive }),
      short: message('chain.short.none'),
      ...todo
    })
  }
  if (latitude === undefined || longitude === undefined)
    return unknownLink(
      message('chain.fix.unreadable', {
        why: whyMissing(position, latitude === undefined ? 'coords.latitude' : 'coords.longitude')
      }),
      by
    )
  if (isZeroPlace(latitude, longitude))
    return brokenLink({ ...by, sentence: message('chain.fix.zero'), short: message('chain.short.zero'), ...todo })
  return okLink({
    ...by,
    sentence: message('chain.fix.has'),
    short:
      extras?.satsActive === undefined
        ? message('chain.short.present')
        : message('chain.short.satellites', { satellites: extras.satsActive })
  })
}

/** What arrives at the gateway; undefined when it says nothing about the receiver. */
function judgeEvents(sight: EvidenceView): LinkVerdict | undefined {
  const { gateway, limits } = sight
  if (!gateway?.events || whyNoGateway(gateway)) return undefined
  const by = { witness: 'gateway', readAt: gateway.events.readAt } as const
  const told = sight.events.filter(isOfReceiver)
  const [newest] = told
  if (newest === undefined || ageS(newest, sight) > limits.silentS)
    return onlyConnections(sight, newest === undefined ? null : ageS(newest, sight))
  if (isPlaced(newest))
    return okLink({
      ...by,
      sentence: message('chain.fix.arrives', { ageS: Math.round(ageS(newest, sight)) }),
      short:
        newest.satellites === null
          ? message('chain.short.valid')
          : message('chain.short.satellites', { satellites: newest.satellites })
    })
  const others = told.slice(0, emptyInRow)
  if (others.some(isPlaced)) return unknownLink(message('chain.fix.onceWithout'), by)
  if (told.length < emptyInRow && sight.events.length > told.length) return undefined
  const isEmpty = kindOf(newest) === 'empty'
  return brokenLink({
    ...by,
    sentence: message(isEmpty ? 'chain.fix.empty' : 'chain.fix.invalid', {
      n: told.findIndex(isPlaced) < 0 ? told.length : told.findIndex(isPlaced)
    }),
    short: message('chain.short.none'),
    remedy: message('position.goOutdoors')
  })
}

/** Connected, without data from the receiver: a parked vehicle rarely sends its position, one with the key on does. */
function onlyConnections(sight: EvidenceView, newestS: number | null): LinkVerdict | undefined {
  const { gateway, io, isHeardNow } = sight
  const connections = sight.events.filter(
    (event) => kindOf(event) === 'connection' && ageS(event, sight) <= sight.limits.silentS
  )
  // A position of an unknown time may be the latest report.
  if (!isHeardNow || connections.length < connectionsInRow || newestS === Infinity) return undefined
  const by = { witness: 'gateway', readAt: gateway?.events?.readAt ?? null } as const
  const isKeyOn = io.value?.IGN ?? gateway?.lines?.value?.values['io_ign']
  if (newestS !== null && isKeyOn !== true)
    return unknownLink(message('chain.fix.parked', { ageS: Math.round(newestS) }), by)
  const sentence =
    newestS === null
      ? message('chain.fix.noPositions')
      : message('chain.fix.positionsStopped', { ageS: Math.round(newestS) })
  return brokenLink({
    ...by,
    sentence,
    short: message('chain.short.noPositions'),
    remedy: message('chain.fix.checkReceiver')
  })
}

function ageS(event: EvidenceView['events'][number], sight: EvidenceView): number {
  return ageOf(event, sight) ?? Infinity
}
