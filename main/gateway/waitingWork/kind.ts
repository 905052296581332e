import type { z } from 'zod'
import type { Json } from '../../../preload/contract/define.ts'
import type { EntityChoice } from '../../../preload/contract/gateway/gateway.ts'
import type { Message } from '../../../preload/contract/messages.ts'

export type EffectReading = {
  /**
   * conflict: something else is in its place. unreadable: unclear. waiting: not before something else, such as the next
   * report.
   */
  seen: 'found' | 'absent' | 'conflict' | 'unreadable' | 'waiting'
  what: Message
  raw: Json
  /** Its result for dependent work, such as the id of the record. */
  result?: Json
}

export type Finalised =
  { kind: 'ready'; payload: Json; key: string; title: Message } | { kind: 'stuck'; reason: Message; raw?: Json }

export interface LookRequest {
  baseline: Json
  /** When the first attempt that may have arrived began, by the gateway's clock if known (epoch ms). */
  sinceMs: number | undefined
  /** The gateway caches by request: the second look must be worded differently. */
  wording: 1 | 2
  /** The gateway accepted it; the effect may still be pending. */
  isAnswered: boolean
  signal: AbortSignal
}

export interface SendRequest {
  baseline: Json
  /** An earlier attempt: refused for the time being, proven absent, or a person said "send again". */
  isAgain: boolean
}

export interface Reply {
  what: Message
  raw: Json
  /** The effect comes later, so the reply does not prove it; `look` must find it. */
  isAccepted?: boolean
}

/** One kind of gateway work: how it is sent, recognised, and sent again when provably absent (docs/operations.md). */
export interface OperationKind<Payload = unknown> {
  kind: string
  payload: z.ZodType<Payload>
  /** Its title for a person; made only from the payload. */
  title(payload: Payload): Message
  /** Turns a draft (names typed while offline) into the final payload. Omitted if a payload is always complete. */
  finalise?(payload: Payload, signal: AbortSignal): Promise<Finalised>
  /** Puts the record that a person chose for a typed name into the payload. Omitted without names. */
  choose?(payload: Payload, record: EntityChoice): Json
  /** Puts the result of a dependency into its part of the payload. Omitted without dependencies. */
  receive?(payload: Payload, part: string, result: Json): Json
  /** The state before the first attempt. `addedMs`: when a person wanted it, by the gateway's clock if known. */
  baseline?(payload: Payload, signal: AbortSignal, addedMs: number): Promise<Json>
  /** The first reading is the baseline, even if nothing could be sent then. */
  keepsBaseline?: boolean
  /** Sends it once. Returns only after a parsed success reply; throws AppError otherwise. */
  send(payload: Payload, signal: AbortSignal, request: SendRequest): Promise<Reply>
  look(payload: Payload, request: LookRequest): Promise<EffectReading>
  resendWhenAbsent: boolean
  maxAttempts: number
  /** A newer one on the same key replaces an unsent one, because only the last value counts. */
  newerReplaces?: boolean
  /** Dependent work needs the id of its record: it is found before it counts as done. */
  giveResult?: boolean
  /** The gateway's state shows whether our attempt arrived, but not whether someone else sent the same before. */
  tellsOwnAlone?: boolean
  /** How often an effect that waits for someone at the gateway is checked automatically. */
  lookAgainMs?: number
}
