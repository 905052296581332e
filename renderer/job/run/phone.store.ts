import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { PhoneState } from '../../../preload/contract/job/phone.ts'
import { call } from '../../base/bridge.ts'

/** The page of a job on a phone: there is one at most. */
export const usePhone = defineStore('phone', () => {
  const state = shallowRef<PhoneState | null>(null)
  const jobId = computed(() => state.value?.page?.jobId ?? null)

  function receive(next: PhoneState): void {
    state.value = next
  }

  return {
    state,
    /** The job whose page is on; null while none is. */
    jobId,
    receive,
    load: async () => receive(await call('phone.state', {})),
    switchOn: async (job: string, cardId: string) => receive(await call('phone.start', { jobId: job, cardId })),
    switchOff: async () => receive(await call('phone.stop', {}))
  }
})
