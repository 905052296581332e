import { z } from 'zod'
import { defineCalls, isoTime, isRefresh } from '../../define.ts'
import { messageSchema } from '../../base/messageSchema.ts'

/**
 * A position at the gateway: epoch ms by the device's clock, WGS-84, km/h, seconds to the gateway; `true` after a gap.
 */
export const roadPoint = z.tuple([
  z.number(),
  z.number(),
  z.number(),
  z.number().nullable(),
  z.number().nullable(),
  z.boolean()
])
export type RoadPoint = z.infer<typeof roadPoint>

/** A trip or a stop at the gateway; times by its records, without an end if it has no duration. */
export const roadTrip = z.object({
  kind: z.enum(['trip', 'stop', 'unknown']),
  fromMs: z.number(),
  untilMs: z.number().nullable(),
  distanceM: z.number().nullable(),
  meanSpeedKmh: z.number().nullable()
})
export type RoadTrip = z.infer<typeof roadTrip>

export const vehicleRoad = z.object({
  /** Events with a valid position, oldest first; thinned where there are thousands. */
  points: z.array(roadPoint),
  events: z.number(),
  trips: z.array(roadTrip),
  /** What could not be read or was left out. */
  problems: z.array(messageSchema),
  readAt: isoTime
})
export type VehicleRoad = z.infer<typeof vehicleRoad>

export const vehicleRoadCalls = defineCalls({
  /** The positions of a vehicle at the gateway in a period of at most 31 days, and its trips there. */
  'vehicles.road': {
    input: z.strictObject({
      id: z.number().int().nonnegative(),
      fromMs: z.number().nonnegative(),
      untilMs: z.number().nonnegative(),
      isRefresh
    }),
    output: vehicleRoad
  }
})
