import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { ListedProfile, ProfileRun } from '../../../../preload/contract/device/deviceProfiles.ts'
import type { CallInput, CallOutput } from '../../../../preload/contract/index.ts'
import { call, subscribe } from '../../../bridge.ts'

/** Device profiles, and those that are being applied; the core continues when the screen is closed. */
export const useDeviceProfiles = defineStore('deviceProfiles', () => {
  /** Null until they were loaded. */
  const profiles = shallowRef<ListedProfile[] | null>(null)
  const runs = ref<ProfileRun[]>([])
  let isListening = false

  function put(run: ProfileRun): void {
    runs.value = runs.value.some(({ id }) => id === run.id) ? runs.value.map((one) => (one.id === run.id ? run : one)) : [run, ...runs.value]
  }

  async function load(): Promise<void> {
    if (!isListening) subscribe('deviceProfiles.run', put)
    isListening = true
    const [listed, running] = await Promise.all([call('deviceProfiles.list', {}), call('deviceProfiles.runs', {})])
    profiles.value = listed.profiles
    runs.value = running.runs
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

  return { profiles, runs, load, apply, stop }
})
