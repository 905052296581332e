import { onScopeDispose, shallowRef, watch } from 'vue'
import type { AccessoryView } from '../../../../preload/contract/gateway/accessories.ts'
import { call } from '../../../bridge.ts'

/** The values change with every report; each refresh costs four calls at the gateway. */
const everyMs = 30_000

/** The gateway's engine bus data of a vehicle; refreshed while the component is mounted and the window is visible. */
export function useEngineBus(vehicleId: () => number | undefined) {
  const view = shallowRef<AccessoryView | null>(null)
  const error = shallowRef<Error | null>(null)
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false

  async function look(): Promise<void> {
    clearTimeout(timer)
    const id = vehicleId()
    if (id === undefined || isOver) return
    if (document.visibilityState !== 'hidden') {
      try {
        view.value = await call('accessories.read', { vehicleId: id })
        error.value = null
      } catch (cause) {
        error.value = cause instanceof Error ? cause : new Error(String(cause))
      }
    }
    timer = setTimeout(() => void look(), everyMs)
  }
  watch(vehicleId, () => void look(), { immediate: true })
  onScopeDispose(() => {
    isOver = true
    clearTimeout(timer)
  })
  return { view, error, lookNow: look }
}
