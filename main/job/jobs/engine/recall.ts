import type { EntityChoice } from '../../../../preload/contract/gateway/gateway.ts'
import { message, plainMessage, type Message } from '../../../../preload/contract/messages.ts'
import type { CopiedRecord } from '../../../gateway/waitingWork/kinds/fromCopy.ts'
import { deferred, type CheckContext, type Outcome } from './check.ts'
import type { LoggedJob } from '../record/journal.ts'
import type { CopiedEntity } from './ports.ts'

type VehicleRef = NonNullable<LoggedJob['vehicle']>

/**
 * The vehicle that a text means while the gateway cannot be reached, if the local copy has exactly one. A copy is no
 * witness.
 */
export async function recallVehicle(
  context: Pick<CheckContext, 'gateway' | 'job' | 'chooseVehicle'>,
  text: string,
  why: Message
): Promise<Outcome> {
  const known = await context.gateway.findCopied('vehicle', text)
  if (known?.kind !== 'one') {
    return deferred(
      known
        ? message('copied.vehicleAsTyped', { text, copiedAt: known.copiedAt ?? '', why })
        : message('jobs.waitsForGateway', { why })
    )
  }
  const { id, name, plate, imei } = known.entity
  const { copiedAt } = known
  context.chooseVehicle({ id, name, ...(plate ? { plate } : {}), copied: { at: copiedAt, imei } })
  const said = { vehicle: nameWithPlate(known.entity), copiedAt: copiedAt ?? '', why }
  const isOther = imei !== null && imei !== context.job.device.imei
  return deferred(
    isOther ? message('copied.vehicleOther', { ...said, digits: imei.slice(-6) }) : message('copied.vehicle', said)
  )
}

/** The job's vehicle, if it came from the local copy and the gateway has not confirmed it yet. */
export function copiedVehicle({ vehicle, device }: Pick<LoggedJob, 'vehicle' | 'device'>): CopiedRecord | undefined {
  if (!vehicle?.copied) return undefined
  const { id, name, plate, copied } = vehicle as VehicleRef & { copied: NonNullable<VehicleRef['copied']> }
  return {
    kind: 'vehicle',
    id,
    name,
    plate: plate ?? null,
    imei: copied.imei,
    ownImei: device.imei,
    copiedAt: copied.at
  }
}

export function copiedAsset(known: CopiedEntity | undefined): CopiedRecord | undefined {
  if (known?.kind !== 'one') return undefined
  const { id, name, plate } = known.entity
  return { kind: 'asset', id, name, plate, imei: null, ownImei: null, copiedAt: known.copiedAt }
}

/** A vehicle, with its plate if that is known. */
export function nameWithPlate({ name, plate }: EntityChoice): Message {
  return plate ? message('vehicle.withPlate', { name, plate }) : plainMessage(name)
}
