import { z } from 'zod'
import { defineCalls, isoTime } from '../define.ts'
import { jobState } from '../jobs/jobs.ts'
import { storedMessage } from '../messageSchema.ts'

/** A job by what people call it: its vehicle, or its checklist while there is none. */
const namedJob = z.object({ jobId: z.string(), name: storedMessage })

/** A stretch of work on a job without a longer rest. */
export const workStretch = namedJob.extend({ from: isoTime, until: isoTime, state: jobState, isActive: z.boolean(), hasSkipped: z.boolean() })
export type WorkStretch = z.infer<typeof workStretch>

export const dayCalls = defineCalls({
  /** What was done since `from` (the beginning of the person's day) and skipped since `weekFrom`, from the log of this computer. */
  'day.work': {
    input: z.strictObject({ from: isoTime, weekFrom: isoTime }),
    output: z.object({
      stretches: z.array(workStretch),
      /** Signed off since `from`. */
      done: z.object({ n: z.number(), withSkipped: z.number(), jobs: z.array(namedJob) }),
      /** Steps skipped in jobs that were worked on since `weekFrom`; the newest by name. */
      skipped: z.object({ steps: z.number(), jobs: z.array(namedJob.extend({ step: storedMessage })) })
    })
  }
})
