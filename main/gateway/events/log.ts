import type {
  EventCondition,
  EventFilter,
  EventLogState,
  EventPicture,
  EventRow,
  KeptStretch
} from '../../../preload/contract/gateway/vehicles/eventLog.ts'
import type { Fence } from '../../../preload/contract/gateway/vehicles/vehicles.ts'
import { isPlace } from '../../../preload/base/maps/position.ts'
import { meetsCondition, type Value } from '../../../preload/gateway/events/filter.ts'
import { groupOfEventType } from '../../base/reading/eventType.ts'
import { sayEvent } from '../client/decoders/eventText.ts'
import type { Fields } from '../client/decoders/fields.ts'
import { isInsideFence } from '../../../preload/base/maps/geofence.ts'
import {
  analyseEvents,
  stretchAt,
  usualLimits,
  type Analysis,
  type Limits,
  type SeenEvents,
  type Span,
  type Stretch
} from './analysis.ts'
import { findFixes, fixLost, type Fixes } from './fixes.ts'
import { layLines, lineOf } from './eventLines.ts'
import { drawPicture, type PictureForm } from './picture.ts'
import { duplicateType, type EventTable } from './table.ts'

export interface Words {
  labels: Fields
  names: ReadonlyMap<number, string>
  fences: readonly Fence[]
}

/**
 * How rows are shown: the values of further columns, the words for them, and the span in which every event is loaded.
 */
interface RowForm {
  columns: readonly string[]
  words: Words
  whole: Span
}

const linesOfFan = 14
const mostStretches = 1_000
/** A kind of event is rare up to this share of all events, or this number of them. */
const rareShare = 0.02
const rareN = 3

/** Groups whose events are shown one by one, and the field whose values part groups; null: no groups. */
export type Lines = { opened: readonly number[]; by: string | null } | null

interface Judged {
  key: string
  analysis: Analysis
  fixes: Fixes
  /** By index: something is different from here on. */
  changes: Uint8Array
  placeOf: Uint32Array
}
const isConnection = (type: Value): boolean => typeof type === 'number' && groupOfEventType(type) === 'connection'
const fencesAt = ({ fences }: Words, latitude: number, longitude: number): string[] =>
  fences
    .flatMap(({ name, shape }) => (name !== null && isInsideFence(shape, [longitude, latitude]) ? [name] : []))
    .slice(0, 3)
const noFixType = 20
const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value)

/**
 * Loaded events for a person: filtered, analysed, in words. Everything is recomputed only when more events were loaded.
 */
export function createEventLog(table: EventTable) {
  let limits: Limits = usualLimits
  let judged: Judged | undefined
  let shown: { key: string; rows: Uint32Array } | undefined
  let laid: { key: string; rows: Uint32Array; starts: Uint32Array } | undefined

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
    return ['device_id', 'code', 'label', 'lat', 'lon', 'speed', 'head']
      .map((field) => String(table.value(field, row)))
      .join('\n')
  }

  function judge(span: Span): Judged {
    const key = [table.revision, span.fromMs, span.toMs, limits.silentFromS, limits.lateFromS].join()
    if (judged?.key === key) return judged
    const placeOf = new Uint32Array(table.size)
    table.order.forEach((row, place) => (placeOf[row] = place))
    const events = seen()
    const analysis = analyseEvents(events, span, limits)
    const fixes = findFixes({
      ...events,
      hasFix: (index) => (analysis.twice[index] === 1 ? null : fixOf(table.order[index] as number))
    })
    judged = { key, analysis, fixes, changes: findChanges(events, analysis, fixes), placeOf }
    return judged
  }

  /** Only an event with a position says something about GPS; a keep-alive has none. */
  function fixOf(row: number): boolean | null {
    const type = table.value('type', row)
    if (type === noFixType) return false
    if (typeof type !== 'number' || groupOfEventType(type) !== 'gps') return null
    const [valid, latitude, longitude] = ['valid_position', 'lat', 'lon'].map((field) => table.value(field, row))
    // A receiver that never had a fix reports 0, 0, whatever it says of it.
    if (typeof latitude === 'number' && typeof longitude === 'number' && !isPlace(latitude, longitude)) return false
    return typeof valid === 'boolean' ? valid : null
  }

  function labelOf(row: number): string | null {
    const label = table.value('label', row)
    return typeof label === 'string' ? label : null
  }
  const kindOf = (row: number): string => `${String(table.value('type', row))} ${String(table.value('label', row))}`

  /** Where GPS, the delivery or the reporting changes, and every rare event. */
  function findChanges({ n, atMs }: SeenEvents, { stretches, gaps, twice }: Analysis, fixes: Fixes): Uint8Array {
    const changes = Uint8Array.from(fixes.changes, (change) => (change === 0 ? 0 : 1))
    const kinds = new Map<string, number>()
    for (let row = 0; row < table.size; row++) kinds.set(kindOf(row), (kinds.get(kindOf(row)) ?? 0) + 1)
    const most = Math.max(rareN, table.size * rareShare)
    for (const { kind, first } of stretches) if (kind !== 'live') changes[first] = 1
    let gap = 0
    for (let place = 0; place < n; place++) {
      if (twice[place] === 1) continue
      if ((kinds.get(kindOf(table.order[place] as number)) ?? 0) <= most) changes[place] = 1
      while (gap < gaps.length && (gaps[gap]?.toMs ?? 0) < atMs(place)) gap += 1
      if (gaps[gap]?.toMs === atMs(place)) changes[place] = 1
    }
    return changes
  }

  /** The lines of a list: its rows, and where each line begins in them. */
  function linesOf(filter: EventFilter, lines: Lines, whole: Span): { rows: Uint32Array; starts: Uint32Array | null } {
    const rows = rowsOf(filter)
    if (!lines) return { rows, starts: null }
    const { key: judgedKey, analysis, fixes, placeOf } = judge(whole)
    const key = `${judgedKey} ${JSON.stringify([filter, lines])}`
    if (laid?.key !== key || laid.rows !== rows) {
      const afterGap = new Set(analysis.gaps.map(({ toMs }) => toMs))
      const fix = (row: number): boolean => fixOf(row) === false
      const markOf = (row: number): string =>
        String(analysis.twice[placeOf[row] as number]) +
        String(stretchAt(analysis.stretches, placeOf[row] as number)?.kind)
      const starts = layLines({
        rows,
        opened: new Set(lines.opened),
        isSame: (row, older) =>
          table.value('type', row) === table.value('type', older) &&
          table.value('label', row) === table.value('label', older) &&
          table.value('code', row) === table.value('code', older) &&
          (lines.by === null || table.value(lines.by, row) === table.value(lines.by, older)) &&
          fix(row) === fix(older) &&
          fixes.changes[placeOf[row] as number] === 0 &&
          fixes.changes[placeOf[older] as number] === 0 &&
          !afterGap.has(table.atMs(row)) &&
          markOf(row) === markOf(older)
      })
      laid = { key, rows, starts }
    }
    return laid
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
      if (
        filter.conditions.every((condition: EventCondition) =>
          meetsCondition(table.value(condition.field, row), condition)
        )
      )
        kept[n++] = row
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
    return {
      kind: kind === 'clock' ? 'clock' : 'kept',
      n,
      fromMs,
      toMs,
      arrivedFromMs: orNull(arrivedFromMs),
      arrivedToMs: orNull(arrivedToMs),
      longestS,
      lines
    }
  }

  function fieldsOf(row: number): Fields {
    const speed = table.value('speed', row)
    return {
      ...Object.fromEntries(
        ['type', 'code', 'label', 'valid_position', 'aid', 'metric', 'dphoto_ptr', 'btt_mac', 'btt_wreason'].map(
          (name) => [name, table.value(name, row)]
        )
      ),
      speed: typeof speed === 'number' ? speed / 3.6 : null
    }
  }

  function rowOf(row: number, { columns, words, whole }: RowForm): Omit<EventRow, 'group'> {
    const { analysis, fixes, placeOf } = judge(whole)
    const { what, detail } = sayEvent(fieldsOf(row), { labels: words.labels, names: words.names })
    const place = placeOf[row] ?? 0
    const change = fixes.changes[place]
    const [latitude, longitude] = [table.value('lat', row), table.value('lon', row)].map((value) =>
      typeof value === 'number' ? value : null
    ) as [number | null, number | null]
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
      mark:
        analysis.twice[place] === 1
          ? 'twice'
          : stretch && stretch.kind !== 'live'
            ? stretch.kind
            : isConnection(type)
              ? 'connection'
              : null,
      latitude,
      longitude,
      validPosition: typeof valid === 'boolean' ? valid : null,
      label: labelOf(row),
      fix: fixOf(row),
      change: change ? (change === fixLost ? 'gpsLost' : 'gpsBack') : null,
      lastPlace: fixOf(row) === false ? lastPlaceOf(fixes.lastValid[place] ?? -1, words) : null,
      fences: latitude === null || longitude === null ? [] : fencesAt(words, latitude, longitude),
      values: columns.map((name) => table.value(name, row))
    }
  }

  function lastPlaceOf(place: number, words: Words): EventRow['lastPlace'] {
    if (place < 0) return null
    const row = table.order[place] as number
    const [latitude, longitude] = [table.value('lat', row), table.value('lon', row)]
    return typeof latitude === 'number' && typeof longitude === 'number'
      ? { latitude, longitude, atMs: table.atMs(row), fences: fencesAt(words, latitude, longitude) }
      : null
  }

  return {
    table,
    setLimits(next: Limits): void {
      limits = next
    },
    rowsOf,
    found(span: Span): Pick<EventLogState, 'limits' | 'found' | 'data'> {
      const { analysis, fixes } = judge(span)
      const lost = fixes.losses.at(-1)
      const late = analysis.stretches.filter(({ kind }) => kind === 'kept')
      const first = table.order.find((row) => !Number.isNaN(table.atMs(row)))
      return {
        data:
          first === undefined ? null : { fromMs: table.atMs(first), toMs: table.atMs(table.order.at(-1) as number) },
        limits: {
          silentFromS: analysis.silentFromS,
          isSilenceChosen: limits.silentFromS !== null,
          lateFromS: limits.lateFromS
        },
        found: {
          kept: analysis.kept,
          keptStretches: late.length,
          longestS: late.reduce((most, { longestS }) => Math.max(most, longestS), 0),
          gaps: analysis.gaps.length,
          silentS: Math.round(analysis.gaps.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0) / 1000),
          twice: analysis.twice.reduce((sum, one) => sum + one, 0),
          ahead: analysis.ahead,
          clock: analysis.stretches.reduce(
            (sum, { kind, first, last }) => sum + (kind === 'clock' ? last - first + 1 : 0),
            0
          ),
          noFix: {
            n: fixes.losses.length,
            s: Math.round(fixes.losses.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0) / 1000),
            sinceMs: lost?.open === 'end' || lost?.open === 'both' ? lost.fromMs : null
          }
        }
      }
    },
    stretches(span: Span) {
      const {
        analysis: { gaps, stretches },
        fixes
      } = judge(span)
      const late = stretches.filter(({ kind }) => kind !== 'live')
      return {
        gaps: gaps.slice(-mostStretches),
        kept: late.slice(-mostStretches).map(stretchOf),
        noFix: fixes.losses.slice(-mostStretches),
        isCut: [gaps, late, fixes.losses].some((all) => all.length > mostStretches)
      }
    },
    counts(field: string): Map<Value, number> {
      const counts = new Map<Value, number>()
      for (let row = 0; row < table.size; row++) {
        const value = table.value(field, row)
        counts.set(value, (counts.get(value) ?? 0) + 1)
      }
      return counts
    },
    picture(filter: EventFilter, span: Span, { whole, ...wanted }: PictureForm & { whole: Span }): EventPicture {
      const rows = rowsOf(filter)
      const { analysis, placeOf } = judge(whole)
      return drawPicture(
        { table, rows, analysis, placeOf, firstRow: Math.min(rows.length - 1, placeAt(rows, span.fromMs - 1)) },
        span,
        wanted
      )
    },
    count(filter: EventFilter, field: string, value: Value): { n: number; total: number } {
      const rows = rowsOf(filter)
      let n = 0
      for (const row of rows) if (table.value(field, row) === value) n += 1
      return { n, total: rows.length }
    },
    list(filter: EventFilter, lines: Lines, how: RowForm) {
      const { rows, starts } = linesOf(filter, lines, how.whole)
      const total = starts?.length ?? rows.length
      const rangeOf = (line: number): [number, number] =>
        starts ? [starts[line] as number, starts[line + 1] ?? rows.length] : [line, line + 1]
      return {
        total,
        events: rows.length,
        atMs: (line: number): number => table.atMs(rows[rangeOf(line)[0]] as number),
        rowAt(line: number): EventRow {
          const [from, until] = rangeOf(line)
          return {
            ...rowOf(rows[from] as number, how),
            group: until - from > 1 ? { n: until - from, sinceMs: orNull(table.atMs(rows[until - 1] as number)) } : null
          }
        }
      }
    },
    page(filter: EventFilter, { first, n, lines }: { first: number; n: number; lines: Lines }, how: RowForm) {
      const { total, events, rowAt } = this.list(filter, lines, how)
      return {
        revision: table.revision,
        total,
        events,
        rows: Array.from({ length: Math.max(0, Math.min(n, total - first)) }, (_, index) => rowAt(first + index))
      }
    },
    find(
      filter: EventFilter,
      at: { ms: number } | { row: number } | { changeFrom: number | null; direction: 1 | -1 },
      lines: Lines,
      whole: Span
    ): { index: number; total: number } {
      const { rows, starts } = linesOf(filter, lines, whole)
      const total = starts?.length ?? rows.length
      const lineAt = (position: number): number => (starts && position >= 0 ? lineOf(starts, position) : position)
      if ('ms' in at) return { index: lineAt(Math.min(rows.length - 1, placeAt(rows, at.ms))), total }
      if ('row' in at) return { index: lineAt(rows.indexOf(at.row)), total }
      const { changes, placeOf } = judge(whole)
      const from = at.changeFrom === null ? -1 : lineAt(rows.indexOf(at.changeFrom))
      for (let line = from + at.direction; line >= 0 && line < total; line += at.direction) {
        const [start, end] = starts ? [starts[line] as number, starts[line + 1] ?? rows.length] : [line, line + 1]
        for (let position = start; position < end; position++)
          if (changes[placeOf[rows[position] as number] as number] === 1) return { index: line, total }
      }
      return { index: -1, total }
    },
    one(row: number, how: RowForm) {
      const { analysis, placeOf } = judge(how.whole)
      const place = placeOf[row] ?? 0
      const stretch = stretchAt(analysis.stretches, place)
      const own = readingOf(row)
      let copies = 1
      for (const step of [-1, 1]) {
        for (let near = place + step; near >= 0 && near < table.order.length; near += step) {
          const other = table.order[near] as number
          if (table.atMs(other) !== table.atMs(row)) break
          if (own !== null && readingOf(other) === own && (analysis.twice[near] === 1 || analysis.twice[place] === 1))
            copies += 1
        }
      }
      return {
        row: { ...rowOf(row, how), group: null },
        stretch: stretch && stretch.kind !== 'live' ? stretchOf(stretch) : null,
        copies
      }
    }
  }
}

export type EventLog = ReturnType<typeof createEventLog>
