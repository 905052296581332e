import { z } from 'zod'
import type { Json } from '../../../../preload/contract/define.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { OperationKind } from '../kind.ts'

/** `resourceId`: the API id of the SIM record, which is not its 20-digit number. */
export const simPayload = z.object({ iccid: z.string(), resourceId: z.number().nullable(), lineNumber: z.string() })
export type SimPayload = z.infer<typeof simPayload>

export interface SimGateway {
  /** Null when the gateway shows no such SIM. The second wording uses the other id. */
  readSim(
    sim: { iccid: string; resourceId: number | null },
    request: { wording: 1 | 2; signal: AbortSignal }
  ): Promise<{ resourceId: number | null; lineNumber: string | null; raw: Json } | null>
  updateSim(resourceId: number, lineNumber: string, signal: AbortSignal): Promise<Json>
}

export const simsUpdateKind = 'sims.update'
const baselineForm = z.object({ lineNumber: z.string().nullable() })

export function simKey(iccid: string): string {
  return `sim:${iccid}`
}

export function simTitle({ iccid, lineNumber }: SimPayload): Message {
  return message('operations.setSimNumber', { iccid, lineNumber })
}

/** Writes the phone number of a SIM. It is sent again only while the number is unchanged. */
export function simsUpdate(gateway: SimGateway): OperationKind<SimPayload> {
  return {
    kind: simsUpdateKind,
    payload: simPayload,
    title: simTitle,
    resendWhenAbsent: true,
    maxAttempts: 3,
    newerReplaces: true,
    async finalise(payload, signal) {
      const sim = await gateway.readSim(payload, { wording: 1, signal })
      const resourceId = payload.resourceId ?? sim?.resourceId ?? null
      if (resourceId === null)
        return { kind: 'stuck', reason: message('operations.simNotShownYet', { iccid: payload.iccid }) }
      const complete = { ...payload, resourceId }
      return { kind: 'ready', payload: complete, key: simKey(payload.iccid), title: simTitle(complete) }
    },
    async baseline(payload, signal) {
      const sim = await gateway.readSim(payload, { wording: 1, signal })
      return { lineNumber: sim?.lineNumber ?? null }
    },
    async send({ resourceId, lineNumber }, signal) {
      if (resourceId === null) throw new Error('A SIM was sent before its record was known')
      return {
        what: message('operations.numberAccepted'),
        raw: await gateway.updateSim(resourceId, lineNumber, signal)
      }
    },
    async look(payload, { baseline, wording, signal }) {
      const sim = await gateway.readSim(payload, { wording, signal })
      if (!sim) return { seen: 'unreadable', what: message('operations.simNotShown'), raw: null }
      const what =
        sim.lineNumber === null || sim.lineNumber === ''
          ? message('operations.simHasNoNumber')
          : message('operations.simShows', { lineNumber: sim.lineNumber })
      if (sim.lineNumber === payload.lineNumber) return { seen: 'found', what, raw: sim.raw }
      const before = baselineForm.safeParse(baseline)
      const isAsBefore = before.success && (before.data.lineNumber ?? '') === (sim.lineNumber ?? '')
      return { seen: isAsBefore ? 'absent' : 'conflict', what, raw: sim.raw }
    }
  }
}
