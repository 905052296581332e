import type { z } from 'zod'
import type { Json } from '../../preload/contract/define.ts'
import type { EntityChoice } from '../../preload/contract/gateway/gateway.ts'
import type { Message } from '../../preload/contract/messages.ts'

/** What a look at the gateway says about an effect. */
export type EffectReading = {
  /**
   * conflict: something else stands where ours should be. unreadable: the answer does not let us tell. waiting: it shows
   * only after something that has not happened yet, such as the next report of the device.
   */
  seen: 'found' | 'absent' | 'conflict' | 'unreadable' | 'waiting'
  what: Message
  raw: Json
  /** What others need of it, such as the id of the record. */
  result?: Json
}

export type Finalised =
  | { kind: 'ready'; payload: Json; key: string; title: Message }
  | { kind: 'stuck'; reason: Message; raw?: Json }

export interface LookRequest {
  baseline: Json
  /** When the first attempt that may have arrived began, by the gateway's clock as far as it is known (epoch ms). */
  sinceMs: number | undefined
  /** The gateway caches by request: the second look must be worded differently. */
  wording: 1 | 2
  /** The gateway said that it took it; it may still have to show. */
  isAnswered: boolean
  signal: AbortSignal
}

export interface SendRequest {
  baseline: Json
  /** It was tried before: refused for the time being, proven absent, or a person said "send again". */
  isAgain: boolean
}

export interface Reply {
  what: Message
  raw: Json
  /** The effect comes later, so the reply is no proof of it; `look` has to find it. */
  isAccepted?: boolean
}

/**
 * One kind of gateway work that can wait: how it is sent, how its effect is recognised, and whether it may be sent again
 * when it is provably absent (docs/operations.md, "Kind by kind").
 */
export interface OperationKind<Payload = unknown> {
  kind: string
  payload: z.ZodType<Payload>
  /** What a person reads of it; made from what is sent, and from nothing else. */
  title(payload: Payload): Message
  /** Turns a draft (names typed while offline) into what will be sent. Left out where a payload is always complete. */
  finalise?(payload: Payload, signal: AbortSignal): Promise<Finalised>
  /** Puts the record that a person chose for a typed name into the payload. Left out where nothing is named by text. */
  choose?(payload: Payload, record: EntityChoice): Json
  /** Puts the result of work that it needed into its part of the payload. Left out where nothing is needed. */
  receive?(payload: Payload, part: string, result: Json): Json
  /** What is there before the first attempt. `addedMs`: when a person wanted it, by the gateway's clock as far as it is known. */
  baseline?(payload: Payload, signal: AbortSignal, addedMs: number): Promise<Json>
  /** What was read once is what is counted from, also when nothing could be sent then. */
  keepsBaseline?: boolean
  /** Sends it once. Returns only after a parsed success reply; throws AppError otherwise. */
  send(payload: Payload, signal: AbortSignal, request: SendRequest): Promise<Reply>
  look(payload: Payload, request: LookRequest): Promise<EffectReading>
  resendWhenAbsent: boolean
  maxAttempts: number
  /** An unsent one is replaced by a newer one on the same key, since only the last value counts. */
  newerReplaces?: boolean
  /** Others need the id of its record: it is looked for before it counts as done. */
  giveResult?: boolean
  /** What is there tells whether an attempt of ours arrived, but not whether somebody else sent the same before. */
  tellsOwnAlone?: boolean
  /** What waits for somebody at the gateway is looked for again by itself, so often. */
  lookAgainMs?: number
}
