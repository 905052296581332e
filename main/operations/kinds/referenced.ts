import type { z } from 'zod'
import type { Json } from '../../../preload/contract/define.ts'
import type { OperationKind } from '../kind.ts'

export interface ReferencedGateway<Payload> {
  /** Resolves only on a success reply. */
  create(payload: Payload, signal: AbortSignal): Promise<Json>
  /** Whether a record with the reference is there; null where the answer does not show it. The second wording walks all pages. */
  hasReference(ref: string, request: { wording: 1 | 2; signal: AbortSignal }): Promise<{ found: boolean | null; raw: Json }>
}

/** Something new at the gateway that is recognised by a reference of ours inside it. */
export function createReferenced<Payload extends { ref: string }>(options: {
  kind: string
  payload: z.ZodType<Payload>
  /** What it is called, such as "the trigger". */
  what: string
  maxAttempts: number
  gateway: ReferencedGateway<Payload>
}): OperationKind<Payload> {
  const { kind, payload, what, maxAttempts, gateway } = options
  return {
    kind,
    payload,
    resendWhenAbsent: true,
    maxAttempts,
    async send(work, signal) {
      return { what: `The gateway accepted ${what}.`, raw: await gateway.create(work, signal) }
    },
    async look({ ref }, { wording, signal }) {
      const { found, raw } = await gateway.hasReference(ref, { wording, signal })
      if (found === null) return { seen: 'unreadable', what: `The gateway's answer does not show ${what} or its reference.`, raw }
      return found ? { seen: 'found', what: `The gateway shows ${what} with ${ref}.`, raw } : { seen: 'absent', what: `The gateway does not show ${what} with ${ref}.`, raw }
    }
  }
}
