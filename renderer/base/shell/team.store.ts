import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { Message } from '../../../preload/contract/messages.ts'
import type { TeamWork } from '../../../preload/contract/team/team.ts'
import type { TeamLive } from '../../../preload/contract/team/teamNews.ts'
import { call } from '../bridge.ts'
import { firstQuestion, type Section, type TeamQuestion } from './teamQuestion.ts'

/** Identifies this window among those that show the team. */
const viewer = crypto.randomUUID()

/** This laptop's team log state, and the person's position on the team screen, restored on return from a job. */
export const useTeam = defineStore('team', () => {
  const work = shallowRef<TeamWork | null>(null)
  const live = shallowRef<TeamLive | null>(null)
  const question = shallowRef<TeamQuestion>(firstQuestion)
  /** The server's last list: it remains while the server cannot be reached, also when the person returns. */
  const lastRead = shallowRef<{ question: TeamQuestion; sections: readonly Section[]; at: string } | null>(null)
  /** The job beside the list. */
  const chosenId = ref<string | null>(null)
  const isJoined = computed(() => (work.value?.joined ?? null) !== null)
  /** Why the last request to the team log failed; null after a success. */
  const silence = shallowRef<Message | null>(null)
  const isAway = computed(
    () =>
      isJoined.value &&
      (live.value?.state === 'away' || silence.value !== null || (work.value?.problem ?? null) !== null)
  )

  /** The reason for a problem, if one was reported. */
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
    // Closing the last view keeps the last known state.
    if (next.state !== 'off') silence.value = next.state === 'away' ? next.why : null
  }

  /** Every request to the team log reports its result here. */
  function noteAnswer(why: Message | null): void {
    silence.value = why
  }

  /** Receives news of the others' work while a view is open. */
  async function watch(isOn: boolean): Promise<void> {
    takeLive(await call('team.watch', { viewer, isOn }))
  }

  return { work, live, why, question, lastRead, chosenId, isJoined, isAway, load, take, takeLive, noteAnswer, watch }
})
