import { computed, shallowRef, watch } from 'vue'
import type { CallOutput } from '../../../preload/contract/index.ts'
import { call } from '../../base/bridge.ts'
import { useGateway } from '../../base/shell/gateway.store.ts'
import { useNow } from '../../base/ui/time/useNow.ts'
import { mayDo } from '../../gateway/site/mayDo.ts'
import { useAccessories } from './accessories.store.ts'
import {
  listCameras,
  listKeys,
  listTags,
  listTriggers,
  type ListedAccessory,
  type ListedPart
} from './listedAccessories.ts'

const scopes: Readonly<Record<ListedPart, string>> = {
  keys: 'assets',
  tags: 'assets',
  cameras: 'plugins.photocam',
  triggers: 'triggers'
}
/** Calls reserved for a person's own requests. */
const callsToSpare = 10

/**
 * The accessories of a vehicle in one list. A part that could not be read, or was not asked for, is missing; its own
 * screen says why.
 */
export function useAccessoryList(vehicleId: () => number | null) {
  const store = useAccessories()
  const gateway = useGateway()
  const now = useNow(10_000)
  const cameras = shallowRef<CallOutput<'photos.last'> | null>(null)
  const triggers = shallowRef<CallOutput<'triggers.list'> | null>(null)
  const isRead = (part: ListedPart): boolean =>
    ({ keys: store.keys, tags: store.tags, cameras: cameras.value, triggers: triggers.value })[part] !== null

  const lists = computed<Readonly<Record<ListedPart, readonly ListedAccessory[]>>>(() => {
    const tests = store.tests.filter((test) => test.vehicleId === vehicleId())
    return {
      keys: listKeys(store.keys ?? [], tests),
      tags: listTags(store.tags ?? [], tests, gateway.gatewayMs(now.value)),
      cameras: listCameras(cameras.value?.photos ?? []),
      triggers: listTriggers(triggers.value?.triggers ?? [])
    }
  })

  async function read(part: ListedPart, id: number): Promise<void> {
    if (!mayDo(gateway.status, scopes[part], 'r') || gateway.callsLeft < callsToSpare) return
    if (part === 'keys') await store.loadKeys()
    else if (part === 'tags') await store.loadTags(id)
    else if (part === 'cameras') cameras.value = await call('photos.last', { vehicleId: id })
    else triggers.value = await call('triggers.list', { vehicleId: id })
  }

  watch(
    vehicleId,
    async (id) => {
      store.keys = store.tags = null
      cameras.value = triggers.value = null
      // One after the other: the open part comes first, and looking at a list must not use up the gateway's calls.
      for (const part of ['keys', 'tags', 'triggers', 'cameras'] as const)
        if (id !== null && id === vehicleId()) await read(part, id).catch(() => undefined)
    },
    { immediate: true }
  )
  return { lists, isRead }
}
