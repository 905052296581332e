import { onMounted, shallowRef, type ShallowRef } from 'vue'
import type { WorkspaceLimits } from '../../../preload/contract/device/workspace.ts'
import { call } from '../../base/bridge.ts'
import { useToasts } from '../../base/shell/toasts.store.ts'

/** The current limits for devices; null until they are loaded. */
export function useLimits(): Readonly<ShallowRef<WorkspaceLimits | null>> {
  const limits = shallowRef<WorkspaceLimits | null>(null)
  onMounted(() => {
    call('workspace.limits', {}).then((given) => (limits.value = given), useToasts().sayFailure)
  })
  return limits
}
