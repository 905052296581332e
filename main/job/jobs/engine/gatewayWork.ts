import type { CheckContext } from './check.ts'

/** States of gateway work that ended without effect. */
export const givenUp: ReadonlySet<string> = new Set(['cancelled', 'superseded', 'expired'])

/**
 * Waits until gateway work is settled, needs a person, or the time is over. What the gateway showed becomes evidence of
 * the step.
 */
export async function awaitWork(
  context: Pick<CheckContext, 'operations' | 'signal' | 'saw'>,
  id: string,
  waitMs: number
) {
  const settled = await context.operations.settled(id, AbortSignal.any([context.signal, AbortSignal.timeout(waitMs)]))
  context.signal.throwIfAborted()
  for (const { what, raw } of settled.evidence) context.saw({ witness: 'gateway', what, raw })
  return settled
}
