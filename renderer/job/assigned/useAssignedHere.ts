import { computed, onBeforeUnmount, onMounted } from 'vue'
import type { Assigned } from '../../../preload/contract/team/teamAssigned.ts'
import { subscribe } from '../../base/bridge.ts'
import { openDialog } from '../../base/shell/dialogs.ts'
import { useAction } from '../../base/ui/useAction.ts'
import { useDevices } from '../../device/devices/devices.store.ts'
import { useAssigned } from './assigned.store.ts'

/** The jobs prepared for this laptop, while a screen shows them: requested when it opens, and again after team news. */
export function useAssignedHere() {
  const store = useAssigned()
  const loading = useAction(() => store.load())
  const reading = useAction(() => store.loadKept())
  let stop: (() => void) | undefined
  onMounted(() => {
    stop = subscribe('team.changed', () => void reading.run())
    void loading.run()
  })
  onBeforeUnmount(() => stop?.())
  return { store, error: computed(() => loading.error.value ?? reading.error.value) }
}

/** Opens the dialog of a new job with what the office prepared. */
export function beginAssigned(assigned: Assigned): void {
  openDialog({ what: 'newJob', deviceKey: (assigned.imei && useDevices().byImei(assigned.imei)?.key) || '', assigned })
}
