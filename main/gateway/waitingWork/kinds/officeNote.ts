import { z } from 'zod'
import type { Json } from '../../../../preload/contract/define.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import { messageSchema } from '../../../../preload/contract/base/messageSchema.ts'
import type { OperationKind } from '../kind.ts'

export const officeNotePayload = z.object({
  vid: z.number(),
  vehicle: z.string(),
  imei: z.string(),
  /** Why a person must do it. */ why: messageSchema
})
export type OfficeNotePayload = z.infer<typeof officeNotePayload>

export interface OfficeNoteGateway {
  /** IMEI of the vehicle's current device at the gateway; null when it has none. */
  readDeviceOf(vid: number, signal: AbortSignal): Promise<string | null>
}

/** The gateway administrator works at its own pace; the note closes automatically when it is done. */
const lookAgainMs = 5 * 60_000

export const officeNoteKind = 'note.assignDevice'

/**
 * Something that Fitter may not do itself, kept until it appears at the gateway or a person closes it. Nothing is ever
 * sent.
 */
export function officeNote(gateway: OfficeNoteGateway): OperationKind<OfficeNotePayload> {
  async function isDone({ vid, imei }: OfficeNotePayload, signal: AbortSignal): Promise<boolean> {
    return (await gateway.readDeviceOf(vid, signal)) === imei
  }
  return {
    kind: officeNoteKind,
    payload: officeNotePayload,
    title: officeNoteTitle,
    resendWhenAbsent: false,
    maxAttempts: 1_000,
    newerReplaces: true,
    lookAgainMs,
    async finalise(payload, signal) {
      if (await isDone(payload, signal))
        return {
          kind: 'ready',
          payload: payload as unknown as Json,
          key: officeNoteKey(payload),
          title: officeNoteTitle(payload)
        }
      return {
        kind: 'stuck',
        reason: message('operations.forBackOffice', {
          why: payload.why,
          imei: payload.imei,
          vehicle: payload.vehicle
        })
      }
    },
    async send(payload, signal) {
      const shown = await isDone(payload, signal)
      return { what: message(shown ? 'operations.deviceInVehicle' : 'operations.deviceWasInVehicle'), raw: { shown } }
    },
    async look(payload, { signal }) {
      return (await isDone(payload, signal))
        ? { seen: 'found', what: message('operations.deviceInVehicle'), raw: null }
        : { seen: 'absent', what: message('operations.deviceNotInVehicle'), raw: null }
    }
  }
}

export function officeNoteKey({ vid }: Pick<OfficeNotePayload, 'vid'>): string {
  return `note:vehicle:${vid}`
}

export function officeNoteTitle({ vehicle, imei }: Pick<OfficeNotePayload, 'vehicle' | 'imei'>): Message {
  return message('operations.officeNote', { vehicle, imei })
}
