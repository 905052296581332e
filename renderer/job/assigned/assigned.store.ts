import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { Message } from '../../../preload/contract/messages.ts'
import type { Assigned } from '../../../preload/contract/team/teamAssigned.ts'
import { call } from '../../base/bridge.ts'
import { useTeam } from '../../base/shell/team.store.ts'

/** The office's prepared jobs for this laptop, and for anyone who starts them. */
export const useAssigned = defineStore('assigned', () => {
  const assigned = shallowRef<Assigned[]>([])
  /** The age of the shown copy; null for an answer from the team log. */
  const keptAt = ref<string | null>(null)
  const why = shallowRef<Message | null>(null)
  /** The time of the team log's last answer; null if it did not answer. */
  const heardAt = ref<string | null>(null)
  let asked = 0

  async function readFrom(from: 'copy' | 'server'): Promise<void> {
    const mine = ++asked
    const answer = await call('team.assigned', { from })
    // The later request counts.
    if (mine !== asked) return
    assigned.value = answer.assigned
    keptAt.value = answer.keptAt
    if (from !== 'server') return
    why.value = answer.why
    useTeam().noteAnswer(answer.why)
    heardAt.value = answer.why === null ? new Date().toISOString() : null
  }

  /** Shows the local copy at once, then the team log's answer. */
  async function load(): Promise<void> {
    await readFrom('copy')
    await readFrom('server')
  }

  /** Fetches the checklist from the team log when only the missing checklist prevents starting the job here. */
  async function takeChecklist(id: string): Promise<void> {
    await call('team.takeChecklist', { id })
    await readFrom('copy')
  }

  async function putAway(id: string): Promise<void> {
    await call('team.putAway', { id })
    await readFrom('copy')
  }

  return { assigned, keptAt, heardAt, why, load, loadKept: () => readFrom('copy'), takeChecklist, putAway }
})
