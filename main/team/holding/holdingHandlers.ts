import type { Handlers } from '../../../preload/contract/index.ts'
import type { teamForkCalls } from '../../../preload/contract/team/teamForks.ts'
import type { teamHoldingCalls } from '../../../preload/contract/team/teamHolding.ts'
import type { TeamBackground } from '../background.ts'
import type { Holding } from './holding.ts'
import type { Takings } from './takings.ts'

export function createHoldingHandlers({
  holding,
  background,
  takings
}: {
  holding: Holding
  background: TeamBackground
  takings: Takings
}): Pick<Handlers, keyof typeof teamHoldingCalls | keyof typeof teamForkCalls> {
  /** Changes are pushed soon, so that others see the holder. */
  async function thenPush<T>(work: Promise<T>): Promise<T> {
    const result = await work
    background.soon()
    return result
  }
  return {
    'team.offers': async (_input, signal) => ({ ...(await holding.offers(signal)), takings: takings.list() }),
    'team.handOver': (input, signal) => thenPush(holding.handOver(input, signal)),
    'team.takeOffer': ({ id }) => takings.begin(id, (signal, tell) => holding.takeOffer(id, signal, tell)),
    'team.withdrawOffer': ({ id }, signal) => thenPush(holding.withdraw(id, signal)),
    'team.takeOver': (input) => takings.begin(input.jobId, (signal, tell) => holding.takeOver(input, signal, tell)),
    'team.forks': async (_input, signal) => ({ forks: await holding.forks(signal) }),
    'team.forkEntries': (input, signal) => holding.forkEntries(input, signal),
    'team.asides': ({ jobId }) => ({ asides: holding.asides(jobId) }),
    'team.settle': (input, signal) => thenPush(holding.settle(input, signal)),
    'team.pull': (_input, signal) => thenPush(holding.pull(signal)),
    'team.laptops': async (_input, signal) => ({ laptops: await holding.laptops(signal) })
  }
}
