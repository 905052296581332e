import { z } from 'zod'
import { defineCalls, isoTime } from '../define.ts'
import { jobState } from '../job/jobs.ts'
import { storedMessage } from '../base/messageSchema.ts'

/** A job by the name people use: its vehicle, or its checklist while it has none. */
const namedJob = z.object({ jobId: z.string(), name: storedMessage })

/** A period of work on a job without a longer pause. */
export const workStretch = namedJob.extend({
  from: isoTime,
  until: isoTime,
  state: jobState,
  isActive: z.boolean(),
  hasSkipped: z.boolean()
})
export type WorkStretch = z.infer<typeof workStretch>

export const dayCalls = defineCalls({
  /** The work since `from` (the start of the day), and the steps skipped since `weekFrom`, from this computer's log. */
  'day.work': {
    input: z.strictObject({ from: isoTime, weekFrom: isoTime }),
    output: z.object({
      stretches: z.array(workStretch),
      /** Signed off since `from`. */
      done: z.object({ n: z.number(), withSkipped: z.number(), jobs: z.array(namedJob) }),
      /** Steps skipped since `weekFrom`, with the names of the newest. */
      skipped: z.object({ steps: z.number(), jobs: z.array(namedJob.extend({ step: storedMessage })) })
    })
  }
})
