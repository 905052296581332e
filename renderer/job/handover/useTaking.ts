import { onScopeDispose } from 'vue'
import type { TeamTaking } from '../../../preload/contract/team/teamHolding.ts'
import type { TakeOverResult } from '../../../preload/contract/job/transfers.ts'
import { useTeamHolding } from './teamHolding.store.ts'

/**
 * Takes work over and waits for the result while the screen is open; afterwards a note shows the result on any screen.
 */
export function useTaking() {
  const holding = useTeamHolding()
  let followed: string | undefined
  onScopeDispose(() => {
    if (followed !== undefined) holding.leave(followed)
  })

  async function takeOver(id: string, begin: () => Promise<TeamTaking>): Promise<TakeOverResult> {
    holding.forgetTaking(id)
    followed = id
    return holding.follow(await begin())
  }

  function underWay(id: string): TeamTaking['pictures'] | null {
    const taking = holding.takings.get(id)
    return taking?.state === 'underWay' ? taking.pictures : null
  }

  return { takeOver, underWay }
}
