import type { EventLogState, EventPicture, EventRow, KeptStretch } from '../../preload/contract/vehicles/eventLog.ts'
import type { Fence } from '../../preload/contract/vehicles/vehicles.ts'
import { meetsCondition, type EventCondition, type EventFilter, type Value } from '../../preload/events/filter.ts'
import { createThinner } from '../../preload/signals/points.ts'
import { describeEventType } from '../gateway/decoders/eventType.ts'
import { sayEvent } from '../gateway/decoders/eventText.ts'
import type { Fields } from '../gateway/decoders/fields.ts'
import { isInsideFence } from '../gateway/decoders/geofence.ts'
import { analyseEvents, stretchAt, usualLimits, type Analysis, type Limits, type SeenEvents, type Stretch } from './analysis.ts'
import { duplicateType, type EventTable } from './table.ts'

export interface Words {
  labels: Fields
  names: ReadonlyMap<number, string>
  fences: readonly Fence[]
}

const linesOfFan = 14
const mostStretches = 1_000
const isConnection = (type: Value): boolean => typeof type === 'number' && describeEventType(type)?.group === 'connection'
const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value)

/** Loaded events for a person: filtered, analysed, in words. Everything is recomputed only when more events were loaded. */
export function createEventLog(table: EventTable) {
  let limits: Limits = usualLimits
  let judged: { key: string; analysis: Analysis; placeOf: Uint32Array } | undefined
  let shown: { key: string; rows: Uint32Array } | undefined

  const seen = (): SeenEvents => {
    const { order } = table
    const row = (index: number): number => order[index] as number
    return {
      n: order.length,
      atMs: (index) => table.atMs(row(index)),
      arrivedMs: (index) => table.arrivedMs(row(index)),
      delayS: (index) => table.delayS(row(index)),
      isBacklog: (index) => table.isBacklog(row(index)),
      isDuplicate: (index) => table.value('type', row(index)) === duplicateType,
      sameness: (index) => {
        const reading = readingOf(row(index))
        return reading === null ? null : `${reading}\n${String(table.value('type', row(index)))}`
      }
    }
  }

  /** Copies of an event have the same measured values; the gateway's own numbers differ. */
  function readingOf(row: number): string | null {
    if (Number.isNaN(table.happenedMs(row))) return null
    return ['device_id', 'code', 'label', 'lat', 'lon', 'speed', 'head'].map((field) => String(table.value(field, row))).join('\n')
  }

  function judge(span: { fromMs: number; toMs: number }): Analysis {
    const key = [table.revision, span.fromMs, span.toMs, limits.silentFromS, limits.lateFromS].join()
    if (judged?.key !== key) {
      const placeOf = new Uint32Array(table.size)
      table.order.forEach((row, place) => (placeOf[row] = place))
      judged = { key, analysis: analyseEvents(seen(), span, limits), placeOf }
    }
    return judged.analysis
  }

  function rowsOf(filter: EventFilter): Uint32Array {
    const key = `${String(table.revision)} ${JSON.stringify(filter)}`
    if (shown?.key === key) return shown.rows
    const types = filter.types === null ? null : new Set(filter.types)
    const kept = new Uint32Array(table.order.length)
    let n = 0
    for (let index = table.order.length - 1; index >= 0; index--) {
      const row = table.order[index] as number
      if (types && !types.has(table.value('type', row) as number | null)) continue
      if (filter.conditions.every((condition: EventCondition) => meetsCondition(table.value(condition.field, row), condition))) kept[n++] = row
    }
    shown = { key, rows: kept.subarray(0, n) }
    return shown.rows
  }

  /** The first row, newest first, that is not later than a moment. */
  function placeAt(rows: Uint32Array, atMs: number): number {
    let low = 0
    let high = rows.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (table.atMs(rows[middle] as number) > atMs) low = middle + 1
      else high = middle
    }
    return low
  }

  function stretchOf(stretch: Stretch): KeptStretch {
    const { kind, first, last, fromMs, toMs, arrivedFromMs, arrivedToMs, longestS } = stretch
    const n = last - first + 1
    const lines = Array.from({ length: Math.min(n, linesOfFan) }, (_, index, all = Math.min(n, linesOfFan)) => {
      const row = table.order[first + (all === 1 ? 0 : Math.round((index / (all - 1)) * (n - 1)))] as number
      return [table.happenedMs(row), table.arrivedMs(row)] as [number, number]
    }).filter(([from, to]) => !Number.isNaN(from) && !Number.isNaN(to))
    return { kind: kind === 'clock' ? 'clock' : 'kept', n, fromMs, toMs, arrivedFromMs: orNull(arrivedFromMs), arrivedToMs: orNull(arrivedToMs), longestS, lines }
  }

  function fieldsOf(row: number): Fields {
    const speed = table.value('speed', row)
    return {
      ...Object.fromEntries(['type', 'code', 'label', 'valid_position', 'aid', 'metric', 'dphoto_ptr', 'btt_mac', 'btt_wreason'].map((name) => [name, table.value(name, row)])),
      speed: typeof speed === 'number' ? speed / 3.6 : null
    }
  }

  function rowOf(row: number, { columns, words, analysis }: { columns: readonly string[]; words: Words; analysis: Analysis }): EventRow {
    const { what, detail } = sayEvent(fieldsOf(row), { labels: words.labels, names: words.names })
    const place = judged?.placeOf[row] ?? 0
    const [latitude, longitude] = [table.value('lat', row), table.value('lon', row)].map((value) => (typeof value === 'number' ? value : null)) as [number | null, number | null]
    const type = table.value('type', row)
    const stretch = stretchAt(analysis.stretches, place)
    const valid = table.value('valid_position', row)
    return {
      row,
      happenedMs: orNull(table.happenedMs(row)),
      arrivedMs: orNull(table.arrivedMs(row)),
      delayS: orNull(table.delayS(row)),
      type: typeof type === 'number' ? type : null,
      what,
      detail,
      mark: analysis.twice[place] === 1 ? 'twice' : stretch && stretch.kind !== 'live' ? stretch.kind : isConnection(type) ? 'connection' : null,
      latitude,
      longitude,
      validPosition: typeof valid === 'boolean' ? valid : null,
      fences: latitude === null || longitude === null ? [] : words.fences.flatMap(({ name, shape }) => (name !== null && isInsideFence(shape, [longitude, latitude]) ? [name] : [])).slice(0, 3),
      values: columns.map((name) => table.value(name, row))
    }
  }

  return {
    table,
    setLimits(next: Limits): void {
      limits = next
    },
    rowsOf,
    found(span: { fromMs: number; toMs: number }): Pick<EventLogState, 'limits' | 'found'> {
      const analysis = judge(span)
      const late = analysis.stretches.filter(({ kind }) => kind === 'kept')
      return {
        limits: { silentFromS: analysis.silentFromS, isSilenceChosen: limits.silentFromS !== null, lateFromS: limits.lateFromS },
        found: {
          kept: analysis.kept,
          keptStretches: late.length,
          longestS: late.reduce((most, { longestS }) => Math.max(most, longestS), 0),
          gaps: analysis.gaps.length,
          silentS: Math.round(analysis.gaps.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0) / 1000),
          twice: analysis.twice.reduce((sum, one) => sum + one, 0),
          ahead: analysis.ahead,
          clock: analysis.stretches.reduce((sum, { kind, first, last }) => sum + (kind === 'clock' ? last - first + 1 : 0), 0)
        }
      }
    },
    stretches(span: { fromMs: number; toMs: number }) {
      const { gaps, stretches } = judge(span)
      const late = stretches.filter(({ kind }) => kind !== 'live')
      return { gaps: gaps.slice(-mostStretches), kept: late.slice(-mostStretches).map(stretchOf), isCut: gaps.length > mostStretches || late.length > mostStretches }
    },
    /** The frequency of each value of a field. */
    counts(field: string): Map<Value, number> {
      const counts = new Map<Value, number>()
      for (let row = 0; row < table.size; row++) {
        const value = table.value(field, row)
        counts.set(value, (counts.get(value) ?? 0) + 1)
      }
      return counts
    },
    picture(filter: EventFilter, span: { fromMs: number; toMs: number }, wanted: { whole: { fromMs: number; toMs: number }; columns: number; points: number; fields: readonly string[] }): EventPicture {
      const { fromMs, toMs } = span
      const { columns } = wanted
      const { silentFromS, stretches } = judge(wanted.whole)
      const rows = rowsOf(filter)
      const columnMs = Math.max(1, (toMs - fromMs) / columns)
      const [happened, kept, arrived, under, delays] = Array.from({ length: 5 }, () => new Float64Array(columns)) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array]
      const add = (to: Float64Array, atMs: number, by = 1): void => {
        const column = Math.floor((atMs - fromMs) / columnMs)
        if (column >= 0 && column < columns) to[column] = (to[column] as number) + by
      }
      const thinners = wanted.fields.map(() => createThinner(fromMs, toMs, wanted.points))
      const before = wanted.fields.map(() => NaN)
      const lastPlace = Math.min(rows.length - 1, placeAt(rows, fromMs - 1))
      // The events of the span, oldest first, with one before it so that a line reaches the edge.
      for (let place = lastPlace; place >= 0; place--) {
        const row = rows[place] as number
        const at = table.atMs(row)
        if (Number.isNaN(at)) continue
        wanted.fields.forEach((field, index) => {
          const thinner = thinners[index]
          const value = table.value(field, row)
          if (typeof value !== 'number' || !thinner?.wantsMore) return
          const last = before[index] as number
          const isGap = at - last > silentFromS * 1000
          thinner.take(at, value, isGap ? last : NaN, isGap ? at : NaN)
          before[index] = at
        })
        if (at > toMs) {
          if (thinners.every(({ wantsMore }) => !wantsMore) || at > toMs + (toMs - fromMs)) break
          continue
        }
        if (Number.isNaN(table.happenedMs(row))) continue
        add(happened, at)
        const stretch = stretchAt(stretches, judged?.placeOf[row] ?? 0)
        if (stretch?.kind === 'kept') add(kept, at)
        else {
          add(under, at)
          add(delays, at, table.delayS(row) * 1000 || 0)
        }
      }
      for (const row of rows) {
        const at = table.arrivedMs(row)
        if (at >= fromMs && at <= toMs) add(arrived, at)
      }
      return {
        fromMs,
        toMs,
        happened: [...happened],
        kept: [...kept],
        arrived: [...arrived],
        delayMs: [...under].map((n, index) => (n === 0 ? null : (delays[index] as number) / n)),
        series: wanted.fields.map((field, index) => ({ field, ...(thinners[index]?.end(false) ?? { atMs: [], values: [] }) }))
      }
    },
    page(filter: EventFilter, { first, n }: { first: number; n: number }, how: { columns: readonly string[]; words: Words; whole: { fromMs: number; toMs: number } }) {
      const rows = rowsOf(filter)
      const analysis = judge(how.whole)
      return { revision: table.revision, total: rows.length, rows: [...rows.subarray(first, first + n)].map((row) => rowOf(row, { ...how, analysis })) }
    },
    find(filter: EventFilter, at: { ms: number } | { row: number }): { index: number; total: number } {
      const rows = rowsOf(filter)
      const index = 'ms' in at ? Math.min(rows.length - 1, placeAt(rows, at.ms)) : rows.indexOf(at.row)
      return { index, total: rows.length }
    },
    /** One row with its run, and the number of copies of the event. */
    one(row: number, how: { columns: readonly string[]; words: Words; whole: { fromMs: number; toMs: number } }) {
      const analysis = judge(how.whole)
      const place = judged?.placeOf[row] ?? 0
      const stretch = stretchAt(analysis.stretches, place)
      const own = readingOf(row)
      let copies = 1
      for (const step of [-1, 1]) {
        for (let near = place + step; near >= 0 && near < table.order.length; near += step) {
          const other = table.order[near] as number
          if (table.atMs(other) !== table.atMs(row)) break
          if (own !== null && readingOf(other) === own && (analysis.twice[near] === 1 || analysis.twice[place] === 1)) copies += 1
        }
      }
      return { row: rowOf(row, { ...how, analysis }), stretch: stretch && stretch.kind !== 'live' ? stretchOf(stretch) : null, copies }
    }
  }
}

export type EventLog = ReturnType<typeof createEventLog>
