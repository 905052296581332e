import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { ListedProfile, ProfilePlan, ProfileRun } from '../../../../preload/contract/device/deviceProfiles.ts'
import type { CallInput, CallOutput } from '../../../../preload/contract/index.ts'
import { call, subscribe } from '../../../base/bridge.ts'

/** Device profiles, and those that are being applied; the core continues when the screen is closed. */
export const useDeviceProfiles = defineStore('deviceProfiles', () => {
  /** Null until they were loaded. */
  const profiles = shallowRef<ListedProfile[] | null>(null)
  const runs = ref<ProfileRun[]>([])
  /** Those that wait for the end of a job. */
  const plans = shallowRef<ProfilePlan[]>([])
  let isListening = false

  function put(run: ProfileRun): void {
    runs.value = runs.value.some(({ id }) => id === run.id)
      ? runs.value.map((one) => (one.id === run.id ? run : one))
      : [run, ...runs.value]
  }

  async function load(): Promise<void> {
    if (!isListening) {
      subscribe('deviceProfiles.run', put)
      subscribe('deviceProfiles.plans', (news) => (plans.value = news.plans))
    }
    isListening = true
    const [listed, running, planned] = await Promise.all([
      call('deviceProfiles.list', {}),
      call('deviceProfiles.runs', {}),
      call('deviceProfiles.plans', {})
    ])
    profiles.value = listed.profiles
    runs.value = running.runs
    plans.value = planned.plans
  }

  async function apply(input: CallInput<'deviceProfiles.apply'>): Promise<CallOutput<'deviceProfiles.apply'>> {
    const answer = await call('deviceProfiles.apply', input)
    // Events of a quick run may have arrived before this answer.
    if (answer.kind === 'started' && !runs.value.some(({ id }) => id === answer.run.id)) put(answer.run)
    return answer
  }

  async function stop(id: string): Promise<void> {
    put(await call('deviceProfiles.stop', { id }))
  }

  async function cancelPlan(imei: string): Promise<void> {
    await call('deviceProfiles.cancelPlan', { imei })
  }

  return { profiles, runs, plans, load, apply, stop, cancelPlan }
})
