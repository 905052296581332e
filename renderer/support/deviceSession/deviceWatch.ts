import { computed, inject, provide, shallowRef, watch, type InjectionKey } from 'vue'
import type { DeviceCompare } from '../../../preload/contract/device/deviceCompare.ts'
import { call } from '../../base/bridge.ts'
import { useNow } from '../../base/ui/time/useNow.ts'
import { findProblems, type Problem } from './overview/problems.ts'
import { useLimits } from '../../device/readings/limits.ts'
import { useLive } from '../../device/readings/useLive.ts'
import { useRepeated } from '../../device/readings/useRepeated.ts'

const operations = ['system.info', 'modem.information', 'gps.position', 'io.all'] as const

function watchDevice(key: () => string, everyMs: () => number) {
  const live = useLive(key, operations, everyMs)
  const now = useNow(10_000)
  const limits = useLimits()
  /** Device compared with gateway. */
  const compare = shallowRef<DeviceCompare | null>(null)
  const { error: compareError, again } = useRepeated(
    async () => {
      if (key() !== '') compare.value = await call('workspace.compare', { key: key() })
    },
    { everyMs: 3_000 }
  )
  watch(key, () => void again())
  const problems = computed<Problem[]>(() =>
    findProblems(live.readings.value, live.facts.value, now.value, limits.value)
  )
  /** The device's last answer; undefined before the first. */
  const readAt = computed(() =>
    Object.values(live.readings.value)
      .filter(({ failure }) => failure === null)
      .map((reading) => reading.readAt)
      .sort()
      .at(-1)
  )
  return { ...live, problems, limits, readAt, compare, compareError }
}

export type DeviceWatch = ReturnType<typeof watchDevice>
const watchKey: InjectionKey<DeviceWatch> = Symbol('device watch')

/**
 * Reads what every section of the device screen needs: its head, its marks and its overview share the readings. While
 * the key is empty no request is sent: without a login the device would only refuse.
 */
export function provideDeviceWatch(key: () => string, everyMs: () => number): DeviceWatch {
  const watched = watchDevice(key, everyMs)
  provide(watchKey, watched)
  return watched
}

/** The shared readings of the device screen. */
export function useDeviceWatch(): DeviceWatch {
  const watched = inject(watchKey)
  if (!watched) throw new Error('No device is being watched here')
  return watched
}
