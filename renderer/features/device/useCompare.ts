import { shallowRef, watch } from 'vue'
import type { DeviceCompare } from '../../../preload/contract/device/deviceCompare.ts'
import { call } from '../../bridge.ts'
import { useRepeated } from '../readings/useRepeated.ts'

/** Device and gateway against each other, again and again while the component lives and the window is seen. */
export function useCompare(key: () => string) {
  const compare = shallowRef<DeviceCompare | null>(null)
  const { error, again } = useRepeated(async () => {
    if (key() !== '') compare.value = await call('workspace.compare', { key: key() })
  }, 3_000)
  watch(key, () => void again())
  return { compare, error }
}
