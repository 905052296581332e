import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { GatewayCopies } from '../../../preload/contract/gateway/copies.ts'
import { call } from '../../base/bridge.ts'

/** The local copy of gateway data for offline work. */
export const useCopies = defineStore('copies', () => {
  const state = shallowRef<GatewayCopies | null>(null)

  return {
    state,
    receive: (next: GatewayCopies): void => {
      state.value = next
    },
    async load(): Promise<void> {
      state.value = await call('copies.status', {})
    },
    async refresh(): Promise<void> {
      state.value = await call('copies.refresh', {})
    },
    async stop(): Promise<void> {
      state.value = await call('copies.stop', {})
    }
  }
})
