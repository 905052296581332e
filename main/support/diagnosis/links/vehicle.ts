import { message, plainMessage, type Message } from '../../../../preload/contract/messages.ts'
import { brokenLink, okLink, shortWords, unknownLink, type LinkVerdict } from '../linkVerdict.ts'
import { whyNoGateway, type EvidenceView } from '../evidenceView.ts'

/** The vehicle has this device at the gateway, and no other. */
export function judgeVehicle({ evidence, gateway, events }: EvidenceView): LinkVerdict {
  const why = whyNoGateway(gateway)
  if (gateway === null || (why && gateway.vehicle === null)) return unknownLink(why ?? message('chain.gatewayNotAsked'))
  if (gateway.vehicle === null) return unknownLink(gateway.refused.vehicle?.why ?? message('chain.gatewayAsking'))
  const { imei } = evidence
  const vehicle = gateway.vehicle.value
  const by = { witness: 'gateway', readAt: gateway.vehicle.readAt } as const
  if (vehicle === null) {
    if (imei === null || evidence.vehicleText !== null) return unknownLink(message('chain.vehicle.notShown'), by)
    // Its events name a vehicle: there is one that this user cannot see.
    const isElsewhere = events.some(({ vehicleId }) => vehicleId !== null)
    const isStaff = gateway.user?.value.isStaff === true
    if (isElsewhere || ((gateway.record === null || gateway.record.value === null) && !isStaff))
      return unknownLink(message('chain.vehicle.hidden'), by)
    return brokenLink({
      ...by,
      sentence: message(isStaff ? 'chain.vehicle.inNone' : 'chain.vehicle.inNoneShown'),
      short: message('chain.short.none'),
      remedy: message('vehicle.officeAssigns')
    })
  }
  const name = nameOf(vehicle)
  if (vehicle.imei === null) {
    const remedy = message('chain.vehicle.linkIt')
    const action = imei === null ? null : ({ kind: 'linkVehicle', vehicleId: vehicle.id, imei } as const)
    const elsewhere = gateway.elsewhere?.value
    const sentence = elsewhere
      ? message('chain.vehicle.deviceElsewhere', { vehicle: name, other: nameOf(elsewhere) })
      : message('chain.vehicle.noDevice', { vehicle: name })
    const [last] = gateway.stays
    const sinceAt = elsewhere ? null : (last?.untilAt ?? null)
    return brokenLink({
      ...by,
      sentence,
      short: message('chain.short.none'),
      detail: last ? message('chain.vehicle.hadLast', { digits: last.imei.slice(-6) }) : null,
      remedy: elsewhere ? message('vehicle.checkItIsRight') : remedy,
      action,
      sinceAt
    })
  }
  if (imei !== null && vehicle.imei !== imei) {
    const elsewhere = gateway.elsewhere?.value
    return brokenLink({
      ...by,
      witness: evidence.device?.state === 'answers' ? 'both' : 'gateway',
      sentence: message('chain.vehicle.carriesOther', { vehicle: name, digits: vehicle.imei.slice(-6) }),
      detail: elsewhere ? message('chain.vehicle.thisIsIn', { vehicle: nameOf(elsewhere) }) : null,
      short: message('chain.short.other'),
      remedy: message('vehicle.checkItIsRight'),
      action: { kind: 'openVehicle', vehicleId: vehicle.id },
      sinceAt: gateway.stays.find((stay) => stay.imei === vehicle.imei)?.fromAt ?? null
    })
  }
  return okLink({
    ...by,
    sentence: message('chain.vehicle.carriesThis', { vehicle: name }),
    short: shortWords(vehicle.name)
  })
}

/** Vehicle and device do not match: the vehicle has another device, or another vehicle has this one. */
export function isWrongVehicle({ evidence: { imei }, gateway }: EvidenceView): boolean {
  const vehicle = gateway?.vehicle?.value
  if (!gateway || !vehicle || imei === null || vehicle.imei === imei) return false
  return vehicle.imei !== null || (gateway.elsewhere?.value ?? null) !== null
}

function nameOf({ name, plate }: { name: string; plate: string | null }): Message {
  return plate ? message('vehicle.withPlate', { name, plate }) : plainMessage(name)
}
