import { z } from 'zod'
import { count, defineCalls, filePiece, isoTime, jobId, nothing } from '../define.ts'
import { jobState } from './jobs.ts'
import { messageSchema, storedMessage } from '../base/messageSchema.ts'
import { operationState } from '../gateway/operations.ts'

const work = z.object({ id: z.string(), title: messageSchema, state: operationState })

/** What goes along when jobs are handed over. */
export const transferPlan = z.object({
  jobs: count,
  /** Gateway work that has not ended. */
  operations: z.array(work),
  attachments: count,
  pictureBytes: count,
  /** Pictures that cannot be read on this computer. */
  leftOut: count
})
export type TransferPlan = z.infer<typeof transferPlan>

export const taken = z.object({
  id: z.string(),
  /** taken: it is worked on here now. alreadyHere: nothing to do. takenBack: it had been handed over from here. */
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

const given = z.object({
  id: z.string(),
  fileName: z.string(),
  bytes: count,
  jobs: z.array(z.string()),
  operations: count,
  attachments: count,
  leftOut: count,
  isAgain: z.boolean()
})
const upload = z.string().min(8).max(40)

export const transfersCalls = defineCalls({
  /** What goes along with these jobs; fails with the reason if they cannot leave. */
  'transfers.plan': { input: z.strictObject({ jobIds: z.array(jobId).min(1).max(100) }), output: transferPlan },
  /** Hands jobs over, or recreates the file of jobs that have left. `transfers.part` returns the file. */
  'transfers.give': {
    input: z.strictObject({ jobIds: z.array(jobId).min(1).max(100), to: z.string().trim().max(200) }),
    output: given
  },
  /** A piece of the file from this byte; `next` is null at its end. */
  'transfers.part': { input: z.strictObject({ id: jobId, from: count }), output: filePiece },
  /** Removes a downloaded file, or an uploaded one that is not wanted. It can be created again. */
  'transfers.end': { input: z.strictObject({ id: z.string().min(1).max(40) }), output: nothing },
  /** Uploads a file from another laptop, piece by piece; the last piece returns its contents. */
  'transfers.add': {
    input: z.strictObject({
      upload,
      totalBytes: z.number().int().min(1),
      from: count,
      base64: z.string().min(4).max(700_000)
    }),
    output: z.discriminatedUnion('outcome', [
      z.object({ outcome: z.literal('more') }),
      z.object({ outcome: z.literal('whole'), holds: taken })
    ])
  },
  /** Imports the file that `transfers.add` uploaded. */
  'transfers.take': { input: z.strictObject({ upload }), output: taken },
  'transfers.takeBack': { input: z.strictObject({ jobId, reason: z.string().trim().min(3).max(500) }), output: taken }
})
