import { z } from 'zod'
import { json, type Json } from '../../../../preload/contract/define.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import { messageSchema, storedMessage } from '../../../../preload/contract/base/messageSchema.ts'
import { operationState, type OperationState } from '../../../../preload/contract/gateway/operations.ts'
import { sha256Hex } from '../../../data/store/jobs/seal.ts'
import type { KeptClaim } from '../../../data/store/work/claims.ts'
import { mayHaveArrived } from '../rows.ts'
import { hasEnded } from '../transitions.ts'

const id = z.string().regex(/^[0-9A-Za-z-]{1,40}$/)
const text = z.string().max(400)

/** Gateway work as it is handed from one holder of a job to the next, with everything known about its attempts. */
export const handedOverOperation = z.strictObject({
  id,
  /** A name that every object has is not a kind. */
  kind: z
    .string()
    .min(1)
    .max(80)
    .refine((kind) => !(kind in {})),
  key: text,
  state: operationState,
  jobId: id.nullable(),
  title: messageSchema,
  payload: json,
  payloadHash: z.string().regex(/^[0-9a-f]{64}$/),
  baseline: json,
  result: json,
  isLive: z.boolean(),
  claim: z
    .strictObject({
      sinceMs: z.number().nullable(),
      waitMs: z.number(),
      whenAbsent: z.enum(['send', 'ask']),
      isReadBack: z.boolean()
    })
    .nullable(),
  reason: messageSchema,
  evidence: z.array(z.strictObject({ at: text, what: storedMessage, raw: json })).max(2_000),
  createdAt: text,
  updatedAt: text,
  needs: z.array(z.strictObject({ id, part: text })).max(100),
  attempts: z
    .array(
      z.strictObject({
        number: z.number().int().min(1).max(10_000),
        requestHash: text.nullable(),
        startedAt: text,
        serverTimeMs: z.number().nullable(),
        outcome: text.nullable(),
        by: text,
        imei: text.nullable()
      })
    )
    .max(1_000)
})
export type HandedOverOperation = z.infer<typeof handedOverOperation>

export function hashOfPayload(payload: Json): string {
  return sha256Hex(JSON.stringify(payload))
}

export interface Arrival {
  from: string
  /** When the last holder handed it over (epoch ms, by the gateway's clock if known). */
  givenAtMs: number
  arrivedAtMs: number
  /** Random time beside the grace time, so that two laptops with the same work do not send at the same moment. */
  waitMs: number
  /** Nobody knows what a lost holder still sent: if it is absent, a person decides; it is never sent automatically. */
  isFromLost?: boolean
  /** The log of the job says that its giver never sent it, and the giver can send it no more. */
  isSaidUnsent?: boolean
  /**
   * Open work depends on it: what the sender reports as done is confirmed here too, and never sent again automatically.
   */
  isAwaited?: boolean
}

/**
 * Open work that was never sent by who hands it over, nor by anyone before: the log of its job says so (`unsent` of
 * `movedAway`).
 */
export function isNeverSent({
  state,
  isLive,
  claim,
  attempts
}: Pick<HandedOverOperation, 'state' | 'isLive' | 'claim'> & {
  attempts: readonly Pick<HandedOverOperation['attempts'][number], 'outcome'>[]
}): boolean {
  return !hasEnded(state) && !isLive && claim === null && !attempts.some(mayHaveArrived)
}

/** How work starts with its new holder: a third laptop may hold it too, so it is looked for before it is sent. */
export function arrivalOf(
  operation: Pick<HandedOverOperation, 'state' | 'reason' | 'isLive' | 'claim' | 'createdAt' | 'attempts'>,
  { from, givenAtMs, arrivedAtMs, waitMs, isFromLost = false, isSaidUnsent = false, isAwaited = false }: Arrival
): { state: OperationState; reason: Message; claim: KeptClaim | null } {
  const { state, reason, isLive, claim, createdAt } = operation
  const isReadAgain = state === 'done' && isAwaited && !isLive
  if (hasEnded(state) && !isReadAgain) return { state, reason, claim: null }
  if (isLive) return { state: 'expired', reason: message('operations.liveLost'), claim: null }
  const createdMs = Date.parse(createdAt)
  const unread = claim && !claim.isReadBack ? claim : null
  const read: KeptClaim = {
    // Anyone who held it in between may have sent it: what appeared since a person wanted it may be its effect.
    sinceMs: Math.min(givenAtMs, claim?.sinceMs ?? givenAtMs, Number.isNaN(createdMs) ? givenAtMs : createdMs),
    waitMs,
    whenAbsent: isFromLost || isReadAgain ? 'ask' : (unread?.whenAbsent ?? 'send'),
    isReadBack: false,
    ...(isSaidUnsent && !isFromLost && isNeverSent(operation) ? { isUnsent: true as const } : {}),
    arrivedAtMs
  }
  const staysAsItIs = state === 'draft' || state === 'blocked' || state === 'needsAttention' || state === 'failed'
  return {
    state: staysAsItIs ? state : 'unknown',
    reason: staysAsItIs ? reason : message('operations.cameOver', { named: from === '' ? 'no' : 'yes', from }),
    claim: read
  }
}
