import { shallowRef, watch } from 'vue'
import type { CallOutput } from '../../../preload/contract/index.ts'
import { BridgeError, call } from '../../bridge.ts'

type Installed = CallOutput<'diagnosis.installed'>['installed']

/** The table of a device as it was when its installation was signed off; null where nothing of it is kept here. */
export function useInstalled(imei: () => string | null) {
  const installed = shallowRef<Installed>(null)
  watch(
    imei,
    async (now) => {
      installed.value = null
      if (now === null) return
      try {
        const told = await call('diagnosis.installed', { imei: now })
        if (imei() === now) installed.value = told.installed
      } catch (error) {
        // The table is about now: without that column it says no less.
        if (!(error instanceof BridgeError)) throw error
      }
    },
    { immediate: true }
  )
  return installed
}
