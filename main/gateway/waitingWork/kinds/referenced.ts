import type { z } from 'zod'
import type { Json } from '../../../../preload/contract/define.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { OperationKind } from '../kind.ts'

export interface ReferencedGateway<Payload> {
  /** Resolves only on a success reply. */
  create(payload: Payload, signal: AbortSignal): Promise<Json>
  /**
   * Whether a record with the reference exists; null when the answer does not tell. The second wording reads all pages.
   */
  hasReference(
    ref: string,
    request: { wording: 1 | 2; signal: AbortSignal }
  ): Promise<{ found: boolean | null; id: number | null; raw: Json }>
}

/** A new record at the gateway that is recognised by our reference inside it. */
export function createReferenced<Payload extends { ref: string; name: string }>(options: {
  kind: string
  payload: z.ZodType<Payload>
  title: (payload: NoInfer<Payload>) => Message
  what: 'asset' | 'trigger' | 'geofence'
  maxAttempts: number
  gateway: ReferencedGateway<Payload>
  giveResult?: boolean
}): OperationKind<Payload> {
  const { kind, payload, title, what, maxAttempts, gateway, giveResult = false } = options
  return {
    kind,
    payload,
    title,
    resendWhenAbsent: true,
    maxAttempts,
    giveResult,
    async send(work, signal) {
      return { what: message('operations.newAccepted', { what }), raw: await gateway.create(work, signal) }
    },
    async look({ ref, name }, { wording, signal }) {
      const { found, id, raw } = await gateway.hasReference(ref, { wording, signal })
      if (found === null) return { seen: 'unreadable', what: message('operations.newUnreadable', { what }), raw }
      if (!found) return { seen: 'absent', what: message('operations.newNotShown', { what, name }), raw }
      return {
        seen: 'found',
        what: message('operations.newShown', { what, name }),
        raw,
        ...(giveResult && id !== null ? { result: { id, text: name } } : {})
      }
    }
  }
}
