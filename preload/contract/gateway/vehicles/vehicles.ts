import { z } from 'zod'
import { copyKind } from '../copies.ts'
import { defineCalls, imeiDigits, isoTime, isRefresh, json, nothing } from '../../define.ts'
import { messageSchema } from '../../base/messageSchema.ts'

/** The extent of the local copy of the vehicles of one site and user: each user sees different ones. */
export const vehicleCopy = z.object({
  /** Null while no user is known at the configured gateway. */
  site: z.object({ url: z.string(), user: z.string() }).nullable(),
  count: z.number(),
  /** When the last complete pass ended; null before the first. */
  copiedAt: isoTime.nullable(),
  /** When the states of the devices were last read to the end; null before the first time. */
  statesAt: isoTime.nullable().optional(),
  /** False: the gateway counts more than were read, because vehicles moved between pages. */
  complete: z.boolean(),
  /** The pass in progress, and what is copied now: vehicles come first. */
  running: z
    .object({ kind: copyKind, done: z.number(), total: z.number().nullable(), leftMs: z.number().nullable() })
    .nullable(),
  /** Why the last pass stopped early; the next one continues there. */
  problem: messageSchema.nullable()
})
export type VehicleCopy = z.infer<typeof vehicleCopy>

/** How long a vehicle has been silent: up to a week, up to four, longer. */
export const silentSpans = ['all', 'week', 'month', 'longer'] as const
export const silentSpan = z.enum(silentSpans)
export type SilentSpan = z.infer<typeof silentSpan>

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

/** What a vehicle can need attention for, the worst first. */
export const vehicleConditions = ['noPower', 'silent', 'noPosition', 'weakSignal'] as const
export const vehicleCondition = z.enum(vehicleConditions)
export type VehicleCondition = z.infer<typeof vehicleCondition>

/** A list of vehicles: those with any condition, with one of them, that report, are unknown, have no device, or all. */
export const vehicleFilters = ['attention', ...vehicleConditions, 'reports', 'unknown', 'noDevice', 'all'] as const
export const vehicleFilter = z.enum(vehicleFilters)
export type VehicleFilter = z.infer<typeof vehicleFilter>

/** Why it is not known whether a vehicle reports. */
export const whyUnknown = z.enum(['notRead', 'notShown', 'noRhythm'])
export type WhyUnknown = z.infer<typeof whyUnknown>

/** Whether a vehicle reports, by the one rule of preload/gateway/reporting.ts, at the time of the reading. */
export const vehicleReporting = z.object({
  is: z.enum(['reports', 'silent', 'unknown', 'noDevice']),
  /** The last report, with which the silence began; null unless it is silent. */
  since: isoTime.nullable(),
  /** notRead: the device was not read yet. notShown: the gateway shows no time. noRhythm: too few reports are known. */
  why: whyUnknown.nullable(),
  /** The silence that this vehicle may have; null while its rhythm is not known. */
  limitS: z.number().nullable(),
  /** The usual time between two reports, parked or driving as it was last. */
  rhythmS: z.number().nullable()
})

/** How a vehicle stood when its device was copied; what the gateway did not show is unknown and no condition. */
export const vehicleState = z.object({
  reporting: vehicleReporting,
  conditions: z.array(vehicleCondition),
  /** Since when the longest of them lasts; null without any. */
  since: isoTime.nullable(),
  /** False: it may have started earlier than `since`. */
  isSinceKnown: z.boolean(),
  lastReportedAt: isoTime.nullable(),
  signalDbm: z.number().nullable(),
  /** Null while the copy does not have the device. */
  readAt: isoTime.nullable()
})
export type VehicleState = z.infer<typeof vehicleState>

/** How far the copy knows the state of the vehicles: a count of what was not read means nothing. */
export const fleetKnowledge = z.object({
  /** When the oldest of these states was read; null while none was. */
  readAt: isoTime.nullable(),
  /** For how many vehicles it is known whether they belong to each filter. */
  known: z.record(vehicleFilter, z.number()),
  /** How many vehicles are unknown, by the reason. */
  unknown: z.record(whyUnknown, z.number())
})
export type FleetKnowledge = z.infer<typeof fleetKnowledge>

export const association = z.object({
  kind: z.enum(['device', 'asset']),
  id: z.string(),
  name: z.string().nullable(),
  from: isoTime.nullable(),
  /** Null while it lasts. */
  until: isoTime.nullable()
})
export type Association = z.infer<typeof association>

/** The vehicle's device compared with the connected one, or what the gateway reports about its device. */
export const vehicleDevice = z.object({
  imei: z.string(),
  online: z.boolean().nullable(),
  lastReportedAt: isoTime.nullable(),
  /** The lines that the gateway shows; null for an unknown one. `at`: the time of the device's report. */
  lines: z
    .object({
      ignition: z.boolean().nullable(),
      power: z.boolean().nullable(),
      inputs: z.array(z.boolean().nullable()),
      at: isoTime.nullable()
    })
    .nullable(),
  raw: json
})

/** A day of a vehicle; null: no event of that day has the value. */
export const signalDay = z.object({
  day: z.string(),
  signalDbm: z.number().nullable(),
  satellites: z.number().nullable(),
  delayS: z.number().nullable(),
  reports: z.number()
})
export type SignalDay = z.infer<typeof signalDay>

/** A value of a day in a group: 80 % of the vehicles lie between `low` and `high`. */
export const signalBand = z.object({ low: z.number(), middle: z.number(), high: z.number() })
export type SignalBand = z.infer<typeof signalBand>
const signalPlace = z.object({ place: z.number(), of: z.number() })
/** A day of a group; a value is null where too few vehicles have it. */
export const signalGroupDay = z.object({
  day: z.string(),
  signalDbm: signalBand.nullable(),
  satellites: signalBand.nullable(),
  delayS: signalBand.nullable(),
  reports: signalBand.nullable()
})
export type SignalGroupDay = z.infer<typeof signalGroupDay>

export const vehicleSheet = z.object({
  vehicle: vehicleLine,
  /** copy: the gateway could not be reached; the data is as old as the copy. */
  source: z.enum(['gateway', 'copy']),
  readAt: isoTime,
  /** Why the copy is used, or what could not be read; null when all is well. */
  note: messageSchema.nullable(),
  groups: z.array(z.object({ id: z.number(), name: z.string().nullable() })),
  device: vehicleDevice.nullable(),
  /** As this reading shows it, by the rule of the lists. */
  state: vehicleState.optional(),
  history: z.array(association),
  /** False: the record has no readable association history. */
  historyKnown: z.boolean(),
  raw: json
})
export type VehicleSheet = z.infer<typeof vehicleSheet>

export const counterUnit = z.enum(['m', 's', 'L'])
export type CounterUnit = z.infer<typeof counterUnit>

export const vehicleCounters = z.object({
  readAt: isoTime,
  global: z.array(
    z.object({ counter: z.string(), value: z.number(), unit: counterUnit.nullable(), settable: z.boolean() })
  ),
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
  at: isoTime,
  /** By the gateway's clock; null when unknown. */
  arrivedAt: isoTime.nullable(),
  delayS: z.number().nullable(),
  /** The event in words, the movement, the people and assets, and how the event arrived. */
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
  /** Null when the gateway has none. */
  name: z.string().nullable(),
  visibility: z.string(),
  shape: z.discriminatedUnion('type', [
    z.object({ type: z.literal('Polygon'), rings: z.array(z.array(z.tuple([z.number(), z.number()]))) }),
    z.object({ type: z.literal('Circle'), center: z.tuple([z.number(), z.number()]), radiusM: z.number() }),
    z.object({ type: z.literal('LineString'), points: z.array(z.tuple([z.number(), z.number()])), radiusM: z.number() })
  ]),
  /** Whether the vehicle's last position is inside; null without a position. */
  inside: z.boolean().nullable()
})
export type Fence = z.infer<typeof fence>

const vehicleId = z.number().int().nonnegative()

export const vehiclesCalls = defineCalls({
  'vehicles.copy': { input: nothing, output: vehicleCopy },
  /**
   * Starts a pass through all pages in the background, from where an earlier one stopped; events report the progress.
   */
  'vehicles.refresh': { input: nothing, output: vehicleCopy },
  /**
   * While somebody looks at the states of vehicles: reads the devices again if their states are older than five minutes,
   * in the background.
   */
  'vehicles.refreshStates': { input: nothing, output: vehicleCopy },
  'vehicles.stopRefresh': { input: nothing, output: vehicleCopy },
  /** Searches the local copy, also offline: words of any text or `info` value; `key:value` for one key. */
  'vehicles.search': {
    input: z.strictObject({
      text: z.string().max(200),
      /** Without words: null for the vehicles that need attention, or all when none does. */
      filter: vehicleFilter.nullable().default('all'),
      group: vehicleId.nullable().default(null),
      /** Without words: the page after this vehicle. A search has only one page. */
      after: vehicleId.optional(),
      limit: z.number().int().min(1).max(200).default(50)
    }),
    output: z.object({
      vehicles: z.array(vehicleLine),
      more: z.boolean(),
      copy: vehicleCopy,
      /** In the order of `vehicles`. */
      states: z.array(vehicleState),
      filter: vehicleFilter,
      /** How many vehicles of the group each filter has; null while the copy does not have the state of any device. */
      counts: z.record(vehicleFilter, z.number()).nullable(),
      fleet: fleetKnowledge,
      /** The groups of the vehicles; a name is null when the gateway does not show it. */
      groups: z.array(z.object({ id: z.number(), name: z.string().nullable() })),
      /** What was found instead, because nothing has exactly the words; null when they were found. */
      instead: z.string().nullable()
    })
  },
  /** Every vehicle that the search or the filter has at this moment, in the same order; `instead` as in a search. */
  'vehicles.ids': {
    input: z.strictObject({
      text: z.string().max(200),
      filter: vehicleFilter.default('all'),
      group: vehicleId.nullable().default(null)
    }),
    output: z.object({ ids: z.array(vehicleId), instead: z.string().nullable() })
  },
  /** These vehicles as the local copy has them now; those that it no longer has are left out. */
  'vehicles.lines': {
    input: z.strictObject({ ids: z.array(vehicleId).min(1).max(200) }),
    output: z.object({
      vehicles: z.array(vehicleLine),
      /** In the order of `vehicles`. */
      states: z.array(vehicleState)
    })
  },
  /** The silent vehicles of the local copy, the longest first. Their state is as old as the copy. */
  'vehicles.silent': {
    input: z.strictObject({
      span: silentSpan.default('all'),
      after: vehicleId.optional(),
      limit: z.number().int().min(1).max(200).default(100)
    }),
    output: z.object({
      vehicles: z.array(vehicleLine),
      more: z.boolean(),
      copy: vehicleCopy,
      /** In the order of `vehicles`. */
      states: z.array(vehicleState),
      /** Null while the copy does not have the state of any device. */
      counts: z.record(silentSpan, z.number()).nullable(),
      fleet: fleetKnowledge,
      groups: z.array(z.object({ id: z.number(), name: z.string().nullable() }))
    })
  },
  /** Whether the devices of these vehicles report, in one request: for the visible rows. */
  'vehicles.standings': {
    input: z.strictObject({ ids: z.array(vehicleId).min(1).max(100) }),
    output: z.object({
      /**
       * Vehicles that the gateway does not show are left out; `lastReportedAt` null: no device, or the gateway
       * does not show when it reported.
       */
      standings: z.array(
        z.object({
          id: z.number(),
          lastReportedAt: isoTime.nullable(),
          isOnline: z.boolean().nullable(),
          /** With what the copy knew before; as of now. */
          state: vehicleState.optional()
        })
      ),
      readAt: isoTime
    })
  },
  /** Names of the assets in a history; unreadable ones are left out. */
  'vehicles.assets': {
    input: z.strictObject({ ids: z.array(vehicleId).min(1).max(12) }),
    output: z.object({ assets: z.array(z.object({ id: z.number(), name: z.string(), type: z.string().nullable() })) })
  },
  /** The number of reports of the vehicle on each day (UTC). A long period is a background job at the gateway. */
  'vehicles.reports': {
    input: z.strictObject({
      id: vehicleId,
      from: z.string().regex(/^\d{4}-\d\d-\d\d$/),
      to: z.string().regex(/^\d{4}-\d\d-\d\d$/)
    }),
    output: z.object({ days: z.array(z.object({ day: z.string(), reports: z.number() })), readAt: isoTime })
  },
  /**
   * Signal, satellites and delay of each day (UTC) as medians, in one question that the gateway answers in the
   * background.
   */
  'vehicles.signalWeeks': {
    input: z.strictObject({ id: vehicleId, weeks: z.number().int().min(1).max(26) }),
    output: z.object({ days: z.array(signalDay), readAt: isoTime })
  },
  /**
   * The same of other vehicles of this account, to compare with. Makes one question to the gateway, in the background.
   */
  'vehicles.signalGroup': {
    input: z.strictObject({
      id: vehicleId,
      weeks: z.number().int().min(1).max(26),
      groupId: z.number().int().nullable().default(null)
    }),
    output: z.object({
      /** The groups of the local copy with other vehicles to compare with, those of this vehicle first. */
      groups: z.array(z.object({ id: z.number(), name: z.string().nullable(), isOwn: z.boolean() })),
      /**
       * The place of this vehicle among all that have the value, by the medians of the last seven days; 1 is the best.
       * Null: it has none, or too few have one.
       */
      places: z.object({
        signalDbm: signalPlace.nullable(),
        satellites: signalPlace.nullable(),
        delayS: signalPlace.nullable(),
        reports: signalPlace.nullable()
      }),
      /** Empty while too few vehicles have data. */
      days: z.array(signalGroupDay),
      /** The other vehicles with data, and the least number for a comparison. */
      withData: z.number(),
      least: z.number(),
      /** Those with the weakest signal in the last seven days, the weakest first. */
      weakest: z.array(
        z.object({ id: z.number(), name: z.string(), plate: z.string().nullable(), signalDbm: z.number() })
      ),
      readAt: isoTime
    })
  },
  'vehicles.show': { input: z.strictObject({ id: vehicleId }), output: vehicleSheet },
  'vehicles.counters': { input: z.strictObject({ id: vehicleId }), output: vehicleCounters },
  /** Becomes an operation: `accepted` until a device report shows the value. */
  'vehicles.setCounter': {
    input: z.strictObject({
      id: vehicleId,
      counter: z.string().regex(/^[a-z0-9_]{1,40}$/),
      value: z.number().nonnegative()
    }),
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
    input: z.strictObject({
      id: vehicleId,
      hours: z.number().int().min(1).max(168).default(24),
      limit: z.number().int().min(1).max(200).default(40),
      isRefresh
    }),
    output: z.object({
      events: z.array(vehicleEvent),
      readAt: isoTime,
      /** How the vehicle stands with these events; missing while the copy does not have it. */
      state: vehicleState.optional()
    })
  },
  'vehicles.fences': {
    input: z.strictObject({
      latitude: z.number().min(-90).max(90).nullable(),
      longitude: z.number().min(-180).max(180).nullable()
    }),
    /** copy: the gateway could not be reached; they are from `readAt`, null when the copy does not know. */
    output: z.object({
      fences: z.array(fence),
      complete: z.boolean(),
      problems: z.array(messageSchema),
      source: z.enum(['gateway', 'copy']),
      readAt: isoTime.nullable()
    })
  },
  /**
   * Links a trailer or a driver to the vehicle; becomes an operation. `copiedAt`: the asset was chosen from the local
   * copy.
   */
  'vehicles.link': {
    input: z.strictObject({
      id: vehicleId,
      name: z.string().max(200),
      assetId: vehicleId,
      assetName: z.string().max(200),
      copiedAt: isoTime.nullable().default(null)
    }),
    output: z.object({ operationId: z.string() })
  },
  /**
   * Assigns this device to the vehicle: `{device}` alone, once; the body is not documented. `confirmed`: the person
   * knows this.
   */
  'vehicles.assignDevice': {
    input: z.strictObject({ id: vehicleId, imei: imeiDigits, confirmed: z.literal(true) }),
    output: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('assigned'), detail: messageSchema }),
      /** Assigned, but another field has changed. */
      z.object({
        kind: z.literal('changedMore'),
        detail: messageSchema,
        fields: z.array(z.object({ field: z.string(), before: json, after: json }))
      }),
      /** Refused, or without effect: a note for the gateway administrator was added to the operations. */
      z.object({ kind: z.literal('notAssigned'), detail: messageSchema, operationId: z.string() }),
      z.object({ kind: z.literal('unknown'), detail: messageSchema, operationId: z.string() })
    ])
  }
})
