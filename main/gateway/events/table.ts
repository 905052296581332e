import type { Value } from '../../../preload/gateway/events/filter.ts'
import type { Fields } from '../client/decoders/fields.ts'
import { timeFromOutside } from '../../../preload/gateway/events/timeFromOutside.ts'
import { rssiToDbm } from '../client/decoders/signal.ts'
import { createColumn, type Column } from './columns.ts'

/** A device that does not know the time reports years before this one. */
const leastMs = Date.UTC(2000, 0, 1)
const backlogType = 13
export const duplicateType = 301

/** Very many events of one vehicle in columns: signal in dBm, speed in km/h, times in ms. */
export type EventTable = ReturnType<typeof createEventTable>

const timesOf = ['event_time', 'event_epoch', 'system_time', 'system_epoch', 'vid'] as const

export function createEventTable() {
  const columns = new Map<string, Column>()
  const ids = new Set<number | string>()
  const happened = createColumn()
  const arrived = createColumn()
  let size = 0
  let revision = 0
  let order = new Uint32Array(0)

  const happenedMs = (row: number): number => (happened.at(row) as number | null) ?? NaN
  const arrivedMs = (row: number): number => (arrived.at(row) as number | null) ?? NaN
  /** The time of a row on the axis; NaN without any time. */
  const atMs = (row: number): number => (happened.at(row) ?? arrived.at(row) ?? NaN) as number
  const rank = (row: number): number => {
    const at = atMs(row)
    return Number.isNaN(at) ? -Infinity : at
  }

  function put(event: Fields, speedFactor: number | null): void {
    const row = size++
    happened.set(row, timeOf(event['event_epoch'], event['event_time']))
    arrived.set(row, timeOf(event['system_epoch'], event['system_time']))
    for (const [name, given] of Object.entries(event)) {
      if ((timesOf as readonly string[]).includes(name)) continue
      let column = columns.get(name)
      if (!column) columns.set(name, (column = createColumn()))
      column.set(
        row,
        isNotValid(event, name)
          ? null
          : name === 'cf_rssi'
            ? rssiToDbm(given as number | null)
            : name === 'speed'
              ? speedOf(given, speedFactor)
              : given
      )
    }
  }

  return {
    get size() {
      return size
    },
    /** Changes with every added event. */
    get revision() {
      return revision
    },
    /** Rows in the order of happening, oldest first; of arrival if the device did not know the time. */
    get order() {
      return order
    },
    /** Adds new events and returns their number. `speedFactor` converts their speed to km/h; null: an unknown unit. */
    add(events: readonly Fields[], speedFactor: number | null): number {
      const before = size
      for (const event of events) {
        const id = event['id']
        // An event in two overlapping windows is one event; events with different numbers are two.
        if (typeof id === 'number' || typeof id === 'string') {
          if (ids.has(id)) continue
          ids.add(id)
        }
        put(event, speedFactor)
      }
      if (size > before) {
        const added = Uint32Array.from({ length: size - before }, (_, index) => before + index).sort(
          (a, b) => rank(a) - rank(b) || a - b
        )
        order = merged(order, added, rank)
        revision += 1
      }
      return size - before
    },
    happenedMs,
    arrivedMs,
    atMs,
    /** The delay between happening and arrival in seconds; NaN when unknown. */
    delayS(row: number): number {
      const stated = columns.get('comdelay')?.at(row)
      return typeof stated === 'number' ? stated : (arrivedMs(row) - happenedMs(row)) / 1000
    },
    isBacklog: (row: number): boolean => columns.get('type')?.at(row) === backlogType,
    value: (field: string, row: number): Value => columns.get(field)?.at(row) ?? null,
    fields: (): string[] => [...columns.keys()]
  }
}

/** Times without a zone are UTC ("Conventions" 4). */
function timeOf(epochS: unknown, text: unknown): number | null {
  const ms = typeof epochS === 'number' ? epochS * 1000 : (timeFromOutside(text) ?? NaN)
  return ms >= leastMs && ms < 8.64e15 ? ms : null
}

/** Values of the engine bus are valid only while its monitor says so ("Engine-bus monitor"). */
function isNotValid(event: Fields, name: string): boolean {
  const flag = name.startsWith('ecu_') ? event[`${name}_flag`] : undefined
  return flag !== undefined && flag !== null && flag !== 'T'
}

function speedOf(given: unknown, factor: number | null): number | null {
  return typeof given === 'number' && factor !== null ? Math.round(given * factor * 100) / 100 : null
}

function merged(one: Uint32Array, other: Uint32Array, rank: (row: number) => number): Uint32Array<ArrayBuffer> {
  const all = new Uint32Array(one.length + other.length)
  for (let to = 0, a = 0, b = 0; to < all.length; to++) {
    const isFirst = b >= other.length || (a < one.length && rank(one[a] as number) <= rank(other[b] as number))
    all[to] = (isFirst ? one[a++] : other[b++]) as number
  }
  return all
}
