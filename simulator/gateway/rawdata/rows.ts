import type { Call } from '../call.ts'
import type { RawEvent } from '../state.ts'
import { formatTime, offsetMinutes, utcMarkOf } from '../time.ts'
import type { Units } from '../records/units.ts'
import type { FieldDefinition } from './catalogue.ts'
import type { Row } from './expression.ts'

/** Reads one event field by field in the units and the zone of the request. */
export function readRow(call: Call, event: RawEvent, units: Units, fields: Map<string, FieldDefinition>): Row {
  return (name) => {
    if (name in derived) return derived[name]?.(call, event) ?? null
    const value = event.fields[name] ?? null
    const dimension = fields.get(name)?.dimension
    return dimension && typeof value === 'number' ? units.convert(value, dimension) : value
  }
}

const derived: Record<string, (call: Call, event: RawEvent) => unknown> = {
  id: (_, event) => event.id,
  vid: (_, event) => event.vid,
  device_id: (_, event) => event.imei,
  pid: () => 77,
  aid: (call, event) => driverAt(call, event),
  event_time: (call, event) => formatTime(event.deviceTimeMs, call.zone, undefined, utcMarkOf(call)),
  system_time: (call, event) => formatTime(event.systemTimeMs, call.zone, event.systemMicros, utcMarkOf(call)),
  mph: (_, event) =>
    typeof event.fields['speed'] === 'number' ? Math.round((event.fields['speed'] / 0.44704) * 100) / 100 : null,
  comdelay: (_, event) => Math.floor(event.systemTimeMs / 1000) - Math.floor(event.deviceTimeMs / 1000),
  event_epoch: (_, event) => Math.floor(event.deviceTimeMs / 1000),
  system_epoch: (_, event) => Math.floor(event.systemTimeMs / 1000),
  event_hour: (call, event) => wall(call, event.deviceTimeMs).getUTCHours(),
  event_wkday: (call, event) => wall(call, event.deviceTimeMs).getUTCDay(),
  system_hour: (call, event) => wall(call, event.systemTimeMs).getUTCHours(),
  system_minute: (call, event) => wall(call, event.systemTimeMs).getUTCMinutes()
}

function wall(call: Call, ms: number): Date {
  return new Date(ms + offsetMinutes(call.zone, ms) * 60_000)
}

function driverAt(call: Call, event: RawEvent): number | null {
  const links = call.state.links.filter(
    (link) =>
      link.primary === event.vid &&
      link.startMs <= event.systemTimeMs &&
      (link.endMs === null || link.endMs > event.systemTimeMs)
  )
  return links.at(-1)?.secondary ?? null
}
