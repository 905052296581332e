import { onBeforeUnmount, onMounted, watch } from 'vue'
import { subscribe } from '../base/bridge.ts'
import { useTeam } from '../base/shell/team.store.ts'

const atMostEveryMs = 150
const sayAgainMs = 20_000

/**
 * Receives news of the others' work while mounted. News in quick succession is combined. Null: anything may have
 * changed.
 */
export function useTeamNews(read: (jobIds: ReadonlySet<string> | null) => Promise<unknown>): void {
  const team = useTeam()
  let lease: ReturnType<typeof setInterval> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let gathered: Set<string> | null = new Set()
  let isReading = false
  let stops: (() => void)[] = []

  function readSoon(): void {
    timer ??= setTimeout(() => void readNews(), atMostEveryMs)
  }

  async function readNews(): Promise<void> {
    timer = undefined
    if (isReading) return readSoon()
    const jobIds = gathered
    gathered = new Set()
    isReading = true
    // The team log's bar says that the log cannot be reached, and how old the content is.
    await read(jobIds).catch(() => undefined)
    isReading = false
  }

  function watchTeam(): void {
    if (team.isJoined) team.watch(true).catch(() => undefined)
  }

  watch(() => team.isJoined, watchTeam)
  onMounted(() => {
    stops = [
      subscribe('team.news', ({ jobIds }) => {
        if (jobIds === null || gathered === null) gathered = null
        else for (const id of jobIds) gathered.add(id)
        readSoon()
      })
    ]
    watchTeam()
    // A subscription that is not renewed for a minute ends, so a crashed window leaves nothing behind.
    lease = setInterval(watchTeam, sayAgainMs)
  })
  onBeforeUnmount(() => {
    for (const stop of stops) stop()
    clearTimeout(timer)
    clearInterval(lease)
    if (team.isJoined) team.watch(false).catch(() => undefined)
  })
}
