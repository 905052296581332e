import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { LogEntry } from '../../../preload/contract/app/activity.ts'
import type { Events } from '../../../preload/contract/events.ts'
import { call } from '../../base/bridge.ts'
import { goTo } from '../../base/shell/router.ts'
import type { Shape } from '../../base/ui/status.ts'

const mostKept = 200

/** In the list of what happened, an ordinary entry is good news. */
export function newsShape({ level, kind }: LogEntry): Shape {
  if (level === 'error') return 'fail'
  return level === 'warning' || kind === 'needsYou' ? 'warn' : 'pass'
}

/** What happened while nobody looked, newest first. The bell counts what was not read yet. */
export const useActivity = defineStore('activity', () => {
  const entries = shallowRef<LogEntry[]>([])
  const readUpTo = shallowRef(0)
  const away = shallowRef<{ from: string; to: string } | null>(null)
  const unread = computed(() => entries.value.filter(({ n, isSeen }) => n > readUpTo.value && !isSeen))

  async function load(): Promise<void> {
    const list = await call('activity.list', { limit: mostKept })
    entries.value = list.entries
    readUpTo.value = list.readUpTo
    away.value = list.away
  }

  function take({ entry }: Events['activity.added']): void {
    if (entries.value.some(({ n }) => n === entry.n)) return
    entries.value = [entry, ...entries.value].slice(0, mostKept)
  }

  async function markRead(): Promise<void> {
    const [newest] = entries.value
    if (!newest || newest.n <= readUpTo.value) return
    readUpTo.value = newest.n
    await call('activity.markRead', { upTo: newest.n })
  }

  return {
    entries,
    away,
    unread,
    load,
    take,
    markRead,
    open: ({ place }: Events['activity.open']) => goTo(place.screen, place.id)
  }
})
