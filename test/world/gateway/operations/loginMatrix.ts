import { AppError } from '../../../../preload/contract/errors.ts'
import type { OperationStore } from '../../../../main/data/store/work/operations.ts'
import { openGatewayWorld } from './gatewayWorld.ts'
import type { Case, Harm, Verdict } from './matrix.ts'
import { outcomeOf } from './networkOutcomes.ts'

export const loginOperation = 'session.login'
/** So long credentials that were refused are not tried again by themselves. */
const barredMs = 16 * 60_000

/**
 * The sign-in, whose one request meets the outcome: it is tried again, and a session that nobody knows of may stay
 * behind.
 */
export async function runLogin(
  { outcome, crash, cache }: Case,
  { rows, seed }: { rows: OperationStore; seed: number }
): Promise<Verdict> {
  const { fault } = outcomeOf(outcome)
  const world = await openGatewayWorld({ rows, cache, seed }, [loginOperation])
  const { gateway } = world
  const sessions = () => gateway.state.sessions.filter(({ app }) => app === 'fitter').length
  const signedIn = () => gateway.requests.some(({ operation, status }) => operation === 'user.own' && status === 200)
  try {
    gateway.setFault(fault && { ...fault, operation: loginOperation, times: 1 })
    let run = world.start(crash)
    const first = await world.over(run.client.user.own({}, {})).then(() => 'signed in', said)
    const isTrue = first !== 'signed in' || (sessions() > 0 && signedIn())
    const hasCrashed = run.process.isDead
    if (hasCrashed) {
      run.end()
      run = world.start()
    }
    world.advance(barredMs)
    const second = await world.over(run.client.user.own({}, {})).then(() => 'signed in', said)
    const harms: Harm[] = []
    if (!isTrue) harms.push('false done')
    if (second !== 'signed in') harms.push('lost')
    if (sessions() > (outcome === 'applied twice by a proxy' ? 3 : 2)) harms.push('doubled')
    if (gateway.violations.length > 0) harms.push('not allowed by the document')
    return {
      harms,
      asksForPerson: false,
      hasCrashed,
      said: `${first}, then ${second}, ${String(sessions())} sessions; ${gateway.violations.map(({ why }) => why).join('; ')}`
    }
  } finally {
    await world.close()
  }
}

function said(error: unknown): string {
  if (!(error instanceof AppError)) throw error
  return error.code
}
