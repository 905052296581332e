import { z } from 'zod'
import { count, defineCalls, isoTime, wholeFile } from '../define.ts'
import { messageSchema } from '../base/messageSchema.ts'

/** A filter of the work; all of it when it is empty. */
export const numbersFilter = z.strictObject({
  from: isoTime.optional(),
  technician: z.string().max(200).optional(),
  template: z.string().max(200).optional(),
  model: z.string().max(200).optional()
})
export type NumbersFilter = z.infer<typeof numbersFilter>

export const numbersGroup = z.enum(['template', 'technician', 'model'])
export type NumbersGroup = z.infer<typeof numbersGroup>

export const workNumbers = z.object({
  jobs: count,
  /** Every step passed at its first attempt, and none was skipped. */
  firstTimeJobs: count,
  /** The median; null without jobs. */
  middleMs: z.number().nullable(),
  /** The kinds of steps, those with the longest total time first. */
  steps: z.array(
    z.object({
      kind: z.string(),
      name: messageSchema,
      runs: count,
      averageMs: z.number(),
      firstTime: count,
      failures: count,
      waived: count,
      /** The median, and the middle 80 % of the runs. */
      middleMs: z.number(),
      lowMs: z.number(),
      highMs: z.number()
    })
  ),
  /** What steps failed with, the most frequent first; those that are not listed are only in `failedSteps`. */
  causes: z.array(z.object({ step: messageSchema, sentence: messageSchema, steps: count })),
  failedSteps: count,
  /** Months (UTC, as `2026-03`) in which jobs ended, oldest first. */
  months: z.array(z.object({ month: z.string(), jobs: count, firstTimeJobs: count })),
  /** Ended jobs of the filter whose logs contain no steps. */
  uncounted: count,
  groups: z.array(
    z.object({
      by: numbersGroup,
      value: z.string(),
      name: messageSchema,
      jobs: count,
      firstTimeJobs: count,
      averageMs: z.number(),
      steps: count,
      waived: count,
      /** The most frequent failure; null when nothing failed. */
      commonest: z.object({ step: messageSchema, sentence: messageSchema, jobs: count }).nullable()
    })
  ),
  /** The progress of adding jobs from before these statistics existed. */
  building: z.object({ done: count, total: count }).nullable()
})
export type WorkNumbers = z.infer<typeof workNumbers>

export const numbersCalls = defineCalls({
  'numbers.work': { input: z.strictObject({ filter: numbersFilter }), output: workNumbers },
  'numbers.table': { input: z.strictObject({ filter: numbersFilter }), output: wholeFile }
})
