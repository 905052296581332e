import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { LostJob, TeamOffer, TeamTaking } from '../../../../preload/contract/team/teamHolding.ts'
import type { TakeOverResult } from '../../../../preload/contract/jobs/transfers.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { BridgeError, call } from '../../../bridge.ts'
import { useTeam } from '../team.store.ts'

/** Jobs handed over between laptops through the team log: to this laptop, from this laptop, and taken over from it. */
export const useTeamHolding = defineStore('teamHolding', () => {
  const offers = shallowRef<readonly TeamOffer[]>([])
  const lost = shallowRef<readonly LostJob[]>([])
  const incoming = computed(() => offers.value.filter(({ direction, state }) => direction !== 'mine' && state === 'open'))
  /** Take-overs started by a person, by the handover or the job. */
  const takings = shallowRef<ReadonlyMap<string, TeamTaking>>(new Map())
  const followed = new Map<string, (taking: TeamTaking) => void>()
  let asked = 0

  /** Whether a screen waits for the result. */
  function take(taking: TeamTaking): boolean {
    takings.value = new Map(takings.value).set(taking.id, taking)
    const hear = taking.state === 'underWay' ? undefined : followed.get(taking.id)
    hear?.(taking)
    return hear !== undefined
  }

  /** Resolves when a started take-over is complete; fails with the reason. */
  async function follow(begun: TeamTaking): Promise<TakeOverResult> {
    const ended = new Promise<TeamTaking>((resolve) => followed.set(begun.id, resolve))
    // It may have ended before its start was reported.
    const known = takings.value.get(begun.id)
    take(known !== undefined && known.state !== 'underWay' && begun.state === 'underWay' ? known : begun)
    const { taken, why } = await ended
    followed.delete(begun.id)
    if (taken === null) throw new BridgeError({ code: 'CONFLICT', message: why ?? message('app.fault'), retryable: true })
    return taken
  }

  /** The waiting screen was closed. */
  function leave(id: string): void {
    followed.delete(id)
  }

  /** A new attempt: the last result no longer counts. */
  function forgetTaking(id: string): void {
    takings.value = new Map([...takings.value].filter(([known]) => known !== id))
  }

  async function load(): Promise<void> {
    const mine = ++asked
    const told = await call('team.offers', {})
    // The later request counts.
    if (mine !== asked) return
    offers.value = told.offers
    lost.value = told.lost
    for (const taking of told.takings) take(taking)
    useTeam().hear(told.why)
  }

  function clear(): void {
    asked += 1
    offers.value = []
    lost.value = []
  }

  /** The latest handover of a job from this laptop. */
  function offerOf(jobId: string): TeamOffer | null {
    return offers.value.find(({ direction, jobs }) => direction === 'mine' && jobs.some(({ id }) => id === jobId)) ?? null
  }

  return { offers, lost, incoming, takings, load, clear, offerOf, take, follow, leave, forgetTaking }
})
