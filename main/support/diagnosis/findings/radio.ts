import { isFix } from '../../../../preload/base/maps/position.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { readSignal } from '../../../device/client/facts.ts'
import { isPlaced } from '../../../base/reading/reportedEvents.ts'
import { ageOf, type EvidenceView } from '../evidenceView.ts'
import type { Found } from '../linkVerdict.ts'
import { trendOf } from './trend.ts'

/** Signal and position that are good enough here but may not be elsewhere. */
export function findOfRadio(sight: EvidenceView): Found[] {
  return [...ofSignal(sight), ...ofFix(sight)]
}

function ofSignal(sight: EvidenceView): Found[] {
  const { modem, events, gateway, limits, isHeardNow } = sight
  const here = readSignal(modem.value?.RSSI)?.dBm
  const there =
    modem.value === null && isHeardNow ? events.find(({ signalDbm }) => signalDbm !== null)?.signalDbm : undefined
  const signalDbm = here ?? there
  // Without a network no signal can be weak: that is a link of the chain.
  if (signalDbm === undefined || signalDbm === null || signalDbm >= limits.signalPassDbm || signalDbm <= -113) return []
  const by =
    here === undefined
      ? ({ witness: 'gateway', readAt: gateway?.events?.readAt ?? null } as const)
      : ({ witness: 'device', readAt: modem.readAt } as const)
  return [
    {
      id: 'weakSignal',
      sentence: message('findings.weakSignal', { signalDbm }),
      remedy: message('network.moveAntenna'),
      ...by,
      link: 'registration',
      ...trendOf(sight, {
        measure: 'signalDbm',
        limit: limits.signalPassDbm,
        of: ({ signalDbm: one }) => one,
        isWrong: (oneDbm) => oneDbm < limits.signalPassDbm
      })
    }
  ]
}

function ofFix(sight: EvidenceView): Found[] {
  const { position, gateway, limits } = sight
  const { fix, satsActive, hdop } = position.value?.extras ?? {}
  const isHere = position.value !== null
  const newest = sight.events.find(isPlaced)
  const isFresh = newest !== undefined && (ageOf(newest, sight) ?? Infinity) <= limits.reportsS
  if (isHere ? !isFix(fix) : !isFresh) return []
  const satellites = isHere ? satsActive : newest?.satellites
  const dilution = isHere ? hdop : newest?.hdop
  const isFew = typeof satellites === 'number' && satellites < limits.satellitesPass
  const isWide = typeof dilution === 'number' && dilution > limits.hdopPass
  if (!isFew && !isWide) return []
  const sentence = message('findings.poorFix', { satellites: satellites ?? '-', hdop: dilution ?? '-' })
  const since = isFew
    ? trendOf(sight, {
        measure: 'satellites',
        limit: limits.satellitesPass,
        of: (event) => (isPlaced(event) ? event.satellites : null),
        isWrong: (n) => n < limits.satellitesPass
      })
    : {}
  return [
    {
      id: 'poorFix',
      link: 'fix',
      ...since,
      sentence,
      remedy: message('position.moveAntenna'),
      ...(isHere
        ? ({ witness: 'device', readAt: position.readAt } as const)
        : ({ witness: 'gateway', readAt: gateway?.events?.readAt ?? null } as const))
    }
  ]
}
