import { computed, ref, shallowRef, watch } from 'vue'
import type { Position } from '../../../../preload/base/maps/distance.ts'
import { type NamedFence, readFences } from '../../../base/instruments/map/readFences.ts'
import { useGateway } from '../../../base/shell/gateway.store.ts'
import { mayDo } from '../../../gateway/site/mayDo.ts'

/** Geofences are requested once, and again when the vehicle has moved: about 200 m, at least a minute later. */
const againAfterDegrees = 0.002
const againAfterMs = 60_000

/** Online, the geofences that this user may see; otherwise those in the local copy. */
const asked = ['reachable', 'unreachable', 'unknown']

/** The geofences around a position that this user may see; none otherwise. */
export function useFences(place: () => Position | null) {
  const gateway = useGateway()
  const fences = shallowRef<NamedFence[]>([])
  /** The time of the local copy, if they come from there. */
  const copiedAt = ref<string | null>(null)
  let askedAt: Position | undefined
  let askedMs = -Infinity

  async function ask(here: Position): Promise<void> {
    askedAt = here
    askedMs = performance.now()
    try {
      const near = await readFences(here)
      fences.value = near.fences
      copiedAt.value = near.copiedAt
    } catch {
      // Geofences are optional on the map; the verdict beside it says why the gateway cannot be asked.
      fences.value = []
      copiedAt.value = null
    }
  }

  watch(
    place,
    (here) => {
      if (!here || !asked.includes(gateway.status?.state ?? '') || !mayDo(gateway.status, 'geofences', 'r')) return
      const isElsewhere =
        !askedAt ||
        Math.abs(askedAt.latitude - here.latitude) > againAfterDegrees ||
        Math.abs(askedAt.longitude - here.longitude) > againAfterDegrees
      if (isElsewhere && performance.now() - askedMs > againAfterMs) void ask(here)
    },
    { immediate: true }
  )

  const inside = computed(() =>
    fences.value
      .filter((fence) => fence.inside)
      .map(({ name }) => name)
      .join(', ')
  )
  return { fences, inside, copiedAt }
}
