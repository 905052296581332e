import { readFlag } from '../access.ts'
import { misuseCall, okAnswer, type Call, type Endpoint } from '../call.ts'
import { readIds } from '../records/directory.ts'
import { readVehicles } from '../rawdata/query.ts'
import { splitList } from '../rawdata/fields.ts'
import { answerText, readExport, writeTable } from '../rawdata/table.ts'
import type { JsonRecord, RawEvent } from '../state.ts'
import { formatTime, readTimeRange, utcMarkOf } from '../time.ts'
import { readUnits, unitQuery, type Units } from '../records/units.ts'

interface TripField {
  units: string | null
  type: string
  short: string
}

const tripFields: Record<string, TripField> = {
  vid: { units: null, type: 'number', short: 'vehicle id' },
  start_time: { units: null, type: 'string', short: 'start' },
  end_time: { units: null, type: 'string', short: 'end' },
  moving: { units: null, type: 'boolean', short: 'trip or stop' },
  distance: { units: 'distance', type: 'number', short: 'distance' },
  duration: { units: 'time', type: 'number', short: 'duration' },
  mean_speed: { units: 'speed', type: 'number', short: 'mean speed' },
  ignition: { units: 'time', type: 'number', short: 'ignition time' },
  idle: { units: 'time', type: 'number', short: 'idle time' }
}

export const tripEndpoints: Endpoint[] = [
  {
    id: 'trips.list',
    scopes: ['rawdata'],
    query: ['ids', 'from', 'to', 'duration', 'vehicles', 'fields', 'contained', 'export', ...unitQuery],
    handle: (call) => {
      const units = readUnits(call)
      const format = readExport(call, ['json', 'csv', 'tsv'])
      const range = readTimeRange(call)
      const contained = readFlag(call, 'contained')
      const ids = readIds(call)
      const vids = [...readVehicles(call)].filter((vid) => !ids || ids.includes(vid))
      const names = readFields(call)
      const trips = vids
        .flatMap((vid) =>
          cutTrips(
            call.state.events.filter(
              (event) => event.vid === vid && event.visibleMs <= call.nowMs && 'dev_dist' in event.fields
            )
          )
        )
        .filter(({ first, last }) => {
          const isInside = first.deviceTimeMs >= range.fromMs && last.deviceTimeMs <= range.toMs
          return contained ? isInside : first.deviceTimeMs <= range.toMs && last.deviceTimeMs >= range.fromMs
        })
        .map((trip) => describeTrip(call, trip, units))
        .map((trip) => Object.fromEntries(names.map((name) => [name, trip[name]])))
      return format === 'json' ? okAnswer(trips) : answerText(writeTable(trips, names, format), format)
    }
  },
  {
    id: 'trips.keys',
    scopes: ['rawdata'],
    query: ['data'],
    handle: (call) => {
      const asked = (call.query.get('data') ?? 'all').split(',')
      for (const name of asked)
        if (!['all', 'none', 'type', 'short_desc', 'long_desc', 'units'].includes(name))
          throw misuseCall(call, `data names ${name}`)
      const isShown = (name: string): boolean => asked.includes('all') || asked.includes(name)
      const entries = Object.entries(tripFields).map(([name, { units, type, short }]) => {
        const all: JsonRecord = { units, short_desc: short, long_desc: `${short} of the trip or stop`, type }
        return [name, Object.fromEntries(Object.entries(all).filter(([key]) => isShown(key)))]
      })
      return okAnswer(Object.fromEntries(entries))
    }
  }
]

interface Trip {
  first: RawEvent
  last: RawEvent
  isMoving: boolean
}

/** Periods with the ignition on are trips, the others stops. */
function cutTrips(events: RawEvent[]): Trip[] {
  const trips: Trip[] = []
  for (const event of events) {
    const isMoving = event.fields['ignition'] === true
    const open = trips.at(-1)
    if (open) open.last = event
    if (!open || open.isMoving !== isMoving) trips.push({ first: event, last: event, isMoving })
  }
  return trips
}

function describeTrip(call: Call, { first, last, isMoving }: Trip, units: Units): JsonRecord {
  const grown = (name: string): number => Number(last.fields[name] ?? 0) - Number(first.fields[name] ?? 0)
  const hasEngineDistance = [first, last].every((event) => typeof event.fields['ecu_dist'] === 'number')
  const metres = hasEngineDistance ? grown('ecu_dist') : grown('dev_dist')
  const seconds = Math.round((last.deviceTimeMs - first.deviceTimeMs) / 1000)
  const time = (event: RawEvent): string =>
    formatTime(event.deviceTimeMs, call.zone, undefined, utcMarkOf(call)).replace(
      'T',
      call.state.speaks('time.space') ? ' ' : 'T'
    )
  return {
    vid: first.vid,
    start_time: time(first),
    end_time: time(last),
    moving: isMoving,
    distance: units.convert(metres, 'distance'),
    duration: units.convert(seconds, 'time'),
    mean_speed: seconds === 0 ? 0 : units.convert(metres / seconds, 'speed'),
    ignition: units.convert(grown('dev_ign'), 'time'),
    idle: units.convert(grown('dev_idle'), 'time')
  }
}

function readFields(call: Call): string[] {
  const text = call.query.get('fields')
  if (text === null) return Object.keys(tripFields)
  const names = splitList(call, text)
  for (const name of names) if (!(name in tripFields)) throw misuseCall(call, `unknown trip field ${name}`)
  return names
}
