import { message } from '../../../../preload/contract/messages.ts'
import { hasIp } from '../../../device/client/facts.ts'
import { kindOf } from '../../../base/reading/reportedEvents.ts'
import { wordsOf } from '../events.ts'
import { rhythmOf } from '../rhythm.ts'
import { brokenLink, isoAt, okLink, unknownLink, type LinkVerdict } from '../linkVerdict.ts'
import { ageOf, whyNoGateway, type EvidenceView } from '../evidenceView.ts'

const missedReports = 4
const shortestSilenceS = 45

/** Any event of this device arrived at the gateway recently: the next links use its type. */
export function judgeGatewayEvent(sight: EvidenceView): LinkVerdict {
  const { gateway, heard, limits, nowMs } = sight
  const why = whyNoGateway(gateway)
  if (gateway === null || (why && heard === null)) return unknownLink(why ?? message('chain.gatewayNotAsked'))
  const by = { witness: 'gateway', readAt: heard?.readAt ?? gateway.events?.readAt ?? null } as const
  if (heard !== null) {
    const ageS = Math.round(heard.ageS)
    const what = {
      sentence: message('chain.gatewayEvent.heard', { what: wordsOf(heard.event), ageS }),
      short: message('chain.short.ago', { ageS })
    }
    const sinceAt = isoAt(heard.atMs)
    const rhythmS = rhythmBroken(sight)
    if (rhythmS !== null) {
      return brokenLink({
        ...by,
        sentence: message('chain.gatewayEvent.stopped', { everyS: Math.round(rhythmS), ageS }),
        short: what.short,
        remedy: message('delivered.checkApn'),
        sinceAt
      })
    }
    if (sight.reporting.is === 'reports')
      return okLink({ ...by, ...what, detail: isBacklog(sight) ? message('chain.gatewayEvent.backlog') : null })
    // Earlier answers of an unreachable gateway only get older.
    if (why) return unknownLink(why, { ...by, short: what.short })
    if (isNowhere(sight)) return unknownLink(message('chain.gatewayEvent.nowhere'), by)
    if (hasUnnamed(sight, limits.silentS))
      return unknownLink(message('chain.gatewayEvent.unnamed'), { ...by, short: what.short })
    if (sight.reporting.is === 'unknown' && !isAwake(sight))
      return unknownLink(message('chain.gatewayEvent.pause', { ageS }), { ...by, short: what.short })
    return brokenLink({
      ...by,
      sentence: message('chain.gatewayEvent.silent', { ageS }),
      short: what.short,
      ...remedyOf(sight),
      detail: detailOf(sight),
      sinceAt
    })
  }
  const refused = gateway.refused.events ?? gateway.refused.record
  if (gateway.events === null && gateway.vehicle?.value === null) return unknownLink(message('chain.vehicle.notShown'))
  if (gateway.events === null)
    return unknownLink(
      message('chain.gatewayEvent.unreadable', { why: refused?.why ?? message('chain.gatewayAsking') })
    )
  if (isNowhere(sight)) return unknownLink(message('chain.gatewayEvent.nowhere'), by)
  if (gateway.state === 'notShown' || gateway.record?.value === null) {
    if (gateway.user?.value.isStaff !== true) return unknownLink(message('chain.gatewayEvent.notShown'), by)
  }
  if (hasUnnamed(sight, Infinity)) return unknownLink(message('chain.gatewayEvent.unnamed'), by)
  // A search over some minutes proves nothing.
  const sinceMs = gateway.eventsSinceAt === null ? nowMs : Date.parse(gateway.eventsSinceAt)
  if (nowMs - sinceMs < limits.silentS * 1000) return unknownLink(message('chain.gatewayEvent.noneYet'), by)
  return brokenLink({
    ...by,
    sentence: message('chain.gatewayEvent.never', { forS: Math.round((nowMs - sinceMs) / 1000) }),
    short: message('chain.short.none'),
    ...remedyOf(sight)
  })
}

/** Events without a device id may belong to this device: they prove nothing, and accuse nothing. */
function hasUnnamed(sight: EvidenceView, withinS: number): boolean {
  return (sight.gateway?.events?.value ?? []).some(
    (event) => event.imei === null && (ageOf(event, sight) ?? Infinity) <= withinS
  )
}

/** Connected and with its key on it reports within minutes; otherwise it may sleep between two reports. */
function isAwake({ io }: EvidenceView): boolean {
  return io.value?.IGN === true
}

/** Events are stored with a vehicle: a device in no vehicle has none. */
function isNowhere({ gateway, evidence }: EvidenceView): boolean {
  const vehicle = gateway?.vehicle?.value
  const isHere = vehicle?.imei !== undefined && vehicle.imei !== null && vehicle.imei === evidence.imei
  if (!gateway?.vehicle || isHere) return false
  if (evidence.imei === null) return vehicle?.imei === null
  return gateway.elsewhere === null ? vehicle === null : gateway.elsewhere.value === null
}

/**
 * Its reporting interval before it stopped; null while it continues or when unknown. Silence means something only with
 * the key on.
 */
function rhythmBroken(sight: EvidenceView): number | null {
  const { io, gateway, heard } = sight
  const isKeyOn = io.value?.IGN === true && gateway?.lines?.value?.values['io_ign'] === true
  if (!isKeyOn || heard === null || whyNoGateway(gateway)) return null
  const everyS = rhythmOf(sight.events, sight)
  return everyS !== null && heard.ageS > Math.max(missedReports * everyS, shortestSilenceS) ? everyS : null
}

function isBacklog({ events }: EvidenceView): boolean {
  return events.slice(0, 3).some((event) => kindOf(event) === 'backlog')
}

/** Connected, its network is known to be good; remotely nobody has checked it. */
function remedyOf({ modem, evidence }: EvidenceView) {
  if (hasIp(modem.value?.IP))
    return { remedy: message('delivered.checkApn'), action: { kind: 'openPart', part: 'network' } as const }
  return {
    remedy: message(evidence.device === null ? 'chain.gatewayEvent.goThere' : 'chain.gatewayEvent.seeDevice'),
    action: null
  }
}

function detailOf({ gateway, modem, reporting }: EvidenceView) {
  if (hasIp(modem.value?.IP)) return message('chain.gatewayEvent.hasAddress')
  if (gateway?.lines?.value?.values['io_ign'] !== false) return null
  // Its own rhythm shows that it did not report rarely while it was parked.
  return reporting.rhythmS === null
    ? message('chain.gatewayEvent.wasParked')
    : message('chain.gatewayEvent.wasRegular', { everyS: Math.round(reporting.rhythmS) })
}
