import { z } from 'zod'
import type { OperationKind } from '../kind.ts'

export const officeNotePayload = z.object({ vid: z.number(), vehicle: z.string(), imei: z.string(), why: z.string() })
export type OfficeNotePayload = z.infer<typeof officeNotePayload>

export interface OfficeNoteGateway {
  /** IMEI of the device that the gateway shows for the vehicle now; null when it has none. */
  readDeviceOf(vid: number, signal: AbortSignal): Promise<string | null>
}

export const officeNoteKind = 'note.assignDevice'

/** What Fitter may not do by itself, kept until it is seen at the gateway or a person closes it. Nothing is ever sent. */
export function officeNote(gateway: OfficeNoteGateway): OperationKind<OfficeNotePayload> {
  async function isDone({ vid, imei }: OfficeNotePayload, signal: AbortSignal): Promise<boolean> {
    return (await gateway.readDeviceOf(vid, signal)) === imei
  }
  return {
    kind: officeNoteKind,
    payload: officeNotePayload,
    resendWhenAbsent: false,
    maxAttempts: 1_000,
    async finalise(payload, signal) {
      if (await isDone(payload, signal)) return { kind: 'ready', payload, key: officeNoteKey(payload), title: officeNoteTitle(payload) }
      return { kind: 'stuck', reason: `For the back office: ${payload.why} The gateway does not show device ${payload.imei} in ${payload.vehicle} yet.` }
    },
    async send(payload, signal) {
      const shown = await isDone(payload, signal)
      return { what: shown ? 'The gateway shows the device in the vehicle.' : 'The gateway showed the device in the vehicle a moment ago.', raw: { shown } }
    },
    async look(payload, { signal }) {
      return (await isDone(payload, signal))
        ? { seen: 'found', what: 'The gateway shows the device in the vehicle.', raw: null }
        : { seen: 'absent', what: 'The gateway does not show the device in the vehicle.', raw: null }
    }
  }
}

export function officeNoteKey({ vid }: Pick<OfficeNotePayload, 'vid'>): string {
  return `note:vehicle:${vid}`
}

export function officeNoteTitle({ vehicle, imei }: OfficeNotePayload): string {
  return `Back office: give ${vehicle} the device ${imei}`
}
