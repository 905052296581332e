import { performance } from 'node:perf_hooks'
import { ulid } from 'ulid'
import type { Json } from '../../../preload/contract/define.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import type { Teller } from '../../../preload/contract/events.ts'
import type { EventDetail, EventLogState } from '../../../preload/contract/gateway/vehicles/eventLog.ts'
import type { CallOutput, CallParsed } from '../../../preload/contract/index.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { Fence } from '../../../preload/contract/gateway/vehicles/vehicles.ts'
import { alwaysRead } from '../../../preload/gateway/events/fields.ts'
import { sayEvent, sayLabel } from '../client/decoders/eventText.ts'
import type { Span } from './analysis.ts'
import { createEventExports } from './exports.ts'
import { readWhole } from './wholeEvent.ts'
import { loadEvents } from './loading.ts'
import { createEventLog, type EventLog, type Words } from './log.ts'
import { mergeLines } from './eventLines.ts'
import type { EventSource } from './source.ts'
import { createEventTable } from './table.ts'

export interface EventLogParts {
  source: EventSource
  /** The geofences that may contain a position; those that are shown now. */
  fences(signal: AbortSignal): Promise<readonly Fence[]>
  names(ids: readonly number[], signal: AbortSignal): Promise<ReadonlyMap<number, string>>
  events: Teller
  folder: string
  reportFault(error: unknown): void
}

interface Open {
  state: Omit<EventLogState, 'limits' | 'found' | 'kinds' | 'data'>
  log: EventLog
  words: Words
  /** The future has no events yet, which is not a silence. */
  untilMs: number
  abort: AbortController
  done: Promise<void>
}

/** The number of kept logs: the present ones, two in a comparison, and earlier ones for offline use. */
const mostLogs = 4
const mostNames = 12

/** The events that were loaded for a window, stored here in compact form: a window gets only what it shows. */
export function createEventLogs({ source, fences, names, events, folder, reportFault }: EventLogParts) {
  const logs = new Map<string, Open>()
  const files = createEventExports(folder)

  function demand(id: string): Open {
    const found = logs.get(id)
    if (!found) throw new AppError('NOT_FOUND', message('eventLog.gone'))
    return found
  }

  /** Silence is analysed only where everything is loaded. */
  function spanOf({ state, untilMs }: Open): Span {
    return { fromMs: state.coveredFromMs ?? untilMs, toMs: untilMs }
  }

  function stateOf(open: Open): EventLogState {
    const { log, words } = open
    const kinds = [...log.counts('type')].map(([type, n]) => ({
      type: typeof type === 'number' ? type : null,
      what: sayEvent(typeof type === 'number' ? { type } : {}, { labels: words.labels }).what,
      n
    }))
    return {
      ...open.state,
      n: log.table.size,
      revision: log.table.revision,
      kinds: kinds.sort((a, b) => b.n - a.n),
      ...log.found(spanOf(open))
    }
  }

  async function load(open: Open, fields: readonly string[]): Promise<void> {
    const { state, log, abort } = open
    const { signal } = abort
    const startedMs = performance.now()
    const tell = (): void => {
      state.tookMs = Math.round(performance.now() - startedMs)
      state.readAt = new Date().toISOString()
      if (logs.get(state.id) === open) events.tell('eventLog.loaded', stateOf(open))
    }
    try {
      const known = new Set((await source.catalogue(signal)).map(({ name }) => name))
      const presentMs = await source.nowMs()
      open.untilMs = Math.min(state.toMs, presentMs)
      state.missing = fields.filter((name) => !known.has(name))
      const [labels, around] = await Promise.all([orNothing(source.labels(signal), {}), orNothing(fences(signal), [])])
      open.words = { ...open.words, labels, fences: around }
      state.loading = await loadEvents({
        source,
        vehicleId: state.vehicleId,
        fromMs: state.fromMs,
        toMs: Math.min(state.toMs, presentMs + 60_000),
        // Values of the engine bus come with the flag that says whether they are valid.
        fields: [
          ...new Set(
            [...alwaysRead, ...fields].flatMap((name) => (name.startsWith('ecu_') ? [name, `${name}_flag`] : [name]))
          )
        ].filter((name) => known.has(name)),
        table: log.table,
        signal,
        loaded(progress) {
          Object.assign(state, progress)
          tell()
        }
      })
      const ids = [...log.counts('aid').keys()].filter((id) => typeof id === 'number').slice(0, mostNames)
      if (ids.length > 0)
        open.words = { ...open.words, names: await orNothing(names(ids, signal), new Map<number, string>()) }
    } catch (error) {
      if (signal.aborted) state.loading = 'stopped'
      else {
        if (!(error instanceof AppError)) reportFault(error)
        state.loading = 'failed'
        state.problem = error instanceof AppError ? error.sentence : message('app.fault')
      }
    }
    tell()
  }

  const whole = (open: Open) => ({ whole: spanOf(open), words: open.words })

  return {
    open({ vehicleId, fromMs, toMs, fields }: CallParsed<'eventLog.open'>): EventLogState {
      if (toMs <= fromMs) throw new AppError('INVALID_REQUEST', message('gateway.endsBeforeBeginning'))
      for (const [id, old] of logs) {
        if (logs.size < mostLogs) break
        old.abort.abort()
        logs.delete(id)
      }
      const id = ulid()
      const open: Open = {
        state: {
          id,
          vehicleId,
          fromMs,
          toMs,
          loading: 'running',
          problem: null,
          n: 0,
          calls: 0,
          tookMs: 0,
          coveredFromMs: null,
          readAt: new Date().toISOString(),
          revision: 0,
          missing: []
        },
        log: createEventLog(createEventTable()),
        words: { labels: {}, names: new Map(), fences: [] },
        untilMs: toMs,
        abort: new AbortController(),
        done: Promise.resolve()
      }
      logs.set(id, open)
      open.done = load(open, fields).catch(reportFault)
      return stateOf(open)
    },
    state: (id: string) => stateOf(demand(id)),
    async stop(id: string): Promise<EventLogState> {
      const open = demand(id)
      open.abort.abort()
      await open.done
      return stateOf(open)
    },
    last(vehicleId: number): EventLogState | null {
      const open = [...logs.values()].findLast(({ state, log }) => state.vehicleId === vehicleId && log.table.size > 0)
      return open ? stateOf(open) : null
    },
    judge({ id, silentFromS, lateFromS }: CallParsed<'eventLog.judge'>): EventLogState {
      const open = demand(id)
      open.log.setLimits({ silentFromS, lateFromS })
      return stateOf(open)
    },
    stretches(id: string) {
      const open = demand(id)
      return open.log.stretches(spanOf(open))
    },
    picture({ id, filter, fromMs, toMs, ...wanted }: CallParsed<'eventLog.picture'>) {
      const open = demand(id)
      return open.log.picture(filter, { fromMs, toMs }, { ...wanted, whole: spanOf(open) })
    },
    rows({ id, filter, first, n, lines, columns }: CallParsed<'eventLog.rows'>) {
      const open = demand(id)
      return open.log.page(filter, { first, n, lines }, { columns, ...whole(open) })
    },
    find({ id, filter, at, lines }: CallParsed<'eventLog.find'>) {
      const open = demand(id)
      return open.log.find(filter, at, lines, spanOf(open))
    },
    merged({ ids, filter, first, n, lines, columns }: CallParsed<'eventLog.merged'>): CallOutput<'eventLog.merged'> {
      const opened = ids.map(demand) as [Open, Open]
      const [one, other] = opened.map((open) => open.log.list(filter, lines, { columns, ...whole(open) })) as [
        ReturnType<EventLog['list']>,
        ReturnType<EventLog['list']>
      ]
      const { of, line } = mergeLines(one, other)
      return {
        revision: opened[0].log.table.revision + opened[1].log.table.revision,
        total: of.length,
        events: one.events + other.events,
        rows: [...of.subarray(first, first + n)].map((which, index) => ({
          ...(which === 0 ? one : other).rowAt(line[first + index] as number),
          of: which
        }))
      }
    },
    count: ({ id, filter, field, value }: CallParsed<'eventLog.count'>) => demand(id).log.count(filter, field, value),
    async event({ id, row, columns }: CallParsed<'eventLog.event'>, signal: AbortSignal): Promise<EventDetail> {
      const open = demand(id)
      const { table } = open.log
      if (row >= table.size) throw new AppError('NOT_FOUND', message('eventLog.noSuchEvent'))
      const shown = open.log.one(row, { columns, ...whole(open) })
      const kept = Object.fromEntries(
        table
          .fields()
          .flatMap((name): [string, Json][] =>
            table.value(name, row) === null ? [] : [[name, table.value(name, row)]]
          )
      )
      const read = await readWhole(
        source,
        { vehicleId: open.state.vehicleId, atMs: table.happenedMs(row), id: table.value('id', row), kept },
        signal
      )
      return { ...shown, ...read, readAt: new Date().toISOString() }
    },
    async fields(signal: AbortSignal): Promise<CallOutput<'eventLog.fields'>> {
      return { fields: await source.catalogue(signal), readAt: new Date().toISOString() }
    },
    labels(id: string): CallOutput<'eventLog.labels'> {
      const { log, words } = demand(id)
      const counted = [...log.counts('label')].flatMap(([label, n]) =>
        typeof label === 'string'
          ? [{ label, n, what: sayLabel(words.labels, label) ?? message('events.labelled', { label }) }]
          : []
      )
      return { labels: counted.sort((a, b) => b.n - a.n).slice(0, 300) }
    },
    export({ id, filter, format, columns }: CallParsed<'eventLog.export'>) {
      const { log, state } = demand(id)
      const { table } = log
      const rows = log.rowsOf(filter)
      const chosen = columns ?? table.fields().filter((name) => name !== 'id')
      const iso = (ms: number): string | null => (Number.isNaN(ms) ? null : new Date(ms).toISOString())
      return files.write({
        ...state,
        format,
        columns: ['id', 'event_time', 'system_time', 'delay_s', ...new Set(chosen)].map(nameWithUnit),
        n: rows.length,
        cell(index, column) {
          const row = rows[index] as number
          if (column === 'event_time') return iso(table.happenedMs(row))
          if (column === 'system_time') return iso(table.arrivedMs(row))
          if (column === 'delay_s') return Number.isNaN(table.delayS(row)) ? null : table.delayS(row)
          return table.value(fieldOf(column), row)
        }
      })
    },
    exportPart: (id: string, from: number) => files.part(id, from),
    endExport: (id: string) => files.end(id),
    async stopAll(): Promise<void> {
      for (const { abort } of logs.values()) abort.abort()
      await Promise.all([...logs.values()].map(({ done }) => done))
      logs.clear()
      await files.stop()
    }
  }
}

export type EventLogs = ReturnType<typeof createEventLogs>

/** Converted values have their unit in the file. */
const otherUnits: ReadonlyMap<string, string> = new Map([
  ['speed', 'speed_kmh'],
  ['cf_rssi', 'signal_dbm']
])
const nameWithUnit = (field: string): string => otherUnits.get(field) ?? field
const fieldOf = (column: string): string => [...otherUnits].find(([, named]) => named === column)?.[0] ?? column

/** Fields that are optional for showing an event. */
async function orNothing<T>(ask: Promise<T>, nothing: T): Promise<T> {
  try {
    return await ask
  } catch (error) {
    if (error instanceof AppError && error.code !== 'CANCELLED') return nothing
    throw error
  }
}
