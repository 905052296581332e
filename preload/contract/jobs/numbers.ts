import { z } from 'zod'
import { defineCalls, isoTime } from '../define.ts'
import { messageSchema } from '../messageSchema.ts'

/** Which of the work is meant; all of it when it is empty. */
export const numbersFilter = z.strictObject({
  /** Jobs that ended at this time or later. */
  from: isoTime.optional(),
  technician: z.string().max(200).optional(),
  template: z.string().max(200).optional(),
  model: z.string().max(200).optional()
})
export type NumbersFilter = z.infer<typeof numbersFilter>

const count = z.number().int().nonnegative()

/** By what work is told apart. */
export const numbersGroup = z.enum(['template', 'technician', 'model'])
export type NumbersGroup = z.infer<typeof numbersGroup>

/** What the work took, from the log of this computer alone. */
export const workNumbers = z.object({
  jobs: count,
  /** Every step done at its first attempt, and none skipped. */
  firstTimeJobs: count,
  /** Half of the jobs took no longer; null without jobs. */
  middleMs: z.number().nullable(),
  /** The kinds of steps, those first that take the most time in all. */
  steps: z.array(z.object({ kind: z.string(), name: messageSchema, runs: count, averageMs: z.number(), firstTime: count, failures: count, waived: count })),
  groups: z.array(
    z.object({
      by: numbersGroup,
      value: z.string(),
      name: messageSchema,
      jobs: count,
      firstTimeJobs: count,
      averageMs: z.number(),
      /** What fails most often here; null where nothing failed. */
      commonest: z.object({ step: messageSchema, sentence: messageSchema, jobs: count }).nullable()
    })
  ),
  /** Jobs from before numbers were kept that are still being taken up: how far that is. */
  building: z.object({ done: count, total: count }).nullable()
})
export type WorkNumbers = z.infer<typeof workNumbers>

export const numbersCalls = defineCalls({
  /** Added up in a thread of its own. */
  'numbers.work': { input: z.strictObject({ filter: numbersFilter }), output: workNumbers },
  /** The same as a table for a spreadsheet. */
  'numbers.table': { input: z.strictObject({ filter: numbersFilter }), output: z.object({ fileName: z.string(), mediaType: z.string(), base64: z.string() }) }
})
