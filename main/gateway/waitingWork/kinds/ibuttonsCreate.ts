import { z } from 'zod'
import type { Json } from '../../../../preload/contract/define.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { OperationKind } from '../kind.ts'
import { nameOf, type AssetNames } from './assetName.ts'
import { resolveName, type NameSearch } from './exactName.ts'
import { fromCopy } from './fromCopy.ts'
import { madeAsset } from './madeAsset.ts'

/** The asset may be named by text only while the gateway cannot be reached, or while it must still be created. */
export const ibuttonPayload = z.object({
  id: z.string(),
  assetId: z.number().nullable(),
  assetName: z.string(),
  ...fromCopy
})
export type IbuttonPayload = z.infer<typeof ibuttonPayload>

export interface IbuttonGateway extends NameSearch, AssetNames {
  /** `POST /ibuttons`; resolves only on a success reply. */
  registerKey(id: string, assetId: number, signal: AbortSignal): Promise<Json>
  /** The owner of the key; undefined when no list shows it. */
  findKey(
    id: string,
    assetId: number,
    request: { wording: 1 | 2; signal: AbortSignal }
  ): Promise<{ assetId: number | null | undefined; raw: Json }>
}

export const ibuttonsCreateKind = 'ibuttons.create'

export function ibuttonKey(id: string): string {
  return `ibutton:${id.toUpperCase()}`
}

export function ibuttonTitle({ id, assetName }: IbuttonPayload): Message {
  return message('operations.registerKey', { key: id, asset: assetName })
}

/** Registers a key fob. A repetition can only answer 409, so it may be sent again. */
export function ibuttonsCreate(gateway: IbuttonGateway): OperationKind<IbuttonPayload> {
  return {
    kind: ibuttonsCreateKind,
    payload: ibuttonPayload,
    title: ibuttonTitle,
    resendWhenAbsent: true,
    maxAttempts: 3,
    newerReplaces: true,
    receive(payload, part, result) {
      if (part !== 'asset') return payload
      const asset = madeAsset.parse(result)
      return { ...payload, assetId: asset.id, assetName: asset.text }
    },
    choose: (payload, { id, name }) => ({ ...payload, assetId: id, assetName: name }),
    async finalise(payload, signal) {
      if (payload.assetId !== null)
        return { kind: 'ready', payload, key: ibuttonKey(payload.id), title: ibuttonTitle(payload) }
      const asset = await resolveName(gateway, 'asset', { id: null, text: payload.assetName }, signal)
      if ('reason' in asset) return { kind: 'stuck', ...asset }
      const complete = { id: payload.id, assetId: asset.id, assetName: asset.text }
      return { kind: 'ready', payload: complete, key: ibuttonKey(payload.id), title: ibuttonTitle(complete) }
    },
    async send({ id, assetId }, signal) {
      return { what: message('operations.keyAccepted'), raw: await gateway.registerKey(id, required(assetId), signal) }
    },
    async look({ id, assetId, assetName }, { wording, signal }) {
      const { assetId: owner, raw } = await gateway.findKey(id, required(assetId), { wording, signal })
      if (owner === undefined) return { seen: 'absent', what: message('operations.keyNotListed', { key: id }), raw }
      if (owner === assetId)
        return { seen: 'found', what: message('operations.keyListed', { key: id, asset: assetName }), raw }
      if (owner === null) return { seen: 'conflict', what: message('operations.keyOfNobody', { key: id }), raw }
      return {
        seen: 'conflict',
        what: message('operations.keyOfAnother', { key: id, asset: await nameOf(gateway, owner, signal) }),
        raw
      }
    }
  }
}

function required(assetId: number | null): number {
  if (assetId === null) throw new Error('A key was sent before its asset was known')
  return assetId
}
