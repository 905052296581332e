import { message } from '../../../preload/contract/messages.ts'
import { distanceM } from '../../device/facts.ts'
import { sameSim } from '../../jobs/checks/identity.ts'
import { delayOf, isDatedByGpsEpoch, isPlaced, kindOf } from '../events.ts'
import { sameApn } from '../links/address.ts'
import { cardOf } from '../links/sim.ts'
import { ageOf, type Sight } from '../sight.ts'
import { clockOffS } from './clock.ts'
import type { Finding } from '../../../preload/contract/diagnosis.ts'

const eventsForDelay = 5
/** Nothing on the road is faster: what moved since its event cannot be further away. */
const fastestMs = 45

/** What arrives at the gateway, late or for another place, and whether both sides mean the same SIM and APN. */
export function findOfDelivery(sight: Sight): Finding[] {
  return [...ofDelay(sight), ...ofPlace(sight), ...ofSim(sight), ...ofApn(sight), ...ofModem(sight)]
}

/** A clock that is behind looks like a delay: only beside the device can they be told apart. */
function ofDelay(sight: Sight): Finding[] {
  const { limits, gateway, isHeardNow } = sight
  const delays = sight.events.filter((event) => kindOf(event) !== 'backlog' && !isDatedByGpsEpoch(event)).map(delayOf).filter((delayS) => delayS !== null).slice(0, eventsForDelay).sort((a, b) => a - b)
  const delayS = delays[Math.floor(delays.length / 2)]
  if (!isHeardNow || delayS === undefined || delayS <= limits.delayPassS) return []
  const offS = clockOffS(sight)
  if (offS !== null && Math.abs(offS) > limits.clockWarnS) return []
  const by = { witness: 'gateway', readAt: gateway?.events?.readAt ?? null } as const
  return [{ id: 'late', sentence: message(offS === null ? 'findings.lateOrClock' : 'findings.late', { delayS: Math.round(delayS) }), remedy: message('findings.checkSignal'), ...by }]
}

function ofPlace(sight: Sight): Finding[] {
  const { position, io, limits } = sight
  const { latitude, longitude, speed } = position.value?.coords ?? {}
  const newest = sight.events.find(isPlaced)
  const ageS = newest ? ageOf(newest, sight) : null
  if (!newest || ageS === null || ageS > limits.reportsS || latitude === undefined || longitude === undefined) return []
  if ((position.value?.extras?.fix ?? 0) <= 0 || speed === undefined || speed > limits.parkedKmh || io.value?.MOT === true) return []
  const apartM = distanceM({ latitude, longitude }, { latitude: newest.latitude ?? 0, longitude: newest.longitude ?? 0 })
  // What it dates itself is as old as it says.
  const movedS = Math.max(ageS, ageS + (delayOf(newest) ?? 0))
  if (apartM <= limits.apartWarnM + movedS * fastestMs) return []
  return [{ id: 'otherPlace', sentence: message('findings.otherPlace', { distanceM: Math.round(apartM) }), remedy: message('findings.checkIdentity'), witness: 'both', readAt: position.readAt }]
}

function ofSim({ modem, gateway, evidence }: Sight): Finding[] {
  const here = modem.value && cardOf(modem.value).id
  if (!here) return []
  const there = gateway?.record?.value?.simIds ?? []
  if (there.length > 0 && !there.some((id) => sameSim(id, here))) {
    return [{ id: 'simDiffers', sentence: message('findings.simDiffers', { digits: here.slice(-4), others: (there[0] ?? '').slice(-4) }), remedy: message('findings.tellSim'), witness: 'both', readAt: modem.readAt }]
  }
  const { simId, from } = evidence.expected
  if (simId === null || sameSim(simId, here)) return []
  return [{ id: 'simChanged', sentence: message('findings.simChanged', { digits: here.slice(-4), others: simId.slice(-4) }), remedy: from ?? message('findings.tellSim'), witness: 'device', readAt: modem.readAt }]
}

/** Another APN than the ordered one through which events arrive all the same. */
function ofApn({ configuration, evidence, isHeardNow }: Sight): Finding[] {
  const apn = configuration.value?.APN?.trim()
  const { apn: wanted } = evidence.expected
  if (!apn || wanted === null || sameApn(apn, wanted) || !isHeardNow) return []
  return [{ id: 'apnDiffers', sentence: message('findings.apnDiffers', { apn, wanted }), remedy: message('chain.apn.set', { apn: wanted }), witness: 'device', readAt: configuration.readAt }]
}

/** Another modem than its device's: a board was exchanged, or something else answers. */
function ofModem({ modem, evidence }: Sight): Finding[] {
  const own = modem.value?.IMEI?.trim()
  if (!own || evidence.imei === null || !/^\d{15}$/.test(own) || own === evidence.imei) return []
  return [{ id: 'modemOther', sentence: message('findings.modemOther', { imei: own }), remedy: message('findings.checkIdentity'), witness: 'device', readAt: modem.readAt }]
}
