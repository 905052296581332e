import { computed, inject, provide, type InjectionKey } from 'vue'
import { useNow } from '../../ui/time/useNow.ts'
import { findProblems, type Problem } from './overview/problems.ts'
import { useLimits } from '../readings/limits.ts'
import { useCompare } from './useCompare.ts'
import { useLive } from '../readings/useLive.ts'

const operations = ['system.info', 'modem.information', 'gps.position', 'io.all'] as const

function watchDevice(key: () => string, everyMs: () => number) {
  const live = useLive(key, operations, everyMs)
  const now = useNow(10_000)
  const limits = useLimits()
  const { compare, error: compareError } = useCompare(key)
  const problems = computed<Problem[]>(() => findProblems(live.readings.value, live.facts.value, now.value, limits.value))
  /** When the device last answered; undefined before it did. */
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
 * Keeps an eye on what matters on every section of the device screen: its head, its marks and its overview share it.
 * While the key is empty nothing is asked: who is not signed in would only be refused.
 */
export function provideDeviceWatch(key: () => string, everyMs: () => number): DeviceWatch {
  const watch = watchDevice(key, everyMs)
  provide(watchKey, watch)
  return watch
}

/** The eye that the device screen keeps on its device. */
export function useDeviceWatch(): DeviceWatch {
  const watch = inject(watchKey)
  if (!watch) throw new Error('No device is being watched here')
  return watch
}
