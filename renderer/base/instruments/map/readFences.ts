import { message } from '../../../../preload/contract/messages.ts'
import type { Fence } from '../../../../preload/contract/gateway/vehicles/vehicles.ts'
import type { Position } from '../../../../preload/base/maps/distance.ts'
import { call } from '../../bridge.ts'
import { say } from '../../say.ts'

export type NamedFence = Omit<Fence, 'name'> & { name: string }

/**
 * The geofences around a place, each with a name; `copiedAt` is the time of the local copy, if they come from there.
 */
export async function readFences(place: Position | null): Promise<{ fences: NamedFence[]; copiedAt: string | null }> {
  const { fences, source, readAt } = await call('vehicles.fences', {
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null
  })
  const named = fences.map((fence) => ({
    ...fence,
    name: fence.name ?? say(message('triggers.fenceNumber', { number: fence.id }))
  }))
  return { fences: named, copiedAt: source === 'copy' && fences.length > 0 ? readAt : null }
}
