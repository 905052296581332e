import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { Message } from '../../../../preload/contract/messages.ts'
import type { Assigned } from '../../../../preload/contract/team/teamAssigned.ts'
import { call } from '../../../bridge.ts'
import { useTeam } from '../team.store.ts'

/** The office's prepared jobs for this laptop, and for anyone who starts them. */
export const useAssigned = defineStore('assigned', () => {
  const assigned = shallowRef<Assigned[]>([])
  /** The age of the shown copy; null for an answer from the team log. */
  const keptAt = ref<string | null>(null)
  const why = shallowRef<Message | null>(null)
  /** The time of the team log's last answer; null if it did not answer. */
  const heardAt = ref<string | null>(null)
  let asked = 0

  async function take(from: 'copy' | 'server'): Promise<void> {
    const mine = ++asked
    const told = await call('team.assigned', { from })
    // The later request counts.
    if (mine !== asked) return
    assigned.value = told.assigned
    keptAt.value = told.keptAt
    if (from !== 'server') return
    why.value = told.why
    useTeam().hear(told.why)
    heardAt.value = told.why === null ? new Date().toISOString() : null
  }

  /** Shows the local copy at once, then the team log's answer. */
  async function load(): Promise<void> {
    await take('copy')
    await take('server')
  }

  /** Fetches the checklist from the team log when only the missing checklist prevents starting the job here. */
  async function takeChecklist(id: string): Promise<void> {
    await call('team.takeChecklist', { id })
    await take('copy')
  }

  async function putAway(id: string): Promise<void> {
    await call('team.putAway', { id })
    await take('copy')
  }

  return { assigned, keptAt, heardAt, why, load, loadKept: () => take('copy'), takeChecklist, putAway }
})
