import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { UpdatesState } from '../../../preload/contract/app/updates.ts'
import { call, subscribe } from '../../base/bridge.ts'

/** New versions of Fitter. The core looks for them; this shows what it knows. */
export const useUpdates = defineStore('updates', () => {
  const state = shallowRef<UpdatesState | null>(null)
  let isFollowing = false

  async function show(call: Promise<UpdatesState>): Promise<void> {
    state.value = await call
  }

  return {
    state,
    load(): Promise<void> {
      if (!isFollowing) subscribe('updates.changed', (next) => (state.value = next))
      isFollowing = true
      return show(call('updates.get', {}))
    },
    check: () => show(call('updates.check', {})),
    download: () => show(call('updates.download', {})),
    install: () => show(call('updates.install', {})),
    later: () => show(call('updates.later', {}))
  }
})
