import { message } from '../../../preload/contract/messages.ts'
import { hasIp } from '../../device/facts.ts'
import { kindOf, wordsOf } from '../events.ts'
import { brokenLink, isoAt, okLink, unknownLink, type LinkVerdict } from '../linkVerdict.ts'
import { ageOf, whyNoGateway, type EvidenceView } from '../evidenceView.ts'

/** So many reports of one kind in a row show how often it reports. */
const reportsForRhythm = 5
const mostUneven = 1.6
const missedReports = 4
const shortestSilenceS = 45

/** Something of this device arrived at the gateway lately, whatever it was: the types say more at the next links. */
export function judgeGatewayEvent(sight: EvidenceView): LinkVerdict {
  const { gateway, heard, limits, nowMs } = sight
  const why = whyNoGateway(gateway)
  if (gateway === null || (why && heard === null)) return unknownLink(why ?? message('chain.gatewayNotAsked'))
  const by = { witness: 'gateway', readAt: heard?.readAt ?? gateway.events?.readAt ?? null } as const
  if (heard !== null) {
    const ageS = Math.round(heard.ageS)
    const what = { sentence: message('chain.gatewayEvent.heard', { what: wordsOf(heard.event), ageS }), short: message('chain.short.ago', { ageS }) }
    const sinceAt = isoAt(heard.atMs)
    const rhythmS = rhythmBroken(sight)
    if (rhythmS !== null) {
      return brokenLink({ ...by, sentence: message('chain.gatewayEvent.stopped', { everyS: Math.round(rhythmS), ageS }), short: what.short, remedy: message('delivered.checkApn'), sinceAt })
    }
    if (heard.ageS <= limits.reportsS) return okLink({ ...by, ...what, detail: isBacklog(sight) ? message('chain.gatewayEvent.backlog') : null })
    // What a gateway that is away said before only grows old.
    if (why) return unknownLink(why, { ...by, short: what.short })
    if (heard.ageS <= limits.silentS && !isAwake(sight)) return unknownLink(message('chain.gatewayEvent.pause', { ageS }), { ...by, short: what.short })
    if (isNowhere(sight)) return unknownLink(message('chain.gatewayEvent.nowhere'), by)
    if (hasUnnamed(sight, limits.silentS)) return unknownLink(message('chain.gatewayEvent.unnamed'), { ...by, short: what.short })
    return brokenLink({ ...by, sentence: message('chain.gatewayEvent.silent', { ageS }), short: what.short, ...remedyOf(sight), detail: detailOf(sight), sinceAt })
  }
  const refused = gateway.refused.events ?? gateway.refused.record
  if (gateway.events === null && gateway.vehicle?.value === null) return unknownLink(message('chain.vehicle.notShown'))
  if (gateway.events === null) return unknownLink(message('chain.gatewayEvent.unreadable', { why: refused?.why ?? message('chain.gatewayAsking') }))
  if (isNowhere(sight)) return unknownLink(message('chain.gatewayEvent.nowhere'), by)
  if (gateway.state === 'notShown' || gateway.record?.value === null) {
    if (gateway.user?.value.isStaff !== true) return unknownLink(message('chain.gatewayEvent.notShown'), by)
  }
  if (hasUnnamed(sight, Infinity)) return unknownLink(message('chain.gatewayEvent.unnamed'), by)
  // From a search of some minutes nothing follows.
  const sinceMs = gateway.eventsSinceAt === null ? nowMs : Date.parse(gateway.eventsSinceAt)
  if (nowMs - sinceMs < limits.silentS * 1000) return unknownLink(message('chain.gatewayEvent.noneYet'), by)
  return brokenLink({ ...by, sentence: message('chain.gatewayEvent.never', { forS: Math.round((nowMs - sinceMs) / 1000) }), short: message('chain.short.none'), ...remedyOf(sight) })
}

/** Events that name no device may be of this one: they prove nothing, and accuse nothing. */
function hasUnnamed(sight: EvidenceView, withinS: number): boolean {
  return (sight.gateway?.events?.value ?? []).some((event) => event.imei === null && (ageOf(event, sight) ?? Infinity) <= withinS)
}

/** With its key on beside us it reports in minutes; else it may sleep between two reports. */
function isAwake({ io }: EvidenceView): boolean {
  return io.value?.IGN === true
}

/** Events are kept with a vehicle: of a device that is in none nothing can be there. */
function isNowhere({ gateway, evidence }: EvidenceView): boolean {
  const vehicle = gateway?.vehicle?.value
  const isHere = vehicle?.imei !== undefined && vehicle.imei !== null && vehicle.imei === evidence.imei
  if (!gateway?.vehicle || isHere) return false
  if (evidence.imei === null) return vehicle?.imei === null
  return gateway.elsewhere === null ? vehicle === null : gateway.elsewhere.value === null
}

/**
 * How often it reported until it stopped; null while it goes on, or where nobody can say. A device may report less often
 * once the key is off: only with the key on, before and now, is silence no pause.
 */
function rhythmBroken(sight: EvidenceView): number | null {
  const { io, gateway, heard } = sight
  if (io.value?.IGN !== true || gateway?.lines?.value?.values['io_ign'] !== true || heard === null || whyNoGateway(gateway)) return null
  const regular = sight.events.filter((event) => kindOf(event) === 'position' && event.type === 10).slice(0, reportsForRhythm)
  const ages = regular.map((event) => ageOf(event, sight)).filter((ageS) => ageS !== null)
  if (ages.length < reportsForRhythm) return null
  const gaps = ages.slice(1).map((ageS, index) => ageS - (ages[index] ?? 0))
  const [least, most] = [Math.min(...gaps), Math.max(...gaps)]
  if (least <= 0 || most > Math.max(least * mostUneven, least + 2)) return null
  return heard.ageS > Math.max(missedReports * most, shortestSilenceS) ? most : null
}

function isBacklog({ events }: EvidenceView): boolean {
  return events.slice(0, 3).some((event) => kindOf(event) === 'backlog')
}

/** Beside the device its network is known to be good; from afar nobody has seen it. */
function remedyOf({ modem, evidence }: EvidenceView) {
  if (hasIp(modem.value?.IP)) return { remedy: message('delivered.checkApn'), action: { kind: 'openPart', part: 'network' } as const }
  return { remedy: message(evidence.device === null ? 'chain.gatewayEvent.goThere' : 'chain.gatewayEvent.seeDevice'), action: null }
}

function detailOf({ gateway, modem }: EvidenceView) {
  if (hasIp(modem.value?.IP)) return message('chain.gatewayEvent.hasAddress')
  return gateway?.lines?.value?.values['io_ign'] === false ? message('chain.gatewayEvent.wasParked') : null
}
