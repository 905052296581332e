import { z } from 'zod'
import { findRecord, scopeLevel } from '../access.ts'
import { okAnswer, recordEffect, Refusal, withBody, withoutOwner, type Call, type Endpoint } from '../call.ts'
import { answerCollection, searchQuery } from './collection.ts'
import type { StoredRecord } from '../state.ts'

const position = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)])
const isClosed = (ring: [number, number][]): boolean => {
  const [first, last] = [ring[0], ring.at(-1)]
  return first !== undefined && last !== undefined && first[0] === last[0] && first[1] === last[1]
}
const ring = z.array(position).min(3).max(800).refine(isClosed, 'the last position is not the first')

const geometrySchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('Polygon'), coordinates: z.array(ring).min(1) }),
  z.strictObject({ type: z.literal('Circle'), radius: z.number().min(50), coordinates: position }),
  z.strictObject({
    type: z.literal('LineString'),
    radius: z.number().positive(),
    coordinates: z.array(position).min(2).max(800)
  })
])

const propertiesSchema = z
  .strictObject({
    name: z.string().min(1),
    description: z.string().nullable().optional(),
    visibility: z.enum(['all', 'groups', 'private']),
    groups: z.array(z.number().int()).optional(),
    owner: z.number().int().optional(),
    resolution: z.number().nullable().optional(),
    id: z.number().int().optional(),
    types: z.array(z.number().int()).optional(),
    custom: z.record(z.string(), z.unknown()).optional()
  })
  .refine(
    ({ visibility, groups }) => visibility !== 'groups' || (groups?.length ?? 0) > 0,
    'visibility groups needs properties.groups'
  )

const fenceBody = z.strictObject({
  type: z.literal('Feature').optional(),
  geometry: geometrySchema,
  properties: propertiesSchema
})

type Geometry = z.infer<typeof geometrySchema>
type Properties = z.infer<typeof propertiesSchema>

export const geofenceEndpoints: Endpoint[] = [
  {
    id: 'geofences.list',
    scopes: ['geofences'],
    query: searchQuery,
    handle: (call) => {
      const answer = answerCollection(
        call,
        call.state.geofences.filter((fence) => canSeeFence(call, fence)).map(withoutOwner)
      )
      // "Paginated" and "array of geofence features" are both documented.
      return call.state.shape('geofence list', 3) === 2 ? okAnswer((answer.body as { data: unknown }).data) : answer
    }
  },
  withBody({
    id: 'geofences.create',
    scopes: ['geofences'],
    body: fenceBody,
    handle: (call, { geometry, properties }) => {
      checkVisibility(call, properties)
      if (isDouble(call, geometry, properties)) call.note(`doubled effect: geofence ${properties.name} made twice`)
      const id = call.state.nextId('geofence')
      const fence = makeFence(call, id, call.user.id, geometry, properties)
      call.state.geofences.push(fence)
      recordEffect(call, { id, name: properties.name })
      return { status: call.state.shape('geofence created', 2) === 0 ? 201 : 200, body: withoutOwner(fence) }
    }
  }),
  withBody({
    id: 'geofences.update',
    scopes: ['geofences'],
    body: fenceBody,
    handle: (call, { geometry, properties }) => {
      const old = ownFence(call)
      checkVisibility(call, properties)
      const fence = makeFence(call, old.id, old.owner, geometry, properties)
      call.state.geofences[call.state.geofences.indexOf(old)] = fence
      recordEffect(call, { id: fence.id })
      return okAnswer(withoutOwner(fence))
    }
  }),
  {
    id: 'geofences.delete',
    scopes: ['geofences'],
    handle: (call) => {
      call.state.geofences.splice(call.state.geofences.indexOf(ownFence(call)), 1)
      recordEffect(call, {})
      return { status: 204 }
    }
  }
]

function checkVisibility(call: Call, { visibility, groups }: Properties): void {
  const needed =
    visibility === 'all' ? 'geofences:visibility.all' : visibility === 'groups' ? 'geofences:visibility.groups' : null
  if (needed && scopeLevel(call.user, call.session, needed) !== 'w')
    throw new Refusal(401, `scope ${needed} is missing`)
  if (visibility === 'groups' && groups?.some((group) => !call.groups.includes(group)))
    throw new Refusal(401, 'not a group of yours')
}

function isDouble(call: Call, geometry: Geometry, properties: Properties): boolean {
  const text = JSON.stringify([geometry, properties.name, properties.custom])
  return call.state.geofences.some((fence) => {
    const known = fence['properties'] as Properties
    const isSameReference =
      typeof known.custom?.['ref'] === 'string' && known.custom['ref'] === properties.custom?.['ref']
    return (
      fence.owner === call.user.id &&
      (isSameReference || JSON.stringify([fence['geometry'], known.name, known.custom]) === text)
    )
  })
}

function makeFence(call: Call, id: number, owner: number, geometry: Geometry, properties: Properties): StoredRecord {
  const points =
    geometry.type === 'Circle'
      ? [geometry.coordinates]
      : geometry.type === 'Polygon'
        ? geometry.coordinates.flat()
        : geometry.coordinates
  const margin = geometry.type === 'Polygon' ? 0 : geometry.radius / 111_320
  const [lons, lats] = [points.map(([lon]) => lon), points.map(([, lat]) => lat)]
  const bbox = [
    Math.min(...lons) - margin,
    Math.min(...lats) - margin,
    Math.max(...lons) + margin,
    Math.max(...lats) + margin
  ] as const
  return {
    id,
    owner,
    type: 'Feature',
    geometry,
    properties: { description: null, groups: [], types: [], custom: {}, resolution: null, ...properties, owner, id },
    encoding: Buffer.from(JSON.stringify(points)).toString('base64').slice(0, 40),
    centroid: [(bbox[0] + bbox[2]) / 2, (bbox[1] + bbox[3]) / 2],
    bbox,
    __updated: Math.floor(call.nowMs / 1000)
  }
}

function canSeeFence(call: Call, fence: StoredRecord): boolean {
  const { visibility, groups } = fence['properties'] as Properties
  if (visibility === 'all' || fence.owner === call.user.id) return true
  return visibility === 'groups' && (groups ?? []).some((group) => call.groups.includes(group))
}

function ownFence(call: Call): StoredRecord {
  const fence = findRecord(
    call,
    call.state.geofences.filter((one) => canSeeFence(call, one)),
    'geofence'
  )
  if (fence.owner !== call.user.id) throw new Refusal(403, 'this geofence belongs to another user')
  return fence
}
