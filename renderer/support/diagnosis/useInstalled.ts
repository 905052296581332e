import { shallowRef, watch } from 'vue'
import type { CallOutput } from '../../../preload/contract/index.ts'
import { BridgeError, call } from '../../base/bridge.ts'

type Installed = CallOutput<'diagnosis.installed'>['installed']

/** A device's facts at the sign-off of its installation; null when this computer has none. */
export function useInstalled(imei: () => string | null) {
  const installed = shallowRef<Installed>(null)
  watch(
    imei,
    async (now) => {
      installed.value = null
      if (now === null) return
      try {
        const answer = await call('diagnosis.installed', { imei: now })
        if (imei() === now) installed.value = answer.installed
      } catch (error) {
        // The table is about now and is complete without that column.
        if (!(error instanceof BridgeError)) throw error
      }
    },
    { immediate: true }
  )
  return installed
}
