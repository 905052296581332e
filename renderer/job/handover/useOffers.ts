import { onBeforeUnmount, onMounted, watch } from 'vue'
import { subscribe } from '../../base/bridge.ts'
import { isReadOnly } from '../../base/ui/readOnly.ts'
import { useAction } from '../../base/ui/useAction.ts'
import { useTeam } from '../../base/shell/team.store.ts'
import { useTeamHolding } from './teamHolding.store.ts'

const lookAgainMs = 60_000

/**
 * The handovers, while a screen shows them: requested when it opens, after team news, and regularly. Never outside a
 * team.
 */
export function useOffers() {
  const team = useTeam()
  const holding = useTeamHolding()
  const loading = useAction(() => holding.load())
  let stops: (() => void)[] = []
  let again: ReturnType<typeof setInterval> | undefined

  function look(): void {
    if (isReadOnly.value) return
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
