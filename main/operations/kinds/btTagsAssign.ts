import { z } from 'zod'
import type { Json } from '../../../preload/contract/define.ts'
import type { OperationKind } from '../kind.ts'

export const btTagPayload = z.object({ mac: z.string(), assetId: z.number(), assetName: z.string() })
export type BtTagPayload = z.infer<typeof btTagPayload>

export interface BtTagGateway {
  /** `PUT /bt_tags/:mac`; resolves only on a success reply. */
  assignTag(mac: string, assetId: number, signal: AbortSignal): Promise<Json>
  /** Assets that events since then name beside this tag, newest last, and the gateway's time. */
  findTagOwners(mac: string, request: { sinceMs: number; wording: 1 | 2; signal: AbortSignal }): Promise<{ owners: number[]; nowMs: number; raw: Json }>
}

export const btTagsAssignKind = 'btTags.assign'
/** Later than this, another person may have assigned the tag anew, and no list would tell. */
const resendWithinMs = 15 * 60_000

export function btTagKey(mac: string): string {
  return `tag:${mac}`
}

export function btTagTitle({ mac, assetName }: BtTagPayload): string {
  return `Assign tag ${mac} to ${assetName}`
}

/**
 * Assigns a Bluetooth tag to an asset. No list of tags is documented: the reply is the proof, and an event that names
 * the tag with our asset the only other witness.
 */
export function btTagsAssign(gateway: BtTagGateway): OperationKind<BtTagPayload> {
  return {
    kind: btTagsAssignKind,
    payload: btTagPayload,
    resendWhenAbsent: true,
    maxAttempts: 3,
    async send({ mac, assetId }, signal) {
      return { what: 'The gateway accepted the tag.', raw: await gateway.assignTag(mac, assetId, signal) }
    },
    async look({ mac, assetId }, { sinceMs, wording, signal }) {
      if (sinceMs === undefined) return { seen: 'unreadable', what: 'The gateway has no list of tags.', raw: null }
      const { owners, nowMs, raw } = await gateway.findTagOwners(mac, { sinceMs, wording, signal })
      const newest = owners.at(-1)
      if (newest === assetId) return { seen: 'found', what: `An event names tag ${mac} with asset ${assetId}.`, raw }
      if (newest !== undefined) return { seen: 'conflict', what: `An event names tag ${mac} with asset ${newest}.`, raw }
      if (nowMs - sinceMs > resendWithinMs) {
        return { seen: 'unreadable', what: `The gateway has no list of tags, and no event of tag ${mac} with an asset came within 15 minutes.`, raw }
      }
      return { seen: 'absent', what: `No event names tag ${mac} with an asset yet.`, raw }
    }
  }
}
