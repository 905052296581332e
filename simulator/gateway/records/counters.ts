import { readNumber } from '../access.ts'
import { misuseCall, okAnswer, type Call, type Endpoint } from '../call.ts'
import { baseCounters } from '../rawdata/catalogue.ts'
import { compileExpression } from '../rawdata/expression.ts'
import { answerJobOrTable } from '../rawdata/jobs.ts'
import { cutRows, findEvents, orderRows } from '../rawdata/query.ts'
import { readExport } from '../rawdata/table.ts'
import type { JsonRecord, RawEvent } from '../state.ts'
import { formatTime, utcMarkOf } from '../time.ts'
import { readUnits, unitQuery, type Units } from './units.ts'

const derived: Record<string, string> = {
  dev_tot_avg_speed: 'dev_dist/dev_ign',
  dev_tra_avg_speed: 'dev_dist/(dev_ign-dev_idle)',
  dev_tot_fuel_efcy: 'dev_dist/ecu_tfuel',
  dev_tra_fuel_efcy: 'dev_dist/(ecu_tfuel-ecu_ifuel)',
  ecu_tot_avg_speed: 'ecu_dist/ecu_eusage',
  ecu_tra_avg_speed: 'ecu_dist/(ecu_eusage-ecu_eidle)',
  ecu_tot_fuel_efcy: 'ecu_dist/ecu_tfuel',
  ecu_tra_fuel_efcy: 'ecu_dist/(ecu_tfuel-ecu_ifuel)',
  ecu_fuelp_idling: 'ecu_ifuel*100/ecu_tfuel'
}

const formulas = Object.entries(derived).map(([name, text]) => ({
  name,
  formula: compileExpression(text, { typeOf: () => 'number', areFieldsMarked: false })
}))

/** Derived counters of base counters in metres, seconds and litres; null where one of them has no value. */
export function deriveCounters(plain: Record<string, number | null>): Record<string, number | null> {
  return Object.fromEntries(
    formulas.map(({ name, formula }) => [name, formula.evaluate((field) => plain[field]) as number | null])
  )
}

function subtract(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a - b
}

export const counterEndpoints: Endpoint[] = [
  {
    id: 'counters.describe',
    scopes: ['rawdata', 'vehicles.counters'],
    handle: () => okAnswer({ base: Object.fromEntries(baseCounters.map(({ name, short }) => [name, short])), derived })
  },
  {
    id: 'counters.query',
    scopes: ['rawdata', 'vehicles.counters'],
    query: [
      'from',
      'to',
      'duration',
      'vehicles',
      'groups',
      'filter',
      'delta',
      'order',
      'head',
      'tail',
      'export',
      'round',
      'async',
      ...unitQuery
    ],
    handle: (call) => {
      const units = readUnits(call)
      const format = readExport(call, ['json', 'html', 'csv', 'tsv'])
      const decimals = readNumber(call, 'round', /^([1-9]|10)$/, '1 to 10', null)
      const partMs = readDelta(call)
      const parts = new Map<string, { startMs: number; events: RawEvent[] }>()
      for (const { event } of findEvents(call, units, ({ fields }) => 'dev_dist' in fields)) {
        const startMs = partMs === null ? 0 : Math.floor(event.deviceTimeMs / partMs) * partMs
        const key = `${event.vid} ${startMs}`
        const part = parts.get(key) ?? { startMs, events: [] }
        part.events.push(event)
        parts.set(key, part)
      }
      const items = [...parts.values()].map(({ startMs, events }) =>
        sumUp(call, events, units, decimals, partMs === null ? null : startMs)
      )
      const names = new Set([
        'vid',
        'from',
        'to',
        'event_time',
        ...baseCounters.map(({ name }) => name),
        ...Object.keys(derived)
      ])
      const counters = cutRows(
        call,
        orderRows(call, items, names, (item) => (name) => item[name])
      )
      return answerJobOrTable(call, {
        rows: counters,
        columns: Object.keys(counters[0] ?? {}),
        format,
        body: { units: units.shown, counters }
      })
    }
  }
]

function sumUp(
  call: Call,
  events: RawEvent[],
  units: Units,
  decimals: number | null,
  startMs: number | null
): JsonRecord {
  const first = events[0] as RawEvent
  const last = events.at(-1) as RawEvent
  const time = (ms: number): string => formatTime(ms, call.zone, undefined, utcMarkOf(call))
  const plain: Record<string, number | null> = {}
  for (const { name } of baseCounters)
    plain[name] = subtract(last.fields[name] as number | null, first.fields[name] as number | null)
  const round = (value: number | null): number | null =>
    value === null || decimals === null ? value : Number(value.toFixed(decimals))
  const item: JsonRecord = { vid: first.vid, from: time(first.deviceTimeMs), to: time(last.deviceTimeMs) }
  if (startMs !== null) item['event_time'] = time(startMs)
  for (const { name, dimension } of baseCounters) {
    const value = plain[name] ?? null
    item[name] = value === null ? null : round(units.convert(value, dimension))
  }
  for (const [name, value] of Object.entries(deriveCounters(plain)))
    item[name] = value === null ? null : round(convertDerived(name, value, units))
  return item
}

function convertDerived(name: string, value: number, units: Units): number {
  if (name.endsWith('_speed')) return units.convert(value, 'speed')
  return name.endsWith('_efcy') ? units.convert(value, 'distance') / units.convert(1, 'volume') : value
}

function readDelta(call: Call): number | null {
  const text = call.query.get('delta')
  if (text === null) return null
  const match = /^([1-9]\d*)([DHTS])$/.exec(text)
  if (!match) throw misuseCall(call, 'delta is not <N><F>')
  return Number(match[1]) * { D: 86_400_000, H: 3_600_000, T: 60_000, S: 1000 }[match[2] as 'D' | 'H' | 'T' | 'S']
}
