import type { Evidence } from '../../../../preload/contract/support/evidence.ts'
import type { Snapshot } from '../../../../preload/contract/support/snapshots.ts'

/** A snapshot as evidence of its moment: the chain and the table use it like evidence from a live device. */
export function evidenceOf({ takenAt, device, readings: all, gateway }: Snapshot): Evidence {
  const { 'updates.osCheck': _update, ...readings } = all
  return {
    at: takenAt,
    imei: device.imei,
    vehicleText: null,
    device: { state: 'answers', why: null, host: device.host, readings, lately: null },
    gateway,
    expected: { apn: null, simId: null, from: null }
  }
}
