import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { SettingLayers } from '../../../preload/contract/app/app.ts'
import type { PolicyKey, PolicyState } from '../../../preload/contract/app/policy.ts'
import { call } from '../bridge.ts'

/** What the company set on this computer. The file is read when Fitter starts. */
export const usePolicy = defineStore('policy', () => {
  const state = shallowRef<PolicyState | null>(null)
  const entries = computed(() => new Map(state.value?.values.map((entry) => [entry.key, entry])))
  /** Whom to ask about a value of the company; empty when the policy names nobody. */
  const whom = computed(() => {
    const { name = '', mail = '', phone = '' } = state.value?.contact ?? {}
    return [name, mail, phone].filter((part) => part !== '').join(', ')
  })
  const layers = shallowRef<Record<string, SettingLayers>>({})
  let loading: Promise<void> | undefined

  /** One request for all settings of a screen; a failed one is repeated by the next. */
  function load(): Promise<void> {
    return (loading ??= call('policy.get', {}).then(
      (policy) => void (state.value = policy),
      (error: unknown) => {
        loading = undefined
        throw error
      }
    ))
  }

  /** Again after each change of a setting: the person's own value is one of the layers. */
  async function loadLayers(): Promise<void> {
    layers.value = (await call('app.settingOrigins', {})).layers
  }

  return { state, whom, layers, load, loadLayers, entryOf: (key: PolicyKey) => entries.value.get(key) }
})
