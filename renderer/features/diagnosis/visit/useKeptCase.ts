import { shallowRef, watch } from 'vue'
import type { DiagnosisCase } from '../../../../preload/contract/diagnosis/visits.ts'
import { BridgeError, call } from '../../../bridge.ts'

/** What this computer has about the vehicle on screen; null while nothing is known of it. `reload` after it was changed. */
export function useKeptCase(about: () => { vehicleId: number | null; imei: string | null } | null) {
  const kept = shallowRef<DiagnosisCase | null>(null)
  async function reload(): Promise<void> {
    const wanted = about()
    if (wanted === null) return
    try {
      kept.value = (await call('visits.read', wanted)).case
    } catch (error) {
      // The diagnosis is complete without notes.
      if (!(error instanceof BridgeError)) throw error
    }
  }
  watch(() => JSON.stringify(about()), () => void reload(), { immediate: true })
  return { kept, reload }
}
