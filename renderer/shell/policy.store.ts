import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { PolicyKey, PolicyState } from '../../preload/contract/app/policy.ts'
import { call } from '../bridge.ts'

/** What the company set on this computer. The file is read when Fitter starts. */
export const usePolicy = defineStore('policy', () => {
  const state = shallowRef<PolicyState | null>(null)
  const lines = computed(() => new Map(state.value?.values.map(({ key, line }) => [key, line])))

  async function load(): Promise<void> {
    state.value ??= await call('policy.get', {})
  }

  return { state, load, lineOf: (key: PolicyKey) => lines.value.get(key) }
})
