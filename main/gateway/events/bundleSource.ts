import type { CatalogueField } from '../client/events/eventReader.ts'
import type { Fields } from '../client/decoders/fields.ts'
import { timeFromOutside } from '../../../preload/gateway/events/timeFromOutside.ts'
import type { EventSource } from './source.ts'

export interface BundleEvents {
  vehicleId: number
  /** As the gateway returned them, speed in m/s. */
  events: readonly Fields[]
  labels: Fields
  /** The time from which on none is missing. */
  knownFromMs: number
  /** When they were stored: "now" for the reader. */
  atMs: number
}

/** Events from a file, read as if the gateway returned them; what it did not return then is unknown. */
export function createBundleEvents({ vehicleId, events, labels, knownFromMs, atMs }: BundleEvents): EventSource {
  const names = new Map<string, string>()
  for (const event of events)
    for (const [name, value] of Object.entries(event))
      if (!names.has(name) && value !== null) names.set(name, typeof value)
  const catalogue: CatalogueField[] = [...names].map(([name, type]) => ({ name, type, description: '', group: '' }))
  return {
    knownFromMs,
    catalogue: () => Promise.resolve(catalogue),
    labels: () => Promise.resolve(labels),
    nowMs: () => Promise.resolve(atMs),
    read({ vehicleId: asked, fromMs, toMs }) {
      const found = events.filter((event) => asked === vehicleId && isWithin(event, fromMs, toMs + 999))
      return Promise.resolve({ events: found, speedUnit: null, calls: 0 })
    }
  }
}

/** By the time of happening, or of arrival if the device knew no time. */
function isWithin(event: Fields, fromMs: number, toMs: number): boolean {
  const [text, epochS] = [event['event_time'] ?? event['system_time'], event['event_epoch'] ?? event['system_epoch']]
  const ms = typeof epochS === 'number' && epochS > 0 ? epochS * 1000 : (timeFromOutside(text) ?? NaN)
  return ms >= fromMs && ms <= toMs
}
