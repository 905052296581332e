import type { Json } from '../../../../preload/contract/define.ts'
import type { GatewayEvidence } from '../../../../preload/contract/support/evidence.ts'
import type { Snapshot, SnapshotArea, SnapshotOperation } from '../../../../preload/contract/support/snapshots.ts'
import { readForm } from '../../../device/client/forms.ts'
import { placeOf } from './areas.ts'

/**
 * A device's largest area has some hundred fields; an answer with more than this is of no use to two people who
 * compare.
 */
const mostFields = 3_000
const deepest = 8

/** All fields of one area, or of one part of it, by name; null if it was not read. */
export interface AreaFields {
  area: SnapshotArea
  part: string | null
  fields: ReadonlyMap<string, Json> | null
}

/** The content of a snapshot, field by field. Parts that were not requested or not answered appear as unknown. */
export function fieldsOf({ readings, gateway }: Snapshot): AreaFields[] {
  const ofDevice = (Object.keys(placeOf) as SnapshotOperation[]).flatMap((operation): AreaFields[] => {
    const reading = readings[operation]
    const { area, part } = placeOf[operation]
    // Whether someone happened to check for an update is not a difference between two devices.
    if (!reading && operation === 'updates.osCheck') return []
    // A file of an earlier Fitter has the values as the device sent them.
    const value = reading?.failure === null ? (readForm(operation, reading.value).value as Json) : null
    return [
      {
        area,
        part,
        fields:
          value === null || value === undefined
            ? null
            : flatten(operation === 'apps.list' ? byName(value) : value, part ?? '')
      }
    ]
  })
  if (gateway?.state !== 'answers') return ofDevice
  return [
    ...ofDevice,
    ...Object.entries(gatewayParts(gateway)).map(([part, value]): AreaFields => ({
      area: 'gateway',
      part,
      fields: value === undefined ? null : flatten(value, part)
    }))
  ]
}

/** The gateway's data about vehicle and device, without how it was obtained. Undefined: the gateway did not answer. */
function gatewayParts({
  vehicle,
  record,
  lines,
  engineBus,
  distanceM,
  sim
}: GatewayEvidence): Record<string, Json | undefined> {
  const bus = engineBus?.value
  return {
    vehicle: vehicle?.value,
    record: record?.value ? { imei: record.value.imei, simIds: record.value.simIds } : record?.value,
    simKnown: sim ? sim.value !== null : undefined,
    lines: lines?.value?.values,
    engineBus: bus
      ? { isDetected: bus.isDetected, isEngineOn: bus.isEngineOn, protocol: bus.protocol, firmware: bus.firmware }
      : undefined,
    distanceM: distanceM?.value ?? undefined
  }
}

/** Applications are compared by name: their order has no meaning. */
function byName(value: Json): Json {
  if (!Array.isArray(value)) return value
  const named: [string, Json][] = []
  for (const app of value) {
    if (typeof app !== 'object' || app === null || Array.isArray(app) || typeof app['name'] !== 'string') return value
    const { name, ...rest } = app
    named.push([name.slice(0, 120), rest])
  }
  return new Set(named.map(([name]) => name)).size === named.length ? Object.fromEntries(named) : value
}

/** Null if there are more fields than a person could compare. */
function flatten(value: Json, under: string): ReadonlyMap<string, Json> | null {
  const fields = new Map<string, Json>()
  function walk(one: Json, name: string, depth: number): boolean {
    // An object without fields has nothing to compare, like a missing object.
    if (typeof one !== 'object' || one === null || Array.isArray(one) || depth === deepest) {
      fields.set(name === '' ? 'answer' : name, one)
      return fields.size <= mostFields
    }
    return Object.entries(one).every(([key, field]) =>
      walk(field, name === '' ? key.slice(0, 200) : `${name}.${key.slice(0, 200)}`, depth + 1)
    )
  }
  return walk(value, under, 0) ? fields : null
}
