import { z } from 'zod'
import { numberOrNull, record, textOrNull } from './fields.ts'

const position = z.array(z.number())

/** Coordinates are [lon, lat]; radius in meters. */
export const geometry = z.union([
  z.looseObject({ type: z.literal('Polygon'), coordinates: z.array(z.array(position)) }),
  z.looseObject({ type: z.literal('Circle'), radius: z.number(), coordinates: position }),
  z.looseObject({ type: z.literal('LineString'), radius: z.number(), coordinates: z.array(position) })
])

export const geofence = z.looseObject({
  id: z.number().optional(),
  type: z.string().optional(),
  geometry: geometry.optional(),
  properties: z
    .looseObject({
      name: z.string().optional(),
      description: textOrNull.optional(),
      visibility: z.string().optional(),
      groups: z.array(z.number()).optional(),
      owner: numberOrNull.optional(),
      id: z.number().optional(),
      types: z.array(z.number()).optional(),
      custom: record.nullable().optional()
    })
    .optional(),
  encoding: textOrNull.optional(),
  centroid: position.optional(),
  bbox: position.optional(),
  __updated: z.number().optional()
})
export type Geofence = z.infer<typeof geofence>

export const route = z.looseObject({
  id: z.number().optional(),
  uuid: z.string().optional(),
  primary_id: z.number().optional(),
  name: textOrNull.optional(),
  description: textOrNull.optional(),
  color: textOrNull.optional(),
  options: record.nullable().optional(),
  active: z.boolean().optional(),
  enforce: z.boolean().nullable().optional(),
  checkpoints: z
    .array(
      z.looseObject({
        lat: z.number().optional(),
        lon: z.number().optional(),
        buffer: z.number().optional(),
        name: textOrNull.optional()
      })
    )
    .optional(),
  schedules: z.array(z.looseObject({})).optional(),
  path: z.looseObject({}).nullable().optional()
})

export const routeState = z.looseObject({
  name: textOrNull.optional(),
  color: textOrNull.optional(),
  route_id: z.number().optional(),
  start_epoch: numberOrNull.optional(),
  end_epoch: numberOrNull.optional(),
  finalized: z.boolean().optional(),
  finalized_cpt: numberOrNull.optional(),
  is_outside_path: z.boolean().nullable().optional(),
  exited_path: z.boolean().nullable().optional(),
  checkpoints: z.array(z.looseObject({ id: z.string().optional() })).optional()
})
export type RouteState = z.infer<typeof routeState>
