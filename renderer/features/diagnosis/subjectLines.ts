import type { DiagnosisSubject } from '../../../preload/contract/diagnosis/diagnosis.ts'
import { useDevices } from '../devices/devices.store.ts'
import type { FoundLine } from '../find/foundLines.ts'

/** The diagnosis subject for a line of "Find or do"; null when the line is neither a vehicle nor a device nor a job of one. */
export function subjectOf({ vehicle, device, job, imei }: FoundLine): DiagnosisSubject | null {
  if (vehicle) return { vehicleId: vehicle.id }
  if (device) return { key: device.key }
  if (job) {
    // The job's device is certain; the vehicle may have another one by now.
    const near = useDevices().byImei(job.device.imei)
    return near ? { key: near.key } : { imei: job.device.imei }
  }
  return imei === undefined ? null : { imei }
}
