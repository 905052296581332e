import type { DeviceCompare } from '../../../preload/contract/device/deviceCompare.ts'
import type { Evidence, SeenEvent } from '../../../preload/contract/support/evidence.ts'
import type { Fact, FactName } from '../../../preload/contract/support/facts.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { Tolerances } from '../../../preload/contract/support/tolerances.ts'
import { ownEvents } from './events.ts'
import { parkedKmh } from './facts/deviceSays.ts'
import { compareFacts } from './facts/facts.ts'

const mostDelays = 60

/**
 * What the screens of a device show beside its own answers: the facts of the table, places, and how its events come.
 */
export function viewOfDevice(evidence: Evidence, tolerances: Tolerances): DeviceCompare {
  const facts = compareFacts(evidence, tolerances)
  const { gateway } = evidence
  const vehicle = gateway?.vehicle?.value ?? null
  const events = datedEvents(evidence)
  const [newest] = events
  return {
    gateway: gateway
      ? { state: gateway.state, why: gateway.why }
      : { state: 'signedOut', why: message('facts.noGateway') },
    vehicle: vehicle && { id: vehicle.id, name: vehicle.name, plate: vehicle.plate },
    facts,
    places: placesOf(facts),
    newest: newest
      ? { at: isoOf(newest.eventAtMs), ageS: ageOf(evidence, newest.eventAtMs), delayS: delayOf(newest) }
      : null,
    delays: events
      .slice(0, mostDelays)
      .flatMap((event) => {
        const delayS = delayOf(event)
        return delayS === null ? [] : [{ at: isoOf(event.eventAtMs), delayS }]
      })
      .reverse()
  }
}

function placesOf(facts: readonly Fact[]): DeviceCompare['places'] {
  const find = (name: FactName) => facts.find(({ fact }) => fact === name)
  const position = find('position')
  const there = position?.gateway
  const speed = find('speed')?.device?.value
  return {
    gateway: there && typeof there.value === 'object' ? { ...there.value, ageS: Math.round(there.ageS ?? 0) } : null,
    apartM: position?.apart?.value ?? null,
    isParked: typeof speed === 'number' ? speed <= parkedKmh : null
  }
}

type Dated = SeenEvent & { eventAtMs: number }

/** Those of this device that say when they happened, the newest first. */
function datedEvents(evidence: Evidence): Dated[] {
  const isDated = (event: SeenEvent): event is Dated => event.eventAtMs !== null
  return ownEvents(evidence)
    .filter(isDated)
    .sort((a, b) => b.eventAtMs - a.eventAtMs)
}

function delayOf({ eventAtMs, arrivedAtMs, raw }: Dated): number | null {
  const told = raw !== null && typeof raw === 'object' && !Array.isArray(raw) ? raw['comdelay'] : undefined
  const delayS = typeof told === 'number' ? told : arrivedAtMs === null ? null : (arrivedAtMs - eventAtMs) / 1000
  return delayS === null ? null : Math.round(delayS * 10) / 10
}

/** By the gateway's clock. */
function ageOf({ at, gateway }: Evidence, eventAtMs: number): number {
  return Math.max(0, Math.round((Date.parse(at) - eventAtMs) / 1000 + (gateway?.aheadS ?? 0)))
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
