import { z } from 'zod'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { OperationKind } from '../kind.ts'
import { createReferenced, type ReferencedGateway } from './referenced.ts'

export const assetPayload = z.object({ name: z.string(), type: z.string(), groups: z.array(z.number()), ref: z.string() })
export type AssetPayload = z.infer<typeof assetPayload>

export const assetsCreateKind = 'assets.create'

export function assetTitle({ name, type }: Pick<AssetPayload, 'name' | 'type'>): Message {
  return message('operations.createAsset', { type, name })
}

/** Creates an asset, with our reference in its `info`; sent again once, after it was proven absent. */
export function assetsCreate(gateway: ReferencedGateway<AssetPayload>): OperationKind<AssetPayload> {
  return createReferenced({ kind: assetsCreateKind, payload: assetPayload, title: assetTitle, what: 'asset', maxAttempts: 2, gateway, giveResult: true })
}
