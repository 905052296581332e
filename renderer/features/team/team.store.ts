import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { Message } from '../../../preload/contract/messages.ts'
import type { TeamWork } from '../../../preload/contract/team/team.ts'
import type { TeamLive } from '../../../preload/contract/team/teamNews.ts'
import { call } from '../../bridge.ts'
import { firstQuestion, type Section, type TeamQuestion } from './list/question.ts'

/** Tells this window from the others that look at the team. */
const viewer = crypto.randomUUID()

/** This laptop in the team log, and where the person is on the screen of the team: back from a job it is as it was left. */
export const useTeam = defineStore('team', () => {
  const work = shallowRef<TeamWork | null>(null)
  const live = shallowRef<TeamLive | null>(null)
  const question = shallowRef<TeamQuestion>(firstQuestion)
  /** The list as the server told it last: it stays while the server is away, also for whoever comes back to it. */
  const lastRead = shallowRef<{ question: TeamQuestion; sections: readonly Section[]; at: string } | null>(null)
  /** The job beside the list. */
  const chosenId = ref<string | null>(null)
  const isJoined = computed(() => (work.value?.joined ?? null) !== null)
  /** Why the team log did not answer whoever asked it last; null where it did. */
  const silence = shallowRef<Message | null>(null)
  const isAway = computed(() => isJoined.value && (live.value?.state === 'away' || silence.value !== null || (work.value?.problem ?? null) !== null))

  /** Why it is not as it should be, as far as anybody was told. */
  const why = computed(() => work.value?.problem ?? live.value?.why ?? silence.value)

  async function load(): Promise<void> {
    work.value = await call('team.status', {})
  }

  function take(next: TeamWork): void {
    if (next.pushedAt !== work.value?.pushedAt) silence.value = null
    work.value = next
    if (next.joined === null) live.value = lastRead.value = null
  }

  function takeLive(next: TeamLive): void {
    live.value = next
    // Whoever looks no longer leaves what was known last.
    if (next.state !== 'off') silence.value = next.state === 'away' ? next.why : null
  }

  /** Whoever asked the team log says how it went. */
  function hear(why: Message | null): void {
    silence.value = why
  }

  /** Hears of what the others do while somebody looks at it. */
  async function watch(isOn: boolean): Promise<void> {
    takeLive(await call('team.watch', { viewer, isOn }))
  }

  return { work, live, why, question, lastRead, chosenId, isJoined, isAway, load, take, takeLive, hear, watch }
})
