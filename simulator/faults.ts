import { wiringFaults, type WiringFault } from './vehicle/wiring.ts'

/** Faults of the connection between the application and the device. */
export const wireFaults = [
  'hang',
  'reset',
  'dropsReply',
  'html',
  'truncated',
  'wrongTypes',
  'booleansAsText',
  'extraFields',
  'unauthorized',
  'notFound',
  'serverError',
  'slow',
  'huge',
  'stopsAnswering'
] as const

/** Faults of the device, its SIM, its reception or its wiring; these change readings, not the connection. */
export const conditionFaults = [
  'impostor',
  'swapped',
  'noImei',
  'renamed',
  'noFix',
  'poorFix',
  'zeroPosition',
  ...wiringFaults,
  'noSim',
  'wrongSim',
  'unknownSim',
  'dataSim',
  'builtInSimLocked',
  'notRegistered',
  'weakSignal',
  'wrongApn',
  'neverDelivered',
  'lateDelivered',
  'reportsElsewhere',
  'gpsEpochClock',
  'gpsEpochEvents',
  'weekRollover',
  'clockWrong',
  'frozenPosition',
  'speedStaysZero',
  'fixWithoutSatellites',
  'scaledCoordinates',
  'exchangedCoordinates',
  'secondDevice',
  'repeatedEvent',
  'onlyKeepAlives',
  'updateAvailable',
  'updateCheckFails'
] as const

export const faultNames = [...wireFaults, ...conditionFaults]
export type FaultName = (typeof faultNames)[number]

export function isWiringFault(name: FaultName): name is WiringFault {
  return (wiringFaults as readonly FaultName[]).includes(name)
}

export class Faults {
  readonly #on = new Map<FaultName, Set<string>>()

  /** `operation` is an id of resources/endpoints.json; if omitted, the fault applies to every operation. */
  set(name: FaultName, on: boolean, operation?: string): void {
    if (!on && operation === undefined) {
      this.#on.delete(name)
      return
    }
    const operations = this.#on.get(name) ?? new Set<string>()
    if (on) operations.add(operation ?? '*')
    else operations.delete(operation ?? '*')
    if (operations.size > 0) this.#on.set(name, operations)
    else this.#on.delete(name)
  }

  has(name: FaultName, operation?: string): boolean {
    const operations = this.#on.get(name)
    return operations !== undefined && (operations.has('*') || (operation !== undefined && operations.has(operation)))
  }

  /** Names of the active faults, in the order of the list. */
  names(): FaultName[] {
    return faultNames.filter((name) => this.#on.has(name))
  }
}

/** Changes the type of each value, like a firmware with a different serialiser. */
export function spoilTypes(value: unknown): unknown {
  if (Array.isArray(value)) return { items: value.map(spoilTypes) }
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, spoilTypes(inner)]))
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return value.length
  return 'null'
}

export function textBooleans(value: unknown): unknown {
  // One of the forms already has them as the text true and false.
  if (typeof value === 'boolean' || value === 'true' || value === 'false')
    return String(value) === 'true' ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(textBooleans)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, textBooleans(inner)]))
}

export function addFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(addFields)
  if (value === null || typeof value !== 'object') return value
  const fields = Object.entries(value).map(([name, inner]) => [name, addFields(inner)] as const)
  return { ...Object.fromEntries(fields), undocumented: { revision: 7 } }
}
