import { shallowRef, watch } from 'vue'
import type { AccessoryView } from '../../../../preload/contract/gateway/accessories.ts'
import { createSeries, type Series } from '../../../../preload/base/signals/series.ts'
import { busName } from '../../../../preload/job/busName.ts'
import { call } from '../../../base/bridge.ts'
import { useRepeated } from '../../../device/readings/useRepeated.ts'

/** The values change with every report; each refresh costs four calls at the gateway. */
const everyMs = 30_000

/** The gateway's engine bus data of a vehicle; refreshed while the component is mounted and the window is visible. */
export function useEngineBus(vehicleId: () => number | undefined) {
  const view = shallowRef<AccessoryView | null>(null)
  /** The numbers that were read while this screen was open, by name. */
  const histories = shallowRef<ReadonlyMap<string, Series>>(new Map())
  const { error, again: lookNow } = useRepeated(
    async () => {
      const id = vehicleId()
      if (id === undefined) return
      view.value = await call('accessories.read', { vehicleId: id })
      histories.value = withReadings(histories.value, view.value)
    },
    { everyMs }
  )
  watch(vehicleId, () => void lookNow())
  return { view, error, histories, lookNow }
}

/** The same with a new reading of each number; a value that is not valid is a gap. */
export function withReadings(
  before: ReadonlyMap<string, Series>,
  { ecuAt, ecuValues }: Pick<AccessoryView, 'ecuAt' | 'ecuValues'>
): ReadonlyMap<string, Series> {
  if (ecuAt === null) return before
  const next = new Map(before)
  for (const { name, value, flag } of ecuValues) {
    const key = busName(name)
    const series = next.get(key) ?? createSeries({ areGapsTold: true })
    series.add(Date.parse(ecuAt), flag === 'T' && typeof value === 'number' ? value : null)
    next.set(key, series)
  }
  return next
}
