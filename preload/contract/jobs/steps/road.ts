import { z } from 'zod'

/** The settings of the steps about a drive, and about removing or exchanging a device, by kind. */
export const roadSettings = {
  testTrip: z.strictObject({
    /** The required distance and time of the trip, if they differ from the profile. */
    minKm: z.number().min(0).max(500).optional(),
    minMinutes: z.number().min(0).max(240).optional()
  }),
  /** The gateway shows the device in no vehicle. */
  removed: z.object({}),
  /** This device has replaced another one, including its counters. */
  swapped: z.object({})
}
