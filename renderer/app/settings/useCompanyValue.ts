import { computed } from 'vue'
import type { PolicyKey } from '../../../preload/contract/app/policy.ts'
import type { Settings } from '../../../preload/contract/app/settings.ts'
import { useApp } from '../../base/shell/app.store.ts'
import { usePolicy } from '../../base/shell/policy.store.ts'
import { rowOf, type SettingId } from './settingRows.ts'
import { isFixed, sayValue } from './settingValues.ts'

/** What the company's policy says about a setting. Training has devices and a gateway of its own. */
export function useCompanyValue(id: SettingId) {
  const policy = usePolicy()
  const app = useApp()
  const { policy: key, own } = rowOf(id)
  const entryOf = (wanted: PolicyKey) => (app.isTraining ? undefined : policy.entryOf(wanted))
  const entry = computed(() => key && entryOf(key))
  const layers = computed(() => (own === undefined ? undefined : policy.layers[own satisfies keyof Settings]))
  const company = computed(() => (entry.value ? sayValue(id, entry.value.value) : ''))
  return {
    entry,
    layers,
    company,
    /** Only the company's value counts. */
    isDecided: computed(
      () =>
        entry.value !== undefined &&
        key !== undefined &&
        isFixed(key, entryOf('gateway.others')?.value === false || entryOf('gateway.sites') !== undefined)
    ),
    /** The company allows less than the person wants. */
    limit: computed(() => {
      const mine = layers.value?.own
      if (
        key !== 'gateway.callsPerMinute' ||
        typeof entry.value?.value !== 'number' ||
        typeof mine !== 'number' ||
        mine <= entry.value.value
      )
        return null
      return { company: company.value, own: mine }
    }),
    hasPolicy: computed(() => !app.isTraining && policy.state?.isThere === true),
    hasOwn: computed(() => layers.value?.own !== null && layers.value?.own !== undefined)
  }
}
