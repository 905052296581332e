import type { z } from 'zod'
import type { Json } from '../../preload/contract/define.ts'

/** What a look at the gateway says about an effect. */
export type Look = {
  /**
   * conflict: something else stands where ours should be. unreadable: the answer does not let us tell. waiting: it shows
   * only after something that has not happened yet, such as the next report of the device.
   */
  seen: 'found' | 'absent' | 'conflict' | 'unreadable' | 'waiting'
  what: string
  raw: Json
}

export type Finalised =
  | { kind: 'ready'; payload: Json; key: string; title: string }
  | { kind: 'stuck'; reason: string }

export interface LookRequest {
  baseline: Json
  /** When the last attempt began, by the gateway's clock as far as it is known (epoch ms); undefined before any. */
  sinceMs: number | undefined
  /** The gateway caches by request: the second look must be worded differently. */
  wording: 1 | 2
  signal: AbortSignal
}

/**
 * One kind of gateway work that can wait: how it is sent, how its effect is recognised, and whether it may be sent again
 * when it is provably absent (docs/operations.md, "Operation by operation").
 */
export interface OperationKind<Payload = unknown> {
  kind: string
  payload: z.ZodType<Payload>
  /** Turns a draft (names typed while offline) into what will be sent. Left out where a payload is always complete. */
  finalise?(payload: Payload, signal: AbortSignal): Promise<Finalised>
  /** What is there before the first attempt. */
  baseline?(payload: Payload, signal: AbortSignal): Promise<Json>
  /**
   * Sends it once. Returns only after a parsed success reply; throws AppError otherwise. `isAccepted`: the effect comes
   * later, so the reply is no proof of it; `look` has to find it.
   */
  send(payload: Payload, signal: AbortSignal): Promise<{ what: string; raw: Json; isAccepted?: boolean }>
  look(payload: Payload, request: LookRequest): Promise<Look>
  resendWhenAbsent: boolean
  maxAttempts: number
}
