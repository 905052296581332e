import { z } from 'zod'
import { copyKind } from '../gateway/copies.ts'
import { defineCalls, isoTime, isRefresh, json, nothing } from '../define.ts'
import { messageSchema } from '../messageSchema.ts'

/** How far the copy of the vehicles on this computer goes. It belongs to one site and one user: others see others. */
export const vehicleCopy = z.object({
  /** Null while nobody is known at the gateway that is set. */
  site: z.object({ url: z.string(), user: z.string() }).nullable(),
  count: z.number(),
  /** When the last whole walk through the pages ended; null before the first. */
  copiedAt: isoTime.nullable(),
  /** False: the gateway counts more than were seen; vehicles moved between pages meanwhile. */
  complete: z.boolean(),
  /** The walk that is under way, and what is copied now: vehicles come first. */
  running: z.object({ kind: copyKind, done: z.number(), total: z.number().nullable(), leftMs: z.number().nullable() }).nullable(),
  /** Why the last walk stopped early; it goes on from there when asked again. */
  problem: messageSchema.nullable()
})
export type VehicleCopy = z.infer<typeof vehicleCopy>

/** A vehicle as the list shows it. */
export const vehicleLine = z.object({
  id: z.number(),
  name: z.string(),
  plate: z.string().nullable(),
  vin: z.string().nullable(),
  /** IMEI of its device; null when it has none. */
  imei: z.string().nullable(),
  groups: z.array(z.number()),
  info: z.record(z.string(), json)
})
export type VehicleLine = z.infer<typeof vehicleLine>

/** One time span in which a device or an asset belonged to the vehicle. */
export const association = z.object({
  kind: z.enum(['device', 'asset']),
  /** IMEI, or id of the asset. */
  id: z.string(),
  name: z.string().nullable(),
  from: isoTime.nullable(),
  /** Null while it lasts. */
  until: isoTime.nullable()
})
export type Association = z.infer<typeof association>

/** The device of the vehicle against the one in our hand, or what the gateway says about its device. */
export const vehicleDevice = z.object({
  imei: z.string(),
  online: z.boolean().nullable(),
  lastReportedAt: isoTime.nullable(),
  /** The lines that the gateway shows; null for one that it does not tell. `at`: when the device said so. */
  lines: z.object({ ignition: z.boolean().nullable(), power: z.boolean().nullable(), inputs: z.array(z.boolean().nullable()), at: isoTime.nullable() }).nullable(),
  raw: json
})

export const vehicleSheet = z.object({
  vehicle: vehicleLine,
  /** copy: the gateway was not reached; what follows is as old as the copy. */
  source: z.enum(['gateway', 'copy']),
  readAt: isoTime,
  /** Why it is the copy, or what could not be read; null when all is well. */
  note: messageSchema.nullable(),
  groups: z.array(z.object({ id: z.number(), name: z.string().nullable() })),
  device: vehicleDevice.nullable(),
  history: z.array(association),
  /** False: the record shows no association history that could be understood. */
  historyKnown: z.boolean(),
  raw: json
})
export type VehicleSheet = z.infer<typeof vehicleSheet>

export const counterUnit = z.enum(['m', 's', 'L'])
export type CounterUnit = z.infer<typeof counterUnit>

export const vehicleCounters = z.object({
  readAt: isoTime,
  global: z.array(z.object({ counter: z.string(), value: z.number(), unit: counterUnit.nullable(), settable: z.boolean() })),
  user: z.array(
    z.object({
      id: z.number().nullable(),
      counter: z.string(),
      description: z.string(),
      value: z.number().nullable(),
      unit: counterUnit.nullable(),
      setAt: isoTime.nullable()
    })
  ),
  problems: z.array(messageSchema)
})
export type VehicleCounterSheet = z.infer<typeof vehicleCounters>

export const vehicleEvent = z.object({
  id: z.number().nullable(),
  /** By the device's clock. */
  at: isoTime,
  /** By the gateway's clock; null where it does not say. */
  arrivedAt: isoTime.nullable(),
  /** From the device's clock to the gateway, in seconds. */
  delayS: z.number().nullable(),
  /** What happened, in words, and how the vehicle moved, who was with it, how the event came. */
  what: messageSchema,
  detail: messageSchema.nullable(),
  type: z.number().nullable(),
  label: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  validPosition: z.boolean().nullable(),
  speedKmh: z.number().nullable(),
  satellites: z.number().nullable(),
  raw: json
})
export type VehicleEvent = z.infer<typeof vehicleEvent>

/** Coordinates are [longitude, latitude]; radius in meters. */
export const fence = z.object({
  id: z.number(),
  /** Null where the gateway gives none. */
  name: z.string().nullable(),
  visibility: z.string(),
  shape: z.discriminatedUnion('type', [
    z.object({ type: z.literal('Polygon'), rings: z.array(z.array(z.tuple([z.number(), z.number()]))) }),
    z.object({ type: z.literal('Circle'), center: z.tuple([z.number(), z.number()]), radiusM: z.number() }),
    z.object({ type: z.literal('LineString'), points: z.array(z.tuple([z.number(), z.number()])), radiusM: z.number() })
  ]),
  /** Whether the vehicle's last position is inside; null without one. */
  inside: z.boolean().nullable()
})
export type Fence = z.infer<typeof fence>

const vehicleId = z.number().int().nonnegative()
const imei = z.string().regex(/^\d{15}$/)

export const vehiclesCalls = defineCalls({
  'vehicles.copy': { input: nothing, output: vehicleCopy },
  /** Begins to walk through all pages in the background, from where an earlier walk stopped; events tell how far it is. */
  'vehicles.refresh': { input: nothing, output: vehicleCopy },
  'vehicles.stopRefresh': { input: nothing, output: vehicleCopy },
  /** In the copy, so also without the gateway: words of name, plate, VIN, IMEI, id or any `info` value; `key:value` for one key. */
  'vehicles.search': {
    input: z.strictObject({
      text: z.string().max(200),
      /** Without words: the page after this vehicle. A search has one page. */
      after: vehicleId.optional(),
      limit: z.number().int().min(1).max(200).default(50)
    }),
    output: z.object({ vehicles: z.array(vehicleLine), more: z.boolean(), copy: vehicleCopy })
  },
  /** Whether the devices of these vehicles report, in one call to the gateway: for the rows that a person sees. */
  'vehicles.standings': {
    input: z.strictObject({ ids: z.array(vehicleId).min(1).max(100) }),
    output: z.object({
      /** A vehicle that the gateway does not show is left out; `lastReportedAt` null: no device, or it never reported. */
      standings: z.array(z.object({ id: z.number(), lastReportedAt: isoTime.nullable(), isOnline: z.boolean().nullable() })),
      readAt: isoTime
    })
  },
  /** Names of the assets that a history names by number; one that cannot be read is left out. */
  'vehicles.assets': {
    input: z.strictObject({ ids: z.array(vehicleId).min(1).max(12) }),
    output: z.object({ assets: z.array(z.object({ id: z.number(), name: z.string(), type: z.string().nullable() })) })
  },
  /** How many reports of the vehicle there were on each day (UTC). A long time is a background job at the gateway. */
  'vehicles.reports': {
    input: z.strictObject({ id: vehicleId, from: z.string().regex(/^\d{4}-\d\d-\d\d$/), to: z.string().regex(/^\d{4}-\d\d-\d\d$/) }),
    output: z.object({ days: z.array(z.object({ day: z.string(), reports: z.number() })), readAt: isoTime })
  },
  'vehicles.show': { input: z.strictObject({ id: vehicleId }), output: vehicleSheet },
  'vehicles.counters': { input: z.strictObject({ id: vehicleId }), output: vehicleCounters },
  /** Becomes an operation: `accepted` until a report of the device shows the value. */
  'vehicles.setCounter': {
    input: z.strictObject({ id: vehicleId, counter: z.string().regex(/^[a-z0-9_]{1,40}$/), value: z.number().nonnegative() }),
    output: z.object({ operationId: z.string() })
  },
  'vehicles.createCounter': {
    input: z.strictObject({
      id: vehicleId,
      counter: z.string().regex(/^[a-z0-9_]{1,40}$/),
      initialValue: z.number().nonnegative(),
      description: z.string().trim().min(1).max(80)
    }),
    output: z.object({ operationId: z.string() })
  },
  'vehicles.events': {
    input: z.strictObject({ id: vehicleId, hours: z.number().int().min(1).max(168).default(24), limit: z.number().int().min(1).max(200).default(40), isRefresh }),
    output: z.object({ events: z.array(vehicleEvent), readAt: isoTime })
  },
  'vehicles.fences': {
    input: z.strictObject({ latitude: z.number().min(-90).max(90).nullable(), longitude: z.number().min(-180).max(180).nullable() }),
    /** copy: the gateway was not reached; they are of `readAt`, null where the copy does not say. */
    output: z.object({ fences: z.array(fence), complete: z.boolean(), problems: z.array(messageSchema), source: z.enum(['gateway', 'copy']), readAt: isoTime.nullable() })
  },
  /** Associates a trailer or a driver with the vehicle; becomes an operation. `copiedAt`: the asset was chosen from the copy. */
  'vehicles.link': {
    input: z.strictObject({ id: vehicleId, name: z.string().max(200), assetId: vehicleId, assetName: z.string().max(200), copiedAt: isoTime.nullable().default(null) }),
    output: z.object({ operationId: z.string() })
  },
  /**
   * Asks the gateway to give the vehicle this device. The body of such an update is not documented: only `{device}` is
   * sent, once, and everything else is read before and after. `confirmed` is the person's word that this is known.
   */
  'vehicles.assignDevice': {
    input: z.strictObject({ id: vehicleId, imei, confirmed: z.literal(true) }),
    output: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('assigned'), detail: messageSchema }),
      /** Assigned, and something else is not as it was. */
      z.object({ kind: z.literal('changedMore'), detail: messageSchema, fields: z.array(z.object({ field: z.string(), before: json, after: json })) }),
      /** Refused, or without effect: a note for the back office waits among the operations. */
      z.object({ kind: z.literal('notAssigned'), detail: messageSchema, operationId: z.string() }),
      z.object({ kind: z.literal('unknown'), detail: messageSchema, operationId: z.string() })
    ])
  }
})
