import { onBeforeUnmount, onMounted, watch } from 'vue'
import { subscribe } from '../../bridge.ts'
import { useTeam } from './team.store.ts'

const atMostEveryMs = 150
const sayAgainMs = 20_000

/** Receives news of the others' work while mounted. News in quick succession is combined. Null: anything may have changed. */
export function useTeamNews(take: (jobIds: ReadonlySet<string> | null) => Promise<unknown>): void {
  const team = useTeam()
  let lease: ReturnType<typeof setInterval> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let gathered: Set<string> | null = new Set()
  let isTaking = false
  let stops: (() => void)[] = []

  function soon(): void {
    timer ??= setTimeout(() => void tell(), atMostEveryMs)
  }

  async function tell(): Promise<void> {
    timer = undefined
    if (isTaking) return soon()
    const jobIds = gathered
    gathered = new Set()
    isTaking = true
    // The team log's bar says that the log cannot be reached, and how old the content is.
    await take(jobIds).catch(() => undefined)
    isTaking = false
  }

  function watchIt(): void {
    if (team.isJoined) team.watch(true).catch(() => undefined)
  }

  watch(() => team.isJoined, watchIt)
  onMounted(() => {
    stops = [
      subscribe('team.news', ({ jobIds }) => {
        if (jobIds === null || gathered === null) gathered = null
        else for (const id of jobIds) gathered.add(id)
        soon()
      })
    ]
    watchIt()
    // A subscription that is not renewed for a minute ends, so a crashed window leaves nothing behind.
    lease = setInterval(watchIt, sayAgainMs)
  })
  onBeforeUnmount(() => {
    for (const stop of stops) stop()
    clearTimeout(timer)
    clearInterval(lease)
    if (team.isJoined) team.watch(false).catch(() => undefined)
  })
}
