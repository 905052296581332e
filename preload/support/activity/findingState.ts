import type { Finding } from '../../contract/app/app.ts'

export type FindingState = 'works' | 'check' | 'blocked' | 'waiting' | 'notTested'

/**
 * How a finding is shown everywhere: what was not tested never counts as working. The page uses it, so it needs no
 * schema.
 */
export function stateOf({ ok, notTested, state }: Pick<Finding, 'ok' | 'notTested' | 'state'>): FindingState {
  if (notTested) return 'notTested'
  return ok ? 'works' : (state ?? 'check')
}
