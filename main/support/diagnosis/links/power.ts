import { message } from '../../../../preload/contract/messages.ts'
import { engineTellsWithinMs, powerDrops, powerFault, wiringCauses } from '../../../job/jobs/engine/wiring.ts'
import { brokenLink, byDevice, isoAt, okLink, unknownLink, type LinkVerdict } from '../linkVerdict.ts'
import { lineHistory } from '../lately.ts'
import { powerGoneSince } from '../findings/trend.ts'
import { whyMissing, type EvidenceView } from '../evidenceView.ts'

/** The line and the event of one loss are no further apart. */
const sameLossMs = 60_000

/** External power: PWR of the device and its recent changes; otherwise io_pwr of the gateway. */
export function judgePower(sight: EvidenceView): LinkVerdict {
  const isOn = sight.io.value?.PWR
  if (isOn === undefined) return judgeByGateway(sight)
  const by = byDevice(sight.io)
  const drops = dropsLately(sight)
  const fault = powerFault(drops)
  const isGone = !isOn && !isJustGone(sight)
  if (isGone) {
    const last = lineHistory(sight.evidence.device?.lately ?? null)
      .changes('PWR')
      .at(-1)
    const batteryMv = sight.io.value?.BAT
    return brokenLink({
      ...by,
      sentence: message('chain.power.none'),
      detail: batteryMv === undefined ? null : message('chain.power.battery', { batteryMv }),
      short: message('chain.short.none'),
      sinceAt: goneSince(sight, last && !last.on ? last.atMs : null),
      remedy:
        fault === 'switchedFeed' || fault === 'dropsWhileCranking' ? wiringCauses[fault] : message('power.checkFeed'),
      action: { kind: 'openPart', part: 'lines' }
    })
  }
  // A starter pulls the voltage down, or a plug is moved once: neither keeps a device from reporting afterwards.
  if (fault && fault !== 'dropsWhileCranking' && drops.length > 1) {
    return brokenLink({
      ...by,
      sentence: message('chain.power.drops', { n: drops.length, forS: sight.limits.powerHoldS }),
      short: message('chain.short.drops'),
      remedy: wiringCauses[fault],
      action: { kind: 'openPart', part: 'lines' }
    })
  }
  if (!isOn) return unknownLink(message('chain.power.momentary'), by)
  return okLink({ ...by, sentence: message('chain.power.present'), short: message('chain.short.present') })
}

/** It was on a moment ago and may be back in the next one. */
function isJustGone({ evidence, limits, nowMs }: EvidenceView): boolean {
  const lately = evidence.device?.lately ?? null
  if (lately === null) return false
  const last = lineHistory(lately).story('PWR').at(-1)
  return last === undefined || last.on || nowMs - last.atMs < limits.shortDropS * 1000
}

/** Of the period in which power must be stable. */
export function dropsLately({ evidence, limits, nowMs }: EvidenceView) {
  const history = lineHistory(evidence.device?.lately ?? null)
  const isOnAt = (line: 'IGN' | 'PWR', atMs: number) =>
    history.story(line).findLast((change) => change.atMs <= atMs)?.on ?? false
  return powerDrops(history, nowMs).filter(({ atMs, forMs, with: what }) => {
    // Only a running engine shows that it was the starter.
    const isOpen =
      what === 'key' && isOnAt('IGN', atMs) && isOnAt('PWR', nowMs) && nowMs - (atMs + forMs) < engineTellsWithinMs
    return !isOpen && atMs + forMs >= nowMs - limits.powerHoldS * 1000
  })
}

/** By the events, or by the line that was watched going: an older event is of an earlier loss. */
function goneSince(sight: EvidenceView, wentAtMs: number | null): string | null {
  const byEvents = powerGoneSince(sight)
  const isSame = byEvents !== null && (wentAtMs === null || wentAtMs - Date.parse(byEvents) <= sameLossMs)
  return isSame ? byEvents : wentAtMs === null ? null : isoAt(wentAtMs)
}

function judgeByGateway(sight: EvidenceView): LinkVerdict {
  const { io, gateway, gatewayNowMs, heard, limits } = sight
  const lines = gateway?.lines
  const isOn = lines?.value?.values['io_pwr']
  const atMs = lines?.value?.atMs
  if (isOn === undefined || atMs === undefined || atMs === null)
    return unknownLink(message('chain.power.unknown', { why: whyMissing(io, 'PWR') }))
  const ageS = Math.round((gatewayNowMs - atMs) / 1000)
  const by = { witness: 'gateway', readAt: lines?.readAt ?? null } as const
  /** A clock that is slightly ahead is not in the future. */
  const agoS = Math.max(0, ageS)
  const isFresh = ageS >= -60 && ageS <= limits.reportsS
  if (!isOn && (isFresh || (ageS > 0 && (heard === null || heard.ageS >= ageS - 60)))) {
    return brokenLink({
      ...by,
      sentence: message('chain.power.goneAtGateway', { ageS: agoS }),
      short: message('chain.short.none'),
      remedy: message('power.checkFeed'),
      sinceAt: powerGoneSince(sight)
    })
  }
  if (isOn && isFresh)
    return okLink({
      ...by,
      sentence: message('chain.power.presentAtGateway', { ageS: agoS }),
      short: message('chain.short.present')
    })
  return unknownLink(message('chain.power.tooOld', { isOn: isOn ? 'yes' : 'no', ageS: agoS }), by)
}
