import { z } from 'zod'
import { defineCalls, isoTime } from '../define.ts'
import { knownDevice } from '../device/discovery.ts'
import { listedJob } from '../job/jobs.ts'
import { vehicleLine, vehicleState } from '../gateway/vehicles/vehicles.ts'

export const findCalls = defineCalls({
  /** Finds local data by words, the best matches of each kind. It makes no requests, so it answers at once. */
  'find.kept': {
    input: z.strictObject({
      text: z.string().trim().min(1).max(200),
      limit: z.number().int().min(1).max(20).default(6)
    }),
    output: z.object({
      /** `n`: number of matches; with `isMore`, at least that many. `total`: number of all. */
      jobs: z.object({
        found: z.array(listedJob),
        n: z.number(),
        isMore: z.boolean(),
        total: z.number(),
        isSimilar: z.boolean()
      }),
      vehicles: z.object({
        found: z.array(vehicleLine),
        /** How each of them stood when its device was copied. */ states: z.array(vehicleState),
        isMore: z.boolean(),
        total: z.number(),
        copiedAt: isoTime.nullable(),
        /** What was found instead, because nothing has exactly the words. */ instead: z.string().nullable()
      }),
      devices: z.object({ found: z.array(knownDevice), n: z.number(), total: z.number() })
    })
  }
})
