import { z } from 'zod'
import { isoTime, json } from '../define.ts'
import { lineChange } from '../device/lines.ts'
import { messageSchema } from '../messageSchema.ts'
import { liveOperation, liveReading } from '../device/workspace.ts'

/** What was seen, with when it was read on our clock; null: not asked, or no answer yet. */
function kept<T extends z.ZodType>(value: T) {
  return z.object({ value, readAt: isoTime }).nullable()
}

/** An event as the gateway has it. Times in epoch ms: `eventAtMs` by the device's clock, `arrivedAtMs` by the gateway's. */
export const gatewayEvent = z.object({
  /** Null where it does not say, and where the device did not know the time (GPS time 0). */
  eventAtMs: z.number().nullable(),
  arrivedAtMs: z.number().nullable(),
  /** 10, 11 position; 12 metrics; 13 kept and sent later; 20 without GPS; 100, 110, 111 about the connection; 301 twice. */
  type: z.number().nullable(),
  label: z.string().nullable(),
  /** Which device sent it. */
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
  raw: json
})
export type SeenEvent = z.infer<typeof gatewayEvent>

/**
 * answers: it was read. asking: no answer yet. away: nobody answers, or something else than a device. another: another
 * device answers at its address; nothing of it is here. locked: it wants a password.
 */
export const deviceEvidence = z.object({
  state: z.enum(['answers', 'asking', 'away', 'another', 'locked']),
  why: messageSchema.nullable(),
  /** `host:port` as it was asked. */
  host: z.string(),
  readings: z.partialRecord(liveOperation, liveReading),
  /** What its lines did in the last minutes: a drop that one reading does not show. */
  lately: z.object({ sinceAt: isoTime, lines: z.array(z.object({ name: z.string(), changes: z.array(lineChange) })) }).nullable()
})
export type DeviceEvidence = z.infer<typeof deviceEvidence>

/** What is asked of the gateway, one by one. */
export const gatewayParts = ['user', 'vehicle', 'record', 'sim', 'lines', 'engineBus', 'distance', 'events'] as const
export type GatewayPart = (typeof gatewayParts)[number]

/**
 * asking: no answer yet. away, signedOut: it could not be asked; what it said before stays, with its age. notShown: it
 * shows neither this device nor this vehicle (not found or not permitted; the API does not tell them apart).
 */
export const gatewayEvidence = z.object({
  state: z.enum(['answers', 'asking', 'away', 'signedOut', 'notShown']),
  why: messageSchema.nullable(),
  /** Its clock against ours. */
  aheadS: z.number().nullable(),
  user: kept(
    z.object({
      name: z.string(),
      isStaff: z.boolean(),
      /** Scope to `r` or `w`; null where it does not say. */
      scopes: z.record(z.string(), z.string()).nullable(),
      groups: z.array(z.number()).nullable()
    })
  ),
  /** The vehicle of the subject, or the one that the gateway shows with this device; null in it: it shows none. */
  vehicle: kept(
    z
      .object({
        id: z.number(),
        name: z.string(),
        plate: z.string().nullable(),
        groups: z.array(z.number()).nullable(),
        /** The device in it now. */
        imei: z.string().nullable()
      })
      .nullable()
  ),
  /** Another vehicle that carries this device, where one was looked for. */
  elsewhere: kept(z.object({ id: z.number(), name: z.string(), plate: z.string().nullable() }).nullable()),
  /** Which devices the vehicle had, the newest first; empty where the record does not say. */
  stays: z.array(z.object({ imei: z.string(), fromAt: isoTime.nullable(), untilAt: isoTime.nullable() })),
  /** Its record of the device; null in it: it shows none. */
  record: kept(z.object({ imei: z.string().nullable(), simIds: z.array(z.string()), raw: json }).nullable()),
  /** Its record of the SIM that is in the device. */
  sim: kept(z.object({ raw: json }).nullable()),
  lines: kept(z.object({ values: z.record(z.string(), z.boolean()), /** Epoch ms by its clock. */ atMs: z.number().nullable(), raw: json }).nullable()),
  engineBus: kept(
    z
      .object({
        isDetected: z.boolean().nullable(),
        isEngineOn: z.boolean().nullable(),
        protocol: z.string().nullable(),
        firmware: z.string().nullable(),
        atMs: z.number().nullable(),
        /** Where it is not detected: the newest event of the last day in which it was, epoch ms. */
        lastThereAtMs: z.number().nullish(),
        raw: json
      })
      .nullable()
  ),
  /** On the device's counter of the vehicle, in metres. */
  distanceM: kept(z.number().nullable()),
  /** Newest arrival first, at most 200; of the vehicle, whichever device sent them, or without one of the device. */
  events: kept(z.array(gatewayEvent)),
  /** How far back they were looked for, where none came. */
  eventsSinceAt: isoTime.nullable(),
  /** What it would not tell, and why. */
  refused: z.partialRecord(z.enum(gatewayParts), z.object({ status: z.number().nullable(), why: messageSchema }))
})
export type GatewayEvidence = z.infer<typeof gatewayEvidence>

/** What it should be, from an order, a job or an earlier snapshot; `from` says which. */
export const expectedEvidence = z.object({ apn: z.string().nullable(), simId: z.string().nullable(), from: messageSchema.nullable() })

/**
 * Everything that was seen of one vehicle at one moment, as data. The chain, the findings and the table are pure functions
 * of it: live, of a snapshot, of a bundle and in a replay they are the same code. It holds no secret.
 */
export const evidence = z.object({
  /** When it was put together, on our clock. */
  at: isoTime,
  imei: z.string().nullable(),
  /** What a person asked for by words, where they asked for a vehicle. */
  vehicleText: z.string().nullable(),
  /** Null: no device was asked. */
  device: deviceEvidence.nullable(),
  /** Null: no gateway was asked. */
  gateway: gatewayEvidence.nullable(),
  expected: expectedEvidence
})
export type Evidence = z.infer<typeof evidence>
