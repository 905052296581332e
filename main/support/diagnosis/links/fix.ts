import { message } from '../../../../preload/contract/messages.ts'
import { isFix, isZeroPlace } from '../../../../preload/base/maps/position.ts'
import { fixDoubts, trackFaults } from '../../../base/reading/contradictions.ts'
import { sayPositionGap, sayTrackFault, whyNoPlace } from '../../../base/reading/sayContradictions.ts'
import { isOfReceiver, isPlaced, kindOf, positionGapIn } from '../../../base/reading/reportedEvents.ts'
import { momentOf, placeReportsOf } from '../events.ts'
import { noPlaceSince } from '../findings/trend.ts'
import { brokenLink, byDevice, isoAt, okLink, unknownLink, type LinkVerdict } from '../linkVerdict.ts'
import { ageOf, whyMissing, whyNoGateway, type EvidenceView } from '../evidenceView.ts'

/** This many events without a position are not a tunnel. */
const emptyInRow = 2
/** So many of the receiver's own values must contradict its fix before that is an old one. */
const leastDoubts = 2
/** Faults that events show while the receiver itself may be well. */
const shownByEvents: readonly string[] = ['chain.short.noPositions', 'chain.short.frozen', 'chain.short.offEarth']

/** The receiver has a fix, and arriving events have positions. */
export function judgeFix(sight: EvidenceView): LinkVerdict {
  const byReceiver = judgeReceiver(sight)
  if (byReceiver.state === 'broken') return byReceiver
  const byEvents = judgeEvents(sight)
  if (byReceiver.state === 'unknown') return byEvents ?? byReceiver
  return byEvents?.state === 'broken' && shownByEvents.includes(byEvents.short.id) ? byEvents : byReceiver
}

function judgeReceiver(sight: EvidenceView): LinkVerdict {
  const { position, limits, upS } = sight
  const by = byDevice(position)
  const { coords, extras } = position.value ?? {}
  if (position.value === null)
    return unknownLink(message('chain.fix.unknown', { why: whyMissing(position, 'extras.fix') }))
  const { latitude, longitude } = coords ?? {}
  const fix = extras?.fix
  const satellites = extras?.satsActive
  const isStarting = upS !== null && upS < limits.fixWithinS
  const todo = {
    remedy: message('position.goOutdoors'),
    action: { kind: 'openPart', part: 'position' },
    sinceAt: noPlaceSince(sight)
  } as const
  if (fix === undefined)
    return unknownLink(message('chain.fix.unreadable', { why: whyMissing(position, 'extras.fix') }), by)
  if (!isFix(fix)) {
    if (isStarting) return unknownLink(message('chain.fix.starting', { upS: Math.round(upS) }), by)
    return brokenLink({
      ...by,
      sentence: message('chain.fix.none'),
      detail: satellites === undefined ? null : message('chain.fix.satellites', { satellites }),
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
  const noPlace = whyNoPlace(latitude, longitude)
  if (noPlace)
    return brokenLink({ ...by, ...noPlace, short: message('chain.short.offEarth'), sinceAt: noPlaceSince(sight) })
  if (fixDoubts({ coords, extras }).length >= leastDoubts)
    return brokenLink({
      ...by,
      sentence: message('chain.fix.contradicted'),
      detail: satellites === undefined ? null : message('chain.fix.satellites', { satellites }),
      short: message('chain.short.none'),
      ...todo
    })
  return okLink({
    ...by,
    sentence: message('chain.fix.has'),
    short: satellites === undefined ? message('chain.short.present') : message('chain.short.satellites', { satellites })
  })
}

/** What arrives at the gateway; undefined when it says nothing about the receiver. */
function judgeEvents(sight: EvidenceView): LinkVerdict | undefined {
  const { gateway, limits } = sight
  if (!gateway?.events || whyNoGateway(gateway)) return undefined
  const by = { witness: 'gateway', readAt: gateway.events.readAt } as const
  const told = sight.events.filter(isOfReceiver)
  const [newest] = told
  if (newest === undefined || ageS(newest, sight) > limits.silentS) return onlyConnections(sight)
  if (isPlaced(newest)) {
    const frozen = trackFaults(placeReportsOf(sight.events)).find(({ kind }) => kind === 'frozen')
    if (frozen)
      return brokenLink({
        ...by,
        ...sayTrackFault(frozen),
        short: message('chain.short.frozen'),
        sinceAt: isoAt(frozen.sinceMs - (gateway.aheadS ?? 0) * 1000)
      })
    return okLink({
      ...by,
      sentence: message('chain.fix.arrives', { ageS: Math.round(ageS(newest, sight)) }),
      short:
        newest.satellites === null
          ? message('chain.short.valid')
          : message('chain.short.satellites', { satellites: newest.satellites })
    })
  }
  const others = told.slice(0, emptyInRow)
  if (others.some(isPlaced)) return unknownLink(message('chain.fix.onceWithout'), by)
  const noPlace = whyNoPlace(newest.latitude, newest.longitude)
  if (noPlace)
    return brokenLink({ ...by, ...noPlace, short: message('chain.short.offEarth'), sinceAt: noPlaceSince(sight) })
  if (told.length < emptyInRow && sight.events.length > told.length) return undefined
  const isEmpty = kindOf(newest) === 'empty'
  return brokenLink({
    ...by,
    sentence: message(isEmpty ? 'chain.fix.empty' : 'chain.fix.invalid', {
      n: told.findIndex(isPlaced) < 0 ? told.length : told.findIndex(isPlaced)
    }),
    short: message('chain.short.none'),
    remedy: message('position.goOutdoors'),
    sinceAt: noPlaceSince(sight)
  })
}

/** Connected, without data from the receiver. */
function onlyConnections(sight: EvidenceView): LinkVerdict | undefined {
  const { gateway, io, isHeardNow, limits } = sight
  const isKeyOn = io.value?.IGN ?? gateway?.lines?.value?.values['io_ign'] ?? null
  const gap = positionGapIn(sight.events, { ageOf: (event) => ageS(event, sight), silentS: limits.silentS, isKeyOn })
  if (!isHeardNow || gap === null) return undefined
  const by = { witness: 'gateway', readAt: gateway?.events?.readAt ?? null } as const
  if (gap.kind === 'parked') return unknownLink(message('chain.fix.parked', { ageS: Math.round(gap.ageS) }), by)
  const last = sight.events.find(isOfReceiver)
  const lastMs = last ? momentOf(last, sight, false) : null
  return brokenLink({
    ...by,
    ...sayPositionGap(gap),
    short: message('chain.short.noPositions'),
    sinceAt: lastMs === null ? null : isoAt(lastMs)
  })
}

function ageS(event: EvidenceView['events'][number], sight: EvidenceView): number {
  return ageOf(event, sight) ?? Infinity
}
