import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { LostJob, TeamOffer } from '../../../preload/contract/teamHolding.ts'
import { call } from '../../bridge.ts'
import { useTeam } from '../team/team.store.ts'

/** Jobs that go from laptop to laptop through the team log: offered to this one, by this one, and taken over from it. */
export const useTeamHolding = defineStore('teamHolding', () => {
  const offers = shallowRef<readonly TeamOffer[]>([])
  const lost = shallowRef<readonly LostJob[]>([])
  const incoming = computed(() => offers.value.filter(({ direction, state }) => direction !== 'mine' && state === 'open'))
  let asked = 0

  async function load(): Promise<void> {
    const mine = ++asked
    const told = await call('team.offers', {})
    // What was asked later stands.
    if (mine !== asked) return
    offers.value = told.offers
    lost.value = told.lost
    useTeam().hear(told.why)
  }

  function clear(): void {
    asked += 1
    offers.value = []
    lost.value = []
  }

  /** The newest offer by which a job left from here. */
  function offerOf(jobId: string): TeamOffer | null {
    return offers.value.find(({ direction, jobs }) => direction === 'mine' && jobs.some(({ id }) => id === jobId)) ?? null
  }

  return { offers, lost, incoming, load, clear, offerOf }
})
