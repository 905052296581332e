import { computed, effectScope, onScopeDispose, shallowRef, watch, type ComputedRef } from 'vue'
import type { SignalName } from '../../../preload/contract/device/signals.ts'
import { createSeries, type Series } from '../../../preload/base/signals/series.ts'
import { call } from '../../base/bridge.ts'
import { isFrozen } from '../../base/ui/time/frozen.ts'
import { useRepeated } from './useRepeated.ts'

interface DeviceSignals {
  series: Map<SignalName, Series>
  error: ComputedRef<Error | null>
  users: number
  stop(): void
}

/** One history for each device on the screen, shared by all parts that draw from it. */
const devices = new Map<string, DeviceSignals>()

function follow(key: string): DeviceSignals {
  const series = new Map<SignalName, Series>()
  const scope = effectScope(true)
  let sinceMs = 0
  const asking = scope.run(() =>
    useRepeated(
      async () => {
        if (isFrozen.value) return
        const { nowMs, signals } = await call('workspace.signals', { key, sinceMs })
        sinceMs = nowMs
        for (const [name, { atMs, values }] of Object.entries(signals) as [
          SignalName,
          { atMs: number[]; values: (number | null)[] }
        ][]) {
          atMs.forEach((at, index) => seriesOf(series, name).add(at, values[index] ?? null))
        }
      },
      { everyMs: 1_000 }
    )
  )
  return { series, error: computed(() => asking?.error.value ?? null), users: 0, stop: () => scope.stop() }
}

/** The core has already found the gaps and thinned a whole day. */
function seriesOf(all: Map<SignalName, Series>, name: SignalName): Series {
  let series = all.get(name)
  if (!series) all.set(name, (series = createSeries({ areGapsTold: true })))
  return series
}

/**
 * The histories of a device's signals, as the core stores them, refreshed every second while the component is mounted.
 */
export function useSignals(key: () => string): { of(name: SignalName): Series; error: ComputedRef<Error | null> } {
  const mine = shallowRef<DeviceSignals>()
  let held: string | null = null

  function leave(): void {
    const device = held === null ? undefined : devices.get(held)
    if (!device || held === null) return
    device.users -= 1
    if (device.users > 0) return
    device.stop()
    devices.delete(held)
  }

  watch(
    key,
    (wanted) => {
      leave()
      held = wanted
      const device = devices.get(wanted) ?? follow(wanted)
      devices.set(wanted, device)
      device.users += 1
      mine.value = device
    },
    { immediate: true }
  )
  onScopeDispose(leave)

  return {
    of: (name) => seriesOf((mine.value as DeviceSignals).series, name),
    error: computed(() => mine.value?.error.value ?? null)
  }
}
