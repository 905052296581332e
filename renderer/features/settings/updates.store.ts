import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { UpdatesState } from '../../../preload/contract/app/updates.ts'
import { call, subscribe } from '../../bridge.ts'

/** New versions of Fitter. The core looks for them; this shows what it knows. */
export const useUpdates = defineStore('updates', () => {
  const state = shallowRef<UpdatesState | null>(null)
  let isFollowing = false

  async function take(call: Promise<UpdatesState>): Promise<void> {
    state.value = await call
  }

  return {
    state,
    load(): Promise<void> {
      if (!isFollowing) subscribe('updates.changed', (next) => (state.value = next))
      isFollowing = true
      return take(call('updates.get', {}))
    },
    check: () => take(call('updates.check', {})),
    download: () => take(call('updates.download', {})),
    install: () => take(call('updates.install', {})),
    later: () => take(call('updates.later', {}))
  }
})
