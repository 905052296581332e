import { z } from 'zod'
import type { Json } from '../../../../preload/contract/define.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { OperationKind } from '../kind.ts'
import { nameOf, type AssetNames } from './assetName.ts'
import { fromCopy } from './fromCopy.ts'

export const btTagPayload = z.object({ mac: z.string(), assetId: z.number(), assetName: z.string(), ...fromCopy })
export type BtTagPayload = z.infer<typeof btTagPayload>

export interface BtTagGateway extends AssetNames {
  /** `PUT /bt_tags/:mac`; resolves only on a success reply. */
  assignTag(mac: string, assetId: number, signal: AbortSignal): Promise<Json>
  /** Assets in later events with this tag, newest last, and the gateway's time. */
  findTagOwners(
    mac: string,
    request: { sinceMs: number; wording: 1 | 2; signal: AbortSignal }
  ): Promise<{ owners: number[]; nowMs: number; raw: Json }>
}

export const btTagsAssignKind = 'btTags.assign'
/** Later than this, another person may have assigned the tag, and no list would show it. */
const resendWithinMs = 15 * 60_000

export function btTagKey(mac: string): string {
  return `tag:${mac}`
}

export function btTagTitle({ mac, assetName }: BtTagPayload): Message {
  return message('operations.assignTag', { mac, asset: assetName })
}

/**
 * Assigns a Bluetooth tag to an asset. No list of tags is documented: the reply is the proof, or an event with the tag.
 */
export function btTagsAssign(gateway: BtTagGateway): OperationKind<BtTagPayload> {
  return {
    kind: btTagsAssignKind,
    payload: btTagPayload,
    title: btTagTitle,
    resendWhenAbsent: true,
    maxAttempts: 3,
    newerReplaces: true,
    async send({ mac, assetId }, signal) {
      return { what: message('operations.tagAccepted'), raw: await gateway.assignTag(mac, assetId, signal) }
    },
    async look({ mac, assetId, assetName }, { sinceMs, wording, signal }) {
      if (sinceMs === undefined) return { seen: 'unreadable', what: message('operations.noListOfTags'), raw: null }
      const { owners, nowMs, raw } = await gateway.findTagOwners(mac, { sinceMs, wording, signal })
      const newest = owners.at(-1)
      if (newest === assetId)
        return { seen: 'found', what: message('operations.tagSeen', { mac, asset: assetName }), raw }
      if (newest !== undefined)
        return {
          seen: 'conflict',
          what: message('operations.tagOfAnother', { mac, asset: await nameOf(gateway, newest, signal) }),
          raw
        }
      if (nowMs - sinceMs > resendWithinMs) {
        return { seen: 'unreadable', what: message('operations.tagNotSeen', { mac, withinMs: resendWithinMs }), raw }
      }
      return { seen: 'absent', what: message('operations.tagNotSeenYet', { mac }), raw }
    }
  }
}
