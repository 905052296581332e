import { z } from 'zod'
import { defineCalls, isoTime, nothing } from '../define.ts'
import { jobState } from './jobs.ts'
import { messageSchema, storedMessage } from '../messageSchema.ts'
import { operationState } from '../gateway/operations.ts'

const jobId = z.string().min(1).max(40)
const count = z.number().int().nonnegative()
const work = z.object({ id: z.string(), title: messageSchema, state: operationState })

/** What would go along with jobs that are handed over. */
export const transferPlan = z.object({
  jobs: count,
  /** Gateway work that has not ended. */
  operations: z.array(work),
  attachments: count,
  pictureBytes: count,
  /** Pictures that cannot be read here. */
  leftOut: count
})
export type TransferPlan = z.infer<typeof transferPlan>

/** What a file of work holds, and what became of it. */
export const taken = z.object({
  /** Of the handover. */
  id: z.string(),
  /** taken: it is worked on here now. alreadyHere: nothing was to do. takenBack: it had been given away from here. */
  outcome: z.enum(['taken', 'alreadyHere', 'takenBack']),
  from: z.string(),
  to: z.string(),
  at: isoTime,
  jobs: z.array(
    z.object({
      id: z.string(),
      isTaken: z.boolean(),
      template: storedMessage,
      device: z.object({ imei: z.string(), model: z.string(), address: z.string() }),
      vehicle: z.string(),
      customer: z.string(),
      state: jobState
    })
  ),
  operations: z.array(work.extend({ kind: z.string() })),
  attachments: count
})
export type TakeOverResult = z.infer<typeof taken>

const given = z.object({ id: z.string(), fileName: z.string(), bytes: count, jobs: z.array(z.string()), operations: count, attachments: count, leftOut: count, isAgain: z.boolean() })
const upload = z.string().min(8).max(40)

export const transfersCalls = defineCalls({
  /** What would go along with these jobs; fails with what keeps them from leaving. */
  'transfers.plan': { input: z.strictObject({ jobIds: z.array(jobId).min(1).max(100) }), output: transferPlan },
  /** Hands jobs over, or makes the file of jobs that left already again. `transfers.part` gives the file. */
  'transfers.give': { input: z.strictObject({ jobIds: z.array(jobId).min(1).max(100), to: z.string().trim().max(200) }), output: given },
  /** A piece of the file, from this byte on; `next` is null at its end. */
  'transfers.part': { input: z.strictObject({ id: jobId, from: count }), output: z.object({ base64: z.string(), next: count.nullable() }) },
  /** Takes a file away that was fetched, or was given and is not wanted. It can be made again. */
  'transfers.end': { input: z.strictObject({ id: z.string().min(1).max(40) }), output: nothing },
  /** A file from another laptop, piece by piece; the last piece is answered by what it holds. */
  'transfers.add': {
    input: z.strictObject({ upload, totalBytes: z.number().int().min(1), from: count, base64: z.string().min(4).max(700_000) }),
    output: z.discriminatedUnion('outcome', [z.object({ outcome: z.literal('more') }), z.object({ outcome: z.literal('whole'), holds: taken })])
  },
  /** Takes over what was given by `transfers.add`. */
  'transfers.take': { input: z.strictObject({ upload }), output: taken },
  /** Takes back what was handed over, for a reason. */
  'transfers.takeBack': { input: z.strictObject({ jobId, reason: z.string().trim().min(3).max(500) }), output: taken }
})
