import { z } from 'zod'
import { defineCalls, isoTime } from '../define.ts'
import { knownDevice } from '../device/discovery.ts'
import { listedJob } from '../jobs/jobs.ts'
import { vehicleLine } from '../vehicles/vehicles.ts'

export const findCalls = defineCalls({
  /** What is kept on this computer under some words, the best few of each kind; it asks nobody, so it answers at once. */
  'find.kept': {
    input: z.strictObject({ text: z.string().trim().min(1).max(200), limit: z.number().int().min(1).max(20).default(6) }),
    output: z.object({
      /** `n`: how many have these words; with `isMore`, at least so many. `total`: how many there are. */
      jobs: z.object({ found: z.array(listedJob), n: z.number(), isMore: z.boolean(), total: z.number(), isSimilar: z.boolean() }),
      /** Of the copy of the gateway's vehicles, and of when it is. */
      vehicles: z.object({ found: z.array(vehicleLine), isMore: z.boolean(), total: z.number(), copiedAt: isoTime.nullable() }),
      /** Devices known from before, also those that are here now. */
      devices: z.object({ found: z.array(knownDevice), n: z.number(), total: z.number() })
    })
  }
})
