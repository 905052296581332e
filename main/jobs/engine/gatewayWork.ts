import type { CheckContext } from './check.ts'

/** States of gateway work that ended without effect. */
export const givenUp: ReadonlySet<string> = new Set(['cancelled', 'superseded', 'expired'])

/** Waits until gateway work is settled, needs a person, or the time is over. What the gateway showed becomes evidence of the step. */
export async function awaitWork({ operations, signal, saw }: Pick<CheckContext, 'operations' | 'signal' | 'saw'>, id: string, waitMs: number) {
  const settled = await operations.settled(id, AbortSignal.any([signal, AbortSignal.timeout(waitMs)]))
  signal.throwIfAborted()
  for (const { what, raw } of settled.evidence) saw({ witness: 'gateway', what, raw })
  return settled
}
