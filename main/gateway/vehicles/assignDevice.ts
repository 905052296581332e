import { AppError } from '../../../preload/contract/errors.ts'
import type { CallOutput, CallParsed } from '../../../preload/contract/index.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { GatewayClient } from '../client/client.ts'
import { changedFields, type VehicleGateway } from '../client/vehicles/vehicles.ts'
import type { Operations } from '../waitingWork/engine.ts'
import { officeNoteKey, officeNoteKind, officeNoteTitle } from '../waitingWork/kinds/officeNote.ts'
import { pause } from '../../base/time/pause.ts'

export interface AssignParts {
  client(): Promise<GatewayClient>
  vehicles: Pick<VehicleGateway, 'readDeviceOf'>
  operations: Pick<Operations, 'add' | 'sendNow' | 'endLive'>
  sendSoon(): void
}

type Assigned = CallOutput<'vehicles.assignDevice'>

const readBackPauseMs = 1_500
const readBackTimes = 4

/**
 * Assigns this device once, and reads back. An unconfirmed result leaves a note for the gateway administrator and is
 * never repeated.
 */
export async function assignDevice(
  parts: AssignParts,
  { id, imei }: CallParsed<'vehicles.assignDevice'>,
  signal: AbortSignal
): Promise<Assigned> {
  const { operations } = parts
  const client = await parts.client()
  const before = await client.vehicles.get({ id }, { signal })
  const vehicle = typeof before.value.name === 'string' ? before.value.name : undefined
  const name = vehicle ?? String(id)

  function leaveNote(why: Message): string {
    const payload = { vid: id, vehicle: name, imei, why: { ...why } }
    const work = {
      kind: officeNoteKind,
      key: officeNoteKey(payload),
      title: officeNoteTitle(payload),
      payload: payload as never,
      jobId: null,
      draft: true
    }
    const { id: operationId } = operations.add(work)
    parts.sendSoon()
    return operationId
  }

  let sent
  try {
    sent = await operations.sendNow({
      kind: 'vehicles.assignDevice',
      key: `vehicle:${id}`,
      payload: { id, device: imei, vehicle: name },
      jobId: null,
      imei,
      // The caller may stop waiting; the request continues, because its outcome would otherwise stay unknown.
      send: () => client.assignDevice({ id, device: Number(imei) }, {}),
      read: ({ raw }) => ({ what: message('vehicles.assignTaken'), raw: (raw ?? null) as never, isProof: false })
    })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return {
      kind: 'notAssigned',
      detail: message('vehicles.notAssigned', { why: error.sentence }),
      operationId: leaveNote(error.sentence)
    }
  }

  const seen = await readBack(parts, { client, id, imei, signal })
  if (seen.kind === 'there') {
    const fields = changedFields(before.raw, seen.raw)
    const detail =
      fields.length === 0
        ? message('vehicles.assigned', { imei, vehicle: name })
        : message('vehicles.changedMore', { imei, vehicle: name, fields: fields.map(({ field }) => field) })
    operations.endLive(sent.id, { state: 'done', reason: detail, raw: (seen.raw ?? null) as never })
    return fields.length === 0 ? { kind: 'assigned', detail } : { kind: 'changedMore', detail, fields }
  }
  const why = whyNotSeen(
    sent.kind === 'unknown' ? sent.error : undefined,
    seen.kind === 'unread' ? seen.error : undefined
  )
  operations.endLive(sent.id, { state: 'expired', reason: why, raw: null })
  const isUnknown = sent.kind === 'unknown' || seen.kind === 'unread'
  return { kind: isUnknown ? 'unknown' : 'notAssigned', detail: why, operationId: leaveNote(why) }
}

function whyNotSeen(lost: AppError | undefined, unread: AppError | undefined): Message {
  if (lost) return message('vehicles.assignUnknown', { why: lost.sentence })
  return unread ? message('vehicles.assignNotReadBack', { why: unread.sentence }) : message('vehicles.assignNotShown')
}

/** unread: the vehicle could not be read; the last failure says why. */
type Seen = { kind: 'there'; raw: unknown } | { kind: 'notThere' } | { kind: 'unread'; error: AppError }

async function readBack(
  { vehicles }: AssignParts,
  { client, id, imei, signal }: { client: GatewayClient; id: number; imei: string; signal: AbortSignal }
): Promise<Seen> {
  let seen: Seen = { kind: 'notThere' }
  for (let time = 1; time <= readBackTimes; time++) {
    try {
      const after = await client.vehicles.get({ id }, { signal })
      if ((await vehicles.readDeviceOf(id, signal)) === imei) return { kind: 'there', raw: after.raw }
      seen = { kind: 'notThere' }
      if (time < readBackTimes) await pause(readBackPauseMs, signal)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      seen = { kind: 'unread', error }
      // Another request is pointless, or the caller has stopped waiting.
      if (error.fate === 'refused' || signal.aborted) return seen
      if (time < readBackTimes) await pause(readBackPauseMs, signal).catch(() => undefined)
    }
  }
  return seen
}
