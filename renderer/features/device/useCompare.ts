import { onScopeDispose, shallowRef, watch } from 'vue'
import type { DeviceCompare } from '../../../preload/contract/device/deviceCompare.ts'
import { call } from '../../bridge.ts'

const everyMs = 3_000

/** Device and gateway against each other, again and again while the component lives and the window is seen. */
export function useCompare(key: () => string) {
  const compare = shallowRef<DeviceCompare | null>(null)
  const error = shallowRef<Error | null>(null)
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false

  async function look(): Promise<void> {
    clearTimeout(timer)
    if (key() === '') return
    try {
      compare.value = await call('workspace.compare', { key: key() })
      error.value = null
    } catch (cause) {
      error.value = cause instanceof Error ? cause : new Error(String(cause))
    }
    if (!isOver && document.visibilityState !== 'hidden') timer = setTimeout(() => void look(), everyMs)
  }
  function follow(): void {
    clearTimeout(timer)
    if (document.visibilityState !== 'hidden') void look()
  }

  watch(key, () => void look())
  document.addEventListener('visibilitychange', follow)
  onScopeDispose(() => {
    isOver = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', follow)
  })
  void look()
  return { compare, error }
}
