import { z } from 'zod'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { OperationKind } from '../kind.ts'
import { createReferenced, type ReferencedGateway } from './referenced.ts'

export const geofencePayload = z.object({
  name: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  radiusM: z.number(),
  ref: z.string()
})
export type GeofencePayload = z.infer<typeof geofencePayload>

export const geofencesCreateKind = 'geofences.create'

export function geofenceTitle({ name, radiusM }: Pick<GeofencePayload, 'name' | 'radiusM'>): Message {
  return message('operations.createFence', { name, radiusM: Math.round(radiusM) })
}

/** Creates a private circle, with our reference in its custom properties. */
export function geofencesCreate(gateway: ReferencedGateway<GeofencePayload>): OperationKind<GeofencePayload> {
  return createReferenced({
    kind: geofencesCreateKind,
    payload: geofencePayload,
    title: geofenceTitle,
    what: 'geofence',
    maxAttempts: 3,
    gateway
  })
}
