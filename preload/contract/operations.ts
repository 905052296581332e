import { z } from 'zod'
import { defineCalls, isoTime, json, nothing } from './define.ts'

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
  'superseded'
])
export type OperationState = z.infer<typeof operationState>

export const operation = z.object({
  id: z.string(),
  kind: z.string(),
  /** What it works on, e.g. `vehicle:12`: one at a time per key. */
  key: z.string(),
  state: operationState,
  attempts: z.number(),
  createdAt: isoTime,
  updatedAt: isoTime,
  /** Why it is where it is, in one sentence. */
  reason: z.string(),
  jobId: z.string().nullable(),
  /** What it is meant to do, in one sentence. */
  title: z.string(),
  payload: json,
  evidence: z.array(z.object({ at: isoTime, what: z.string(), raw: json }))
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
  'operations.list': { input: nothing, output: z.object({ operations: z.array(operation) }) },
  'operations.sync': { input: nothing, output: syncResult },
  /** "Send again": only from needsAttention or failed. */
  'operations.retry': { input: decision, output: nothing },
  /** "Drop": the effect is no longer wanted. */
  'operations.drop': { input: decision, output: nothing },
  /** "It is there: close it": only from needsAttention. */
  'operations.close': { input: decision, output: nothing }
})
