import { z } from 'zod'
import { recordId } from '../accessories.ts'
import { count, defineCalls, filePiece, isoTime, json } from '../../define.ts'
import { messageSchema } from '../../base/messageSchema.ts'
import { rawdataCell } from './rawdata.ts'

const ms = z.number()
const fieldName = z.string().regex(/^[A-Za-z_]\w{0,79}$/)
const logId = z.string().min(1).max(40)

export const eventCondition = z.strictObject({
  field: fieldName,
  is: z.enum(['equal', 'notEqual', 'over', 'atLeast', 'under', 'atMost']),
  /** In the units of event fields: km/h, dBm, mV. */
  value: z.union([z.string().max(200), z.number(), z.boolean()])
})
export type EventCondition = z.infer<typeof eventCondition>
export const eventFilter = z.strictObject({
  /** Null: events of every type, also those without one. */
  types: z.array(z.number().nullable()).max(60).nullable(),
  conditions: z.array(eventCondition).max(12)
})
export type EventFilter = z.infer<typeof eventFilter>

/** A person's saved view of events: filters and a period. */
export const eventView = z.strictObject({
  name: z.string().trim().min(1).max(60),
  time: z.union([
    z.strictObject({ kind: z.enum(['today', 'yesterday']) }),
    z.strictObject({ kind: z.literal('last'), hours: z.number().int().min(1).max(8_784) })
  ]),
  filter: eventFilter,
  charts: z.array(fieldName).max(6),
  columns: z.array(fieldName).max(20)
})
export type EventView = z.infer<typeof eventView>

export const eventLogState = z.object({
  id: logId,
  vehicleId: recordId,
  fromMs: ms,
  toMs: ms,
  loading: z.enum(['running', 'whole', 'full', 'stopped', 'failed']),
  problem: messageSchema.nullable(),
  n: count,
  calls: count,
  tookMs: count,
  /** Everything since this time is loaded; null: nothing yet. */
  coveredFromMs: ms.nullable(),
  readAt: isoTime,
  revision: count,
  /** Requested fields that this gateway does not have. */
  missing: z.array(z.string()),
  kinds: z.array(z.object({ type: z.number().nullable(), what: messageSchema, n: count })),
  limits: z.object({ silentFromS: z.number(), isSilenceChosen: z.boolean(), lateFromS: z.number() }),
  found: z.object({
    kept: count,
    keptStretches: count,
    longestS: z.number(),
    gaps: count,
    silentS: z.number(),
    twice: count,
    ahead: count,
    clock: count,
    noFix: z.object({ n: count, s: z.number(), sinceMs: ms.nullable() })
  }),
  /** The time of the first and of the last loaded event; null: none. */
  data: z.object({ fromMs: ms, toMs: ms }).nullable()
})
export type EventLogState = z.infer<typeof eventLogState>

export const silentTime = z.object({ fromMs: ms, toMs: ms, open: z.enum(['start', 'end']).nullable() })
export type SilentTime = z.infer<typeof silentTime>

/** A time in which events had no valid position. */
export const fixLoss = z.object({ fromMs: ms, toMs: ms, open: z.enum(['start', 'end', 'both']).nullable() })
export type FixLoss = z.infer<typeof fixLoss>

export const keptStretch = z.object({
  kind: z.enum(['kept', 'clock']),
  n: count,
  fromMs: ms,
  toMs: ms,
  arrivedFromMs: ms.nullable(),
  arrivedToMs: ms.nullable(),
  longestS: z.number(),
  /** Some of its events: the time of each, and its arrival. */
  lines: z.array(z.tuple([ms, ms]))
})
export type KeptStretch = z.infer<typeof keptStretch>

const points = z.object({ field: z.string(), atMs: z.array(ms), values: z.array(z.number().nullable()) })

export const eventPicture = z.object({
  fromMs: ms,
  toMs: ms,
  happened: z.array(count),
  /** Those of `happened` that the device buffered. */
  kept: z.array(count),
  arrived: z.array(count),
  /** The average delay of a column's unbuffered events; null: none. */
  delayMs: z.array(ms.nullable()),
  series: z.array(points)
})
export type EventPicture = z.infer<typeof eventPicture>

export const eventRow = z.object({
  /** Its number among the loaded events, which stays the same while more are loaded. */
  row: count,
  happenedMs: ms.nullable(),
  arrivedMs: ms.nullable(),
  delayS: z.number().nullable(),
  type: z.number().nullable(),
  what: messageSchema,
  detail: messageSchema.nullable(),
  mark: z.enum(['kept', 'twice', 'clock', 'connection']).nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  validPosition: z.boolean().nullable(),
  label: z.string().nullable(),
  /** Whether GPS had a fix; null: an event without a position. */
  fix: z.boolean().nullable(),
  change: z.enum(['gpsLost', 'gpsBack']).nullable(),
  /** Of an event without a fix: the last valid position before it. */
  lastPlace: z
    .object({ latitude: z.number(), longitude: z.number(), atMs: ms, fences: z.array(z.string()) })
    .nullable(),
  /** It stands for so many equal events one after the other, the oldest from this time. */
  group: z.object({ n: count, sinceMs: ms.nullable() }).nullable(),
  fences: z.array(z.string()),
  values: z.array(rawdataCell),
  /** In a list of two logs: which of them. */
  of: z.number().int().min(0).max(1).optional()
})
export type EventRow = z.infer<typeof eventRow>

export const eventDetail = z.object({
  row: eventRow,
  stretch: keptStretch.nullable(),
  copies: count,
  fields: z.array(z.object({ name: z.string(), description: z.string(), value: rawdataCell })),
  raw: json,
  /** Why some of its fields could not be read. */
  problem: messageSchema.nullable(),
  readAt: isoTime
})
export type EventDetail = z.infer<typeof eventDetail>

export const eventExport = z.object({
  id: logId,
  rows: count,
  fileName: z.string(),
  mediaType: z.string(),
  bytes: count
})

/**
 * Equal events one after the other are one row; `opened`: groups shown one by one, each by its newest event; `by`: a
 * field whose values part groups.
 */
const lines = z
  .strictObject({ opened: z.array(count).max(200), by: fieldName.nullable() })
  .nullable()
  .default(null)

export const eventLogCalls = defineCalls({
  /** Starts loading a period, newest first; returns the state at once, `eventLog.loaded` reports the progress. */
  'eventLog.open': {
    input: z.strictObject({ vehicleId: recordId, fromMs: ms, toMs: ms, fields: z.array(fieldName).max(60) }),
    output: eventLogState
  },
  'eventLog.state': { input: z.strictObject({ id: logId }), output: eventLogState },
  /** Loaded events stay. */
  'eventLog.stop': { input: z.strictObject({ id: logId }), output: eventLogState },
  /** The limits for silent and late; null: derived from how the vehicle reports. */
  'eventLog.judge': {
    input: z.strictObject({
      id: logId,
      silentFromS: z.number().int().min(60).max(604_800).nullable(),
      lateFromS: z.number().int().min(5).max(86_400).default(60)
    }),
    output: eventLogState
  },
  /** The last loaded period of this vehicle since Fitter started; null: none. */
  'eventLog.last': {
    input: z.strictObject({ vehicleId: recordId }),
    output: z.object({ state: eventLogState.nullable() })
  },
  'eventLog.stretches': {
    input: z.strictObject({ id: logId }),
    output: z.object({
      gaps: z.array(silentTime),
      kept: z.array(keptStretch),
      noFix: z.array(fixLoss),
      isCut: z.boolean()
    })
  },
  'eventLog.picture': {
    input: z.strictObject({
      id: logId,
      filter: eventFilter,
      fromMs: ms,
      toMs: ms,
      columns: z.number().int().min(1).max(400),
      points: z.number().int().min(1).max(1_500),
      fields: z.array(fieldName).max(6)
    }),
    output: eventPicture
  },
  /** Newest first. */
  'eventLog.rows': {
    input: z.strictObject({
      id: logId,
      filter: eventFilter,
      first: count,
      n: z.number().int().min(1).max(200),
      lines,
      columns: z.array(fieldName).max(20)
    }),
    output: z.object({ revision: count, total: count, events: count, rows: z.array(eventRow) })
  },
  /** The lines of two logs as one list, newest first. */
  'eventLog.merged': {
    input: z.strictObject({
      ids: z.tuple([logId, logId]),
      filter: eventFilter,
      first: count,
      n: z.number().int().min(1).max(200),
      lines,
      columns: z.array(fieldName).max(20)
    }),
    output: z.object({ revision: count, total: count, events: count, rows: z.array(eventRow) })
  },
  /** The index of a moment, of a row, or of the next change from a row, in the list; -1: not shown. */
  'eventLog.find': {
    input: z.strictObject({
      id: logId,
      filter: eventFilter,
      lines,
      at: z.union([
        z.strictObject({ ms }),
        z.strictObject({ row: count }),
        z.strictObject({ changeFrom: count.nullable(), direction: z.union([z.literal(1), z.literal(-1)]) })
      ])
    }),
    output: z.object({ index: z.number().int(), total: count })
  },
  'eventLog.count': {
    input: z.strictObject({ id: logId, filter: eventFilter, field: fieldName, value: rawdataCell }),
    output: z.object({ n: count, total: count })
  },
  'eventLog.event': {
    input: z.strictObject({ id: logId, row: count, columns: z.array(fieldName).max(20) }),
    output: eventDetail
  },
  /** The fields that filter conditions can use, with the gateway's own descriptions. */
  'eventLog.fields': {
    input: z.strictObject({}),
    output: z.object({
      fields: z.array(z.object({ name: z.string(), description: z.string(), type: z.string(), group: z.string() })),
      readAt: isoTime
    })
  },
  'eventLog.labels': {
    input: z.strictObject({ id: logId }),
    output: z.object({ labels: z.array(z.object({ label: z.string(), what: messageSchema, n: count })) })
  },
  /** Writes the filtered events into a file; cells that a spreadsheet would execute are escaped. */
  'eventLog.export': {
    input: z.strictObject({
      id: logId,
      filter: eventFilter,
      format: z.enum(['csv', 'json']),
      columns: z.array(fieldName).max(20).nullable()
    }),
    output: eventExport
  },
  'eventLog.exportPart': { input: z.strictObject({ id: logId, from: count }), output: filePiece },
  'eventLog.endExport': { input: z.strictObject({ id: logId }), output: z.object({}) }
})
