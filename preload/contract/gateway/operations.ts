import { z } from 'zod'
import { defineCalls, isoTime, jobId, json, nothing } from '../define.ts'
import { entityChoice } from './gateway.ts'
import { messageSchema } from '../base/messageSchema.ts'

export const operationState = z.enum([
  'draft',
  'blocked',
  'pending',
  'sending',
  'unknown',
  'verifying',
  'accepted',
  'done',
  'failed',
  'needsAttention',
  'cancelled',
  'expired',
  'superseded',
  /** Handed over with its job: this computer sends nothing more of it. */
  'moved'
])
export type OperationState = z.infer<typeof operationState>

/** Gateway work in a list: without requests and answers. */
export const operationLine = z.object({
  id: z.string(),
  sequence: z.number(),
  kind: z.string(),
  /** What it changes, e.g. `vehicle:12`: one at a time per key. */
  key: z.string(),
  state: operationState,
  attempts: z.number(),
  createdAt: isoTime,
  updatedAt: isoTime,
  reason: messageSchema,
  jobId: z.string().nullable(),
  title: messageSchema,
  /** The number of pieces of evidence; `operations.show` returns them. */
  evidenceCount: z.number(),
  /** If a typed name is ambiguous: the records that may be meant. */
  choices: z.array(entityChoice)
})
export type OperationLine = z.infer<typeof operationLine>

export const operation = operationLine.extend({
  payload: json,
  evidence: z.array(z.object({ at: isoTime, what: messageSchema, raw: json })),
  /** Each attempt to send it: its result in words, and as it was logged. */
  tries: z.array(
    z.object({
      number: z.number(),
      startedAt: isoTime,
      what: messageSchema,
      by: z.string(),
      outcome: z.string().nullable()
    })
  )
})
export type Operation = z.infer<typeof operation>

export const syncResult = z.object({
  done: z.number(),
  waiting: z.number(),
  needsAttention: z.number(),
  failed: z.number()
})
export type SyncResult = z.infer<typeof syncResult>

const decision = z.strictObject({ id: z.string().min(1).max(40), reason: z.string().trim().min(3).max(500) })

export const operationsCalls = defineCalls({
  /** Newest first. `before`: continues after the operation with this sequence number. */
  'operations.list': {
    input: z.strictObject({
      scope: z.enum(['open', 'ended']).default('open'),
      before: z.number().int().nullable().default(null),
      limit: z.number().int().min(1).max(200).default(100)
    }),
    output: z.object({ operations: z.array(operationLine), more: z.boolean(), counts: syncResult })
  },
  /** All work of a job, oldest first. */
  'operations.ofJob': { input: z.strictObject({ jobId }), output: z.object({ operations: z.array(operationLine) }) },
  'operations.show': { input: z.strictObject({ id: z.string().min(1).max(40) }), output: operation },
  'operations.sync': { input: nothing, output: syncResult },
  /** "Send again": only from needsAttention or failed. */
  'operations.retry': { input: decision, output: nothing },
  /** "Discard": the effect is no longer wanted. */
  'operations.drop': { input: decision, output: nothing },
  /** "Mark as done": only from needsAttention. */
  'operations.close': { input: decision, output: nothing },
  /** Chooses the record for an ambiguous name, one of its `choices`. The operation stays before later work. */
  'operations.choose': {
    input: z.strictObject({ id: z.string().min(1).max(40), entityId: z.number().int().nonnegative() }),
    output: nothing
  }
})
