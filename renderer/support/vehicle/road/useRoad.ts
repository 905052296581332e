import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue'
import type { VehicleRoad } from '../../../../preload/contract/gateway/vehicles/vehicleRoad.ts'
import { call } from '../../../base/bridge.ts'
import type { TrackPlace } from '../../../base/instruments/map/mapPositions.ts'
import { isFrozen } from '../../../base/ui/time/frozen.ts'
import { presentMs } from '../../../base/ui/time/presentTime.ts'
import { rangeOf, type TimeChoice } from '../../../gateway/events/times.ts'

/** A report arrives about every minute: more frequent requests would only use up the gateway's call limit. */
const everyMs = 60_000

/** A vehicle's track at the gateway in a chosen time range; refreshed each minute while the range includes now. */
export function useRoad(vehicleId: () => number | null, first: TimeChoice = { kind: 'last', hours: 1 }) {
  const time = ref<TimeChoice>(first)
  const road = shallowRef<VehicleRoad | null>(null)
  const error = shallowRef<Error | null>(null)
  const isAsking = ref(false)
  /** Of the shown track. */
  const range = shallowRef({ fromMs: 0, toMs: 1 })
  let round = 0

  async function ask(isRefresh = false): Promise<void> {
    const id = vehicleId()
    if (id === null) return
    const mine = ++round
    const { fromMs, toMs } = rangeOf(time.value, presentMs())
    isAsking.value = true
    try {
      const answer = await call('vehicles.road', {
        id,
        fromMs: Math.floor(fromMs),
        untilMs: Math.ceil(toMs),
        isRefresh
      })
      if (mine !== round) return
      road.value = answer
      range.value = { fromMs, toMs }
      error.value = null
    } catch (cause) {
      if (mine !== round) return
      error.value = cause instanceof Error ? cause : new Error(String(cause))
    } finally {
      if (mine === round) isAsking.value = false
    }
  }

  const timer = setInterval(() => {
    const isOver = time.value.kind === 'between' || time.value.kind === 'yesterday'
    if (!isOver && !isAsking.value && !isFrozen.value && document.visibilityState !== 'hidden') void ask(true)
  }, everyMs)
  onScopeDispose(() => {
    round += 1
    clearInterval(timer)
  })
  watch(
    [vehicleId, time],
    () => {
      road.value = null
      error.value = null
      void ask()
    },
    { immediate: true }
  )

  const places = computed(() =>
    (road.value?.points ?? []).flatMap(([, latitude, longitude, , , isAfterSilence]): (TrackPlace | null)[] =>
      isAfterSilence ? [null, [latitude, longitude]] : [[latitude, longitude]]
    )
  )
  function choose(next: TimeChoice): void {
    time.value = next
  }
  return { time, choose, road, range, places, error, isAsking }
}
export type Road = ReturnType<typeof useRoad>
