import { z } from 'zod'
import { isoTime, json } from '../define.ts'
import { lineChange } from '../device/lines.ts'
import { messageSchema } from '../base/messageSchema.ts'
import { liveOperation, liveReading } from '../device/workspace.ts'

/** A reading with its time on our clock; null: not asked, or no answer yet. */
function kept<T extends z.ZodType>(value: T) {
  return z.object({ value, readAt: isoTime }).nullable()
}

/** An event at the gateway. Times in epoch ms: `eventAtMs` by the device's clock, `arrivedAtMs` by the gateway's. */
export const gatewayEvent = z.object({
  /** Null when the gateway does not report it, or when the device did not know the time (GPS time 0). */
  eventAtMs: z.number().nullable(),
  arrivedAtMs: z.number().nullable(),
  /** 10, 11 position; 12 metrics; 13 sent later; 20 without GPS; 100, 110, 111 connection; 301 duplicate. */
  type: z.number().nullable(),
  label: z.string().nullable(),
  imei: z.string().nullable(),
  vehicleId: z.number().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  isPositionValid: z.boolean().nullable(),
  speedKmh: z.number().nullable(),
  headingDeg: z.number().nullable(),
  satellites: z.number().nullable(),
  hdop: z.number().nullable(),
  signalDbm: z.number().nullable(),
  /** External power, by a field or by the kind of event; null where the event does not tell. */
  hasPower: z.boolean().nullish(),
  raw: json
})
export type SeenEvent = z.infer<typeof gatewayEvent>

/**
 * away: nothing answers, or no device. another: not this device; none of its readings are included. locked: needs a
 * password.
 */
export const deviceEvidence = z.object({
  state: z.enum(['answers', 'asking', 'away', 'another', 'locked']),
  why: messageSchema.nullable(),
  /** The `host:port` that was asked. */
  host: z.string(),
  readings: z.partialRecord(liveOperation, liveReading),
  /** The changes of its lines in the last minutes: they show a drop that a single reading misses. */
  lately: z
    .object({ sinceAt: isoTime, lines: z.array(z.object({ name: z.string(), changes: z.array(lineChange) })) })
    .nullable()
})
export type DeviceEvidence = z.infer<typeof deviceEvidence>

export const gatewayParts = [
  'user',
  'vehicle',
  'record',
  'sim',
  'lines',
  'engineBus',
  'distance',
  'restingOn',
  'events'
] as const
export type GatewayPart = (typeof gatewayParts)[number]

/** Why the gateway could not be asked: each has another headline and another next action. */
export const gatewayTrouble = z.enum(['account', 'notFound', 'limit', 'failing', 'page', 'silent'])
export type GatewayTrouble = z.infer<typeof gatewayTrouble>

/** away, signedOut: could not be asked; its last answer stays, with its age. notShown: not found or not permitted. */
export const gatewayEvidence = z.object({
  state: z.enum(['answers', 'asking', 'away', 'signedOut', 'notShown']),
  why: messageSchema.nullable(),
  /** account: the gateway does not accept it any more, so it is not asked until a person signs in again. */
  trouble: gatewayTrouble.nullish(),
  /** The account that it is asked with. */
  username: z.string().nullish(),
  aheadS: z.number().nullable(),
  user: kept(
    z.object({
      name: z.string(),
      isStaff: z.boolean(),
      /** Scope to `r` or `w`; null when the gateway does not report it. */
      scopes: z.record(z.string(), z.string()).nullable(),
      groups: z.array(z.number()).nullable()
    })
  ),
  /**
   * The vehicle of the subject, or the one that the gateway shows with this device; its value is null when there is
   * none.
   */
  vehicle: kept(
    z
      .object({
        id: z.number(),
        name: z.string(),
        plate: z.string().nullable(),
        groups: z.array(z.number()).nullable(),
        imei: z.string().nullable()
      })
      .nullable()
  ),
  elsewhere: kept(z.object({ id: z.number(), name: z.string(), plate: z.string().nullable() }).nullable()),
  /** The devices of the vehicle, newest first; empty when the record does not contain them. */
  stays: z.array(z.object({ imei: z.string(), fromAt: isoTime.nullable(), untilAt: isoTime.nullable() })),
  /** The gateway's record of the device; its value is null when there is none. */
  record: kept(z.object({ imei: z.string().nullable(), simIds: z.array(z.string()), raw: json }).nullable()),
  sim: kept(z.object({ raw: json }).nullable()),
  lines: kept(
    z
      .object({
        values: z.record(z.string(), z.boolean()),
        /** Epoch ms by its clock. */ atMs: z.number().nullable(),
        raw: json
      })
      .nullable()
  ),
  engineBus: kept(
    z
      .object({
        isDetected: z.boolean().nullable(),
        isEngineOn: z.boolean().nullable(),
        protocol: z.string().nullable(),
        firmware: z.string().nullable(),
        atMs: z.number().nullable(),
        /** If it is not detected: the newest event of the last day in which it was, epoch ms. */
        lastThereAtMs: z.number().nullish(),
        raw: json
      })
      .nullable()
  ),
  /**
   * Since when the ignition has been on in each event of the last day, none of which moved, epoch ms; its value is null
   * when it was off or moved.
   */
  restingOn: kept(z.number().nullable()).optional(),
  /** On the device counter of the vehicle, in metres. */
  distanceM: kept(z.number().nullable()),
  /**
   * Newest arrival first, at most 200: of the vehicle, whichever device sent them, or of the device if there is no
   * vehicle.
   */
  events: kept(z.array(gatewayEvent)),
  /** Older ones, newest first, read only where all of the latest have a condition: they show when it began. */
  earlier: z.array(gatewayEvent).optional(),
  /** The period that was searched when there were no events. */
  eventsSinceAt: isoTime.nullable(),
  refused: z.partialRecord(z.enum(gatewayParts), z.object({ status: z.number().nullable(), why: messageSchema }))
})
export type GatewayEvidence = z.infer<typeof gatewayEvidence>

/** The usual seconds between two reports, by whether the vehicle was driving. */
const rhythmOfStates = z.object({
  driving: z.number().nullable(),
  parked: z.number().nullable(),
  unknown: z.number().nullable()
})

/** The expected values, from an order, a job or an earlier snapshot; `from` names the source. */
export const expectedEvidence = z.object({
  apn: z.string().nullable(),
  simId: z.string().nullable(),
  from: messageSchema.nullable()
})

/**
 * Everything known about one vehicle at one moment, without secrets. Chain, findings and table are pure functions of
 * it.
 */
export const evidence = z.object({
  at: isoTime,
  imei: z.string().nullable(),
  vehicleText: z.string().nullable(),
  device: deviceEvidence.nullable(),
  /** Null: no gateway was asked. */
  gateway: gatewayEvidence.nullable(),
  expected: expectedEvidence,
  /** The rhythm of its reports that the local copy knows. */
  rhythm: rhythmOfStates.nullish()
})
export type Evidence = z.infer<typeof evidence>
