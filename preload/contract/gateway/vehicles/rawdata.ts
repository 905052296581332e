import { z } from 'zod'
import { messageSchema } from '../../base/messageSchema.ts'
import { recordId } from '../accessories.ts'
import { defineCalls, isoTime, nothing, wholeFile } from '../../define.ts'

export const rawdataField = z.object({ name: z.string(), description: z.string(), type: z.string(), group: z.string() })

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()])
export const rawdataCell = cell
export type RawdataCell = z.infer<typeof rawdataCell>

const time = z.string().regex(/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d)?$/)

/** A query for events, checked before it is sent. */
export const rawdataQuestion = z.strictObject({
  vehicleId: recordId,
  /** Times by the gateway's clock, UTC. */
  from: time,
  to: time,
  /** Fields, sets (`$basic`), or expressions (`kmh:@speed*3.6`). */
  fields: z.array(z.string().trim().min(1).max(200)).max(60),
  filter: z.string().max(500).default(''),
  labels: z
    .array(z.string().regex(/^[A-Za-z0-9_.-]{1,60}$/))
    .max(40)
    .default([]),
  resample: z
    .strictObject({
      by: z.enum(['event_time', 'system_time']),
      every: z
        .string()
        .regex(/^[1-9]\d{0,4}[MDHTS]$/, 'A whole number above 0 and M (months), D, H, T (minutes) or S, such as 15T.'),
      how: z.enum(['mean', 'sum', 'std', 'sem', 'max', 'min', 'median', 'first', 'last', 'diff']).default('mean'),
      fill: z.enum(['none', 'pad', 'ffill', 'bfill']).default('none')
    })
    .nullable()
    .default(null),
  distance: z.enum(['meter', 'km', 'mile']).default('km'),
  speed: z.enum(['default', 'kph', 'mph']).default('kph'),
  newestFirst: z.boolean().default(true),
  limit: z.number().int().min(1).max(5_000).default(500)
})
export type RawdataQuestion = z.input<typeof rawdataQuestion>

export const rawdataTable = z.object({
  columns: z.array(z.string()),
  rows: z.array(z.array(cell)),
  labels: z.record(z.string(), z.object({ en: z.string(), es: z.string() })),
  units: z.record(z.string(), z.string()),
  /** The limit was reached, so there may be more. */
  isCut: z.boolean(),
  readAt: isoTime
})
export type RawdataTable = z.infer<typeof rawdataTable>

export const tripView = z.object({
  kind: z.enum(['trip', 'stop', 'unknown']),
  startedAt: isoTime.nullable(),
  durationS: z.number().nullable(),
  distanceM: z.number().nullable(),
  meanSpeedKmh: z.number().nullable()
})
export type TripView = z.infer<typeof tripView>

export const routeProgress = z.object({
  name: z.string(),
  isFinal: z.boolean(),
  checkpointsDone: z.number(),
  checkpointsTotal: z.number(),
  /** neverOn: never inside its path. left: was outside at some point. kept: stayed inside. */
  path: z.enum(['neverOn', 'left', 'kept']),
  isOutsideNow: z.boolean().nullable(),
  startsAt: isoTime.nullable(),
  endsAt: isoTime.nullable()
})
export type RouteProgressView = z.infer<typeof routeProgress>

export const rawdataCalls = defineCalls({
  'rawdata.fields': {
    input: nothing,
    output: z.object({ fields: z.array(rawdataField), sets: z.array(z.string()), readAt: isoTime })
  },
  /** Problems in the fields and the filter, without requesting events. */
  'rawdata.check': {
    input: z.strictObject({ fields: rawdataQuestion.shape.fields, filter: z.string().max(500) }),
    output: z.object({ problems: z.array(z.object({ part: z.enum(['fields', 'filter']), message: messageSchema })) })
  },
  /** The exact request of a query; it is not sent. */
  'rawdata.request': { input: rawdataQuestion, output: z.object({ text: z.string() }) },
  'rawdata.query': { input: rawdataQuestion, output: rawdataTable },
  /**
   * Trips and stops of the last days, newest first, and the state of its routes; a part that may not be read has a
   * reason.
   */
  'rawdata.journeys': {
    input: z.strictObject({ vehicleId: recordId, days: z.number().int().min(1).max(31).default(3) }),
    output: z.object({
      trips: z.array(tripView),
      routes: z.array(routeProgress),
      problems: z.array(messageSchema),
      readAt: isoTime
    })
  },
  /** The same as CSV; cells that a spreadsheet would execute are escaped. */
  'rawdata.export': { input: rawdataQuestion, output: wholeFile.extend({ rows: z.number() }) }
})
