import type { CallResult } from '../../preload/contract/errors.ts'
import type { Message } from '../../preload/contract/messages.ts'
import type { EventName } from '../../preload/contract/events.ts'
import type { MapAnswer } from '../maps/answer.ts'

/** Words for a person who wants to quit while an output may be on. */
export interface OutputsLeft {
  sentence: string
  quit: string
  stay: string
}

/** What a front end needs of the core. It only carries: `call` itself checks the name and the input of every call. */
export interface Host {
  /** Never rejects for an expected reason: a failure is an `ok: false` result. */
  call(name: string, input: unknown): Promise<CallResult<unknown>>
  /** Calls `listener` for every event until the returned function is called. */
  onEvent(listener: (name: EventName, payload: unknown) => void): () => void
  /** What the page gets below `/map/`: pieces of the map that was chosen, by ranges, and nothing else. Never rejects. */
  answerMap(path: string, range: string | undefined): Promise<MapAnswer>
  /** The machine woke up: what was known about the network is stale. */
  powerResumed(): void
  /** Every output off; waits for the proof as long as the limits say. What may still be on then, in one sentence. Never rejects. */
  outputsOff(): Promise<OutputsLeft | null>
  /** A fault that nobody waited for: outputs off first, then into the fault log. Never rejects. */
  faulted(error: unknown): Promise<void>
  stop(): Promise<void>
}

/** The answer to something that is no call at all (wrong sender, wrong form). */
export function refusal(sentence: Message): CallResult<never> {
  return { ok: false, error: { code: 'INVALID_REQUEST', message: sentence, retryable: false } }
}
