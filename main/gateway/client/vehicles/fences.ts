import type { Sparse } from '../../../../preload/contract/device/deviceAreas.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { Fence } from '../../../../preload/contract/gateway/vehicles/vehicles.ts'
import { isInsideFence } from '../../../../preload/base/maps/geofence.ts'
import type { Geofence } from '../records/places.ts'

const mostFences = 2_000

/** Geofences for maps ("Geofence"), and which of them contain a position [longitude, latitude]. */
export function readFences(
  items: readonly Sparse<Geofence>[],
  { position, isComplete }: { position: readonly [number, number] | null; isComplete: boolean }
): { fences: Fence[]; complete: boolean; problems: Message[] } {
  const fences = items.map((item) => toFence(item, position)).filter((fence) => fence !== undefined)
  const unreadable = items.length - fences.length
  return {
    fences: fences.slice(0, mostFences),
    complete: isComplete && fences.length <= mostFences,
    problems: unreadable > 0 ? [message('gateway.fencesUnreadable', { n: unreadable })] : []
  }
}

function toFence(item: Sparse<Geofence>, position: readonly [number, number] | null): Fence | undefined {
  const id = item.id ?? item.properties?.id
  const shape = shapeOf(item.geometry, 0)
  if (typeof id !== 'number' || !shape) return undefined
  return {
    id,
    name: item.properties?.name ?? null,
    visibility: item.properties?.visibility ?? '',
    shape,
    inside: position ? isInsideFence(shape, position) : null
  }
}

/** The shape of a geofence; undefined when unreadable. Without a radius it counts as `unknownRadiusM`. */
export function shapeOf(geometry: unknown, unknownRadiusM?: number): Fence['shape'] | undefined {
  const { type, coordinates, radius } = (geometry ?? {}) as { type?: unknown; coordinates?: unknown; radius?: unknown }
  if (!Array.isArray(coordinates)) return undefined
  if (type === 'Polygon') return { type, rings: coordinates.filter((ring) => Array.isArray(ring)).map(pointsOf) }
  const radiusM = typeof radius === 'number' ? radius : unknownRadiusM
  if (radiusM === undefined) return undefined
  if (type === 'LineString') return { type, points: pointsOf(coordinates), radiusM }
  const center = type === 'Circle' ? pointOf(coordinates) : undefined
  return center && { type: 'Circle', center, radiusM }
}

function pointsOf(list: readonly unknown[]): [number, number][] {
  return list.map(pointOf).filter((point) => point !== undefined)
}

function pointOf(pair: unknown): [number, number] | undefined {
  if (!Array.isArray(pair) || typeof pair[0] !== 'number' || typeof pair[1] !== 'number') return undefined
  return [pair[0], pair[1]]
}
