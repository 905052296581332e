import { z } from 'zod'

/** What the steps that see a vehicle through a drive, or a device out of it, may be told, by kind. */
export const roadSettings = {
  testTrip: z.strictObject({
    /** How far and how long the trip has to be, where the checklist wants another one than the profile. */
    minKm: z.number().min(0).max(500).optional(),
    minMinutes: z.number().min(0).max(240).optional()
  }),
  /** The device is gone from its vehicle at the gateway. */
  removed: z.object({}),
  /** This device has taken the place of another one, counters and all. */
  swapped: z.object({})
}
