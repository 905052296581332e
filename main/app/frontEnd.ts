import type { z } from 'zod'
import type { CallResult } from '../../preload/contract/errors.ts'
import type { CallName } from '../../preload/contract/index.ts'
import { message, type Message } from '../../preload/contract/messages.ts'
import type { EventName } from '../../preload/contract/events.ts'
import type { MapAnswer } from './maps/answer.ts'

/** The sentence for a person who wants to quit while an output may be on. */
export interface OutputsLeft {
  sentence: string
  quit: string
  stay: string
}

/** What a front end needs from the core. It only transports: `call` checks the name and the input of every call. */
export interface Host {
  /** Never rejects for an expected reason: a failure is an `ok: false` result. */
  call(name: string, input: unknown): Promise<CallResult<unknown>>
  /** Calls `listener` for every event until the returned function is called. */
  onEvent(listener: (name: EventName, payload: unknown) => void): () => void
  /** The answer below `/map/`: pieces of the chosen map, by ranges, and nothing else. Never rejects. */
  answerMap(path: string, range: string | undefined): Promise<MapAnswer>
  /** The computer woke up: what was known about the network is outdated. */
  powerResumed(): void
  /**
   * Switches every output off and waits for the proof. Returns a sentence about those that may still be on. Never
   * rejects.
   */
  outputsOff(): Promise<OutputsLeft | null>
  /** A fault in background work: outputs off first, then written to the fault log. Never rejects. */
  faulted(error: unknown): Promise<void>
  stop(): Promise<void>
  /**
   * Installs a new version if a person wanted that and nothing is in the way. Call it last, after `stop`. Never
   * rejects.
   */
  installUpdate(): Promise<void>
}

/** The answer to a message that is not a call (wrong sender, wrong form). */
export function refusal(sentence: Message): CallResult<never> {
  return { ok: false, error: { code: 'INVALID_REQUEST', message: sentence, retryable: false } }
}

/** Names the field of the input that does not match the contract. */
export function badInput(call: CallName, error: z.ZodError): CallResult<never> {
  const [issue] = error.issues
  return refusal(
    message('app.badInput', { call, field: issue?.path.join('.') || 'input', problem: issue?.message ?? 'wrong form' })
  )
}
