import { AppError } from '../../../../preload/contract/errors.ts'
import type { Message } from '../../../../preload/contract/messages.ts'
import type { CheckContext } from './check.ts'

/** Why the gateway gave no answer: `limited` ends automatically, `signedOut` only when a person signs in. */
export type AwayCause = 'unreachable' | 'limited' | 'signedOut'

export type GatewayAnswer<T> =
  | { kind: 'answer'; value: T }
  | { kind: 'away'; why: Message; cause: AwayCause; retryAtMs: number | undefined }
  | { kind: 'no'; why: Message }

/**
 * Asks the gateway for a check: unreachable is a state, not an error ("away": later it may answer); "no" is its own
 * refusal.
 */
export async function askGateway<T>(ask: () => Promise<T>): Promise<GatewayAnswer<T>> {
  try {
    return { kind: 'answer', value: await ask() }
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
    if (error.fate === 'refused') return { kind: 'no', why: error.sentence }
    const cause =
      error.code === 'RATE_LIMITED' ? 'limited' : error.code === 'NOT_AUTHENTICATED' ? 'signedOut' : 'unreachable'
    return { kind: 'away', why: error.sentence, cause, retryAtMs: error.retryAtMs }
  }
}

const awayInRow = 3

/** Decides when a check that asks repeatedly should defer its step. */
export function createPatience() {
  let away = 0
  return {
    /** True when this was one "away" too many in a row. A rate limit ends automatically and never counts. */
    isOver(answer: GatewayAnswer<unknown>): boolean {
      if (answer.kind !== 'away') away = 0
      else if (answer.cause === 'signedOut') return true
      else if (answer.cause === 'unreachable') away += 1
      return away >= awayInRow
    }
  }
}

const limitWaitMs = 90_000
const againAfterMs = 2_000

/** Requests something that a step needs once: waits for a rate limit to end, and asks again after a failure. */
export async function askPatiently<T>(
  context: Pick<CheckContext, 'monotonicMs' | 'pause' | 'show' | 'now'>,
  ask: () => Promise<T>
): Promise<GatewayAnswer<T>> {
  const untilMs = context.monotonicMs() + limitWaitMs
  let failures = 0
  for (;;) {
    const answer = await askGateway(ask)
    if (answer.kind !== 'away' || answer.cause === 'signedOut') return answer
    if (answer.cause === 'unreachable' && ++failures >= 2) return answer
    if (context.monotonicMs() >= untilMs) return answer
    context.show({ hint: answer.why })
    const resetInMs = (answer.retryAtMs ?? 0) - context.now().getTime()
    await context.pause(Math.min(10_000, Math.max(againAfterMs, resetInMs)))
  }
}
