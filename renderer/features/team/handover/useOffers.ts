import { onBeforeUnmount, onMounted, watch } from 'vue'
import { subscribe } from '../../../bridge.ts'
import { isLookedAt } from '../../../ui/lookedAt.ts'
import { useAction } from '../../../ui/useAction.ts'
import { useTeam } from '../team.store.ts'
import { useTeamHolding } from './teamHolding.store.ts'

const lookAgainMs = 60_000

/**
 * What is offered, as long as a screen shows it: asked when it opens, when the team log told something, and now and then. A
 * laptop that joined none asks nothing.
 */
export function useOffers() {
  const team = useTeam()
  const holding = useTeamHolding()
  const loading = useAction(() => holding.load())
  let stops: (() => void)[] = []
  let again: ReturnType<typeof setInterval> | undefined

  function look(): void {
    if (isLookedAt.value) return
    if (team.isJoined) void loading.run()
    else holding.clear()
  }

  watch(() => team.isJoined, look)
  onMounted(() => {
    stops = [subscribe('team.pulled', look), subscribe('team.news', look)]
    again = setInterval(look, lookAgainMs)
    look()
  })
  onBeforeUnmount(() => {
    for (const stop of stops) stop()
    clearInterval(again)
  })
  return { holding, error: loading.error, look }
}
