import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { LostJob, Pulled, TeamOffer, TeamTaking } from '../../../preload/contract/team/teamHolding.ts'
import type { TakeOverResult } from '../../../preload/contract/job/transfers.ts'
import { message } from '../../../preload/contract/messages.ts'
import { BridgeError, call } from '../../base/bridge.ts'
import { say } from '../../base/say.ts'
import { useToasts } from '../../base/shell/toasts.store.ts'
import { t } from '../../base/texts.ts'
import { useJobs } from '../../base/shell/jobs.store.ts'
import { useTeam } from '../../base/shell/team.store.ts'

/** Jobs handed over between laptops through the team log: to this laptop, from this laptop, and taken over from it. */
export const useTeamHolding = defineStore('teamHolding', () => {
  const offers = shallowRef<readonly TeamOffer[]>([])
  const lost = shallowRef<readonly LostJob[]>([])
  const incoming = computed(() =>
    offers.value.filter(({ direction, state }) => direction !== 'mine' && state === 'open')
  )
  /** Take-overs started by a person, by the handover or the job. */
  const takings = shallowRef<ReadonlyMap<string, TeamTaking>>(new Map())
  const followed = new Map<string, (taking: TeamTaking) => void>()
  let asked = 0

  /** Whether a screen waits for the result. */
  function take(taking: TeamTaking): boolean {
    takings.value = new Map(takings.value).set(taking.id, taking)
    const finish = taking.state === 'underWay' ? undefined : followed.get(taking.id)
    finish?.(taking)
    return finish !== undefined
  }

  /** Resolves when a started take-over is complete; fails with the reason. */
  async function follow(begun: TeamTaking): Promise<TakeOverResult> {
    const ended = new Promise<TeamTaking>((resolve) => followed.set(begun.id, resolve))
    // It may have ended before its start was reported.
    const known = takings.value.get(begun.id)
    take(known !== undefined && known.state !== 'underWay' && begun.state === 'underWay' ? known : begun)
    const { taken, why } = await ended
    followed.delete(begun.id)
    if (taken === null)
      throw new BridgeError({ code: 'CONFLICT', message: why ?? message('app.fault'), retryable: true })
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
    const answer = await call('team.offers', {})
    // The later request counts.
    if (mine !== asked) return
    offers.value = answer.offers
    lost.value = answer.lost
    for (const taking of answer.takings) take(taking)
    useTeam().noteAnswer(answer.why)
  }

  function clear(): void {
    asked += 1
    offers.value = []
    lost.value = []
  }

  /** The latest handover of a job from this laptop. */
  function offerOf(jobId: string): TeamOffer | null {
    return (
      offers.value.find(({ direction, jobs }) => direction === 'mine' && jobs.some(({ id }) => id === jobId)) ?? null
    )
  }

  return { offers, lost, incoming, takings, load, clear, offerOf, take, follow, leave, forgetTaking }
})

/** Jobs arrived through the team log automatically, or someone else took some over: shows a note and reloads. */
export function takePulled({ arrived, lost }: Pick<Pulled, 'arrived' | 'lost'>): void {
  const toasts = useToasts()
  const jobs = useJobs()
  for (const { from, jobs: came } of arrived) toasts.say(t('windowTeamHolding.came', { n: came.length, from }))
  for (const [by, theirs] of Map.groupBy(lost, (one) => one.by))
    toasts.say(t('windowTeamHolding.lostNow', { n: theirs.length, by }))
  const touched = [...arrived.flatMap((taken) => taken.jobs.map(({ id }) => id)), ...lost.map(({ jobId }) => jobId)]
  jobs.loadOpen().catch(toasts.sayFailure)
  if (jobs.job && touched.includes(jobs.job.id)) jobs.show(jobs.job.id).catch(toasts.sayFailure)
}

/** The progress of a take-over started in any window; a note shows the result if no screen waits for it. */
export function takeTaking(taking: TeamTaking): void {
  const isFollowed = useTeamHolding().take(taking)
  if (taking.taken) takePulled({ arrived: [taking.taken], lost: [] })
  else if (taking.why && !isFollowed) useToasts().say(say(taking.why))
}
