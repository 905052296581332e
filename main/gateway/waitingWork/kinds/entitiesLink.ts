import { z } from 'zod'
import type { Json } from '../../../../preload/contract/define.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { OperationKind } from '../kind.ts'
import { resolveName, type NameSearch } from './exactName.ts'
import { fromCopy } from './fromCopy.ts'
import { madeAsset } from './madeAsset.ts'

const side = z.object({ id: z.number().nullable(), text: z.string() })

/** Either side may be named by text only while the gateway cannot be reached. */
export const linkPayload = z.object({ primary: side, secondary: side, ...fromCopy })
export type LinkPayload = z.infer<typeof linkPayload>

export interface LinkGateway extends NameSearch {
  /** `POST /entities/link` resolves only on a readable success reply. */
  client(): Promise<{
    entities: {
      link(
        sides: { primary_id: number; secondary_id: number },
        options: { signal: AbortSignal; priority: 'person' }
      ): Promise<{ status: number; raw?: unknown }>
    }
  }>
  /** Whether the history of `GET /vehicles/:id` has it since `sinceMs`; `sure` when that was readable. */
  findLink(
    primaryId: number,
    secondaryId: number,
    request: { sinceMs: number | undefined; wording: 1 | 2; signal: AbortSignal }
  ): Promise<{ found: boolean; sure: boolean; raw: Json }>
}

export const linkKind = 'entities.link'

export function linkKey(primary: LinkPayload['primary']): string {
  return `vehicle:${primary.id ?? primary.text}`
}

/**
 * Links a vehicle with an asset. A history entry counts, not the current state: a key fob may have replaced the link.
 */
export function entitiesLink(gateway: LinkGateway): OperationKind<LinkPayload> {
  return {
    kind: linkKind,
    payload: linkPayload,
    title: linkTitle,
    resendWhenAbsent: true,
    maxAttempts: 3,
    receive: (payload, part, result) =>
      part === 'secondary' ? { ...payload, secondary: madeAsset.parse(result) } : payload,
    choose: (payload, { kind, id, name }) => ({
      ...payload,
      [kind === 'vehicle' ? 'primary' : 'secondary']: { id, text: name }
    }),
    async finalise(payload, signal) {
      const primary = await resolveName(gateway, 'vehicle', payload.primary, signal)
      if ('reason' in primary) return { kind: 'stuck', ...primary }
      const secondary = await resolveName(gateway, 'asset', payload.secondary, signal)
      if ('reason' in secondary) return { kind: 'stuck', ...secondary }
      return {
        kind: 'ready',
        payload: { primary, secondary },
        key: linkKey(primary),
        title: linkTitle({ primary, secondary })
      }
    },
    async send(payload, signal) {
      const { primary, secondary } = complete(payload)
      const { entities } = await gateway.client()
      const { status, raw } = await entities.link(
        { primary_id: primary, secondary_id: secondary },
        { signal, priority: 'person' }
      )
      return { what: message('operations.linkAccepted'), raw: { status, answer: (raw ?? null) as Json } }
    },
    async look(payload, { sinceMs, wording, signal }) {
      const { primary, secondary } = complete(payload)
      const { found, sure, raw } = await gateway.findLink(primary, secondary, { sinceMs, wording, signal })
      if (found) return { seen: 'found', what: message('operations.linkSeen', { asset: payload.secondary.text }), raw }
      return sure
        ? { seen: 'absent', what: message('operations.linkNotSeen', { asset: payload.secondary.text }), raw }
        : { seen: 'unreadable', what: message('operations.historyNotShown'), raw }
    }
  }
}

export function linkTitle({ primary, secondary }: LinkPayload): Message {
  return message('operations.link', { vehicle: primary.text, asset: secondary.text })
}

function complete(payload: LinkPayload): { primary: number; secondary: number } {
  const primary = payload.primary.id
  const secondary = payload.secondary.id
  if (primary === null || secondary === null) throw new Error('A link was sent before both of its sides were known')
  return { primary, secondary }
}
