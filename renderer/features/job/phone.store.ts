import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { PhoneState } from '../../../preload/contract/jobs/phone.ts'
import { call } from '../../bridge.ts'

/** The page of a job on a phone: there is one at most. */
export const usePhone = defineStore('phone', () => {
  const state = shallowRef<PhoneState | null>(null)
  const jobId = computed(() => state.value?.page?.jobId ?? null)

  function take(next: PhoneState): void {
    state.value = next
  }

  return {
    state,
    /** The job whose page is on; null while none is. */
    jobId,
    take,
    load: async () => take(await call('phone.state', {})),
    switchOn: async (job: string, cardId: string) => take(await call('phone.start', { jobId: job, cardId })),
    switchOff: async () => take(await call('phone.stop', {}))
  }
})
