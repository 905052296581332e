import { removeHiddenMarks } from '../../../preload/base/messages/hiddenMarks.ts'
import type { DiagnosisSubject } from '../../../preload/contract/support/diagnosis.ts'
import { useDevices } from '../../device/devices/devices.store.ts'
import { diagnoseHref, isImei } from '../../base/shell/diagnoseSubject.ts'
import { t } from '../../base/texts.ts'
import { bestOf } from '../find/findLine.ts'
import type { FoundLine } from '../find/foundLines.ts'
import { wantedWords } from '../find/matching.ts'

/**
 * The diagnosis subject for a line of "Find or do"; null when the line is neither a vehicle nor a device nor a job of
 * one.
 */
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

const mostFound = 20

/** The lines that name a subject, each with the address of its diagnosis. */
export function withSubject(found: readonly FoundLine[]) {
  return found.flatMap((line) => {
    const subject = subjectOf(line)
    return subject === null ? [] : [{ ...line, href: diagnoseHref(subject) }]
  })
}

/** The best subjects for the typed words. The gateway may know a device that this computer has never seen. */
export function foundSubjects(given: string, lines: readonly FoundLine[]) {
  const typed = removeHiddenMarks(given).trim()
  const best = bestOf(lines, wantedWords(typed), mostFound)
  const byNumber =
    isImei(typed) && !best.some((line) => (line.device?.imei ?? line.imei) === typed)
      ? [
          {
            id: `imei ${typed}`,
            icon: 'devices' as const,
            title: t('common.deviceDevice', { device: typed }),
            note: t('common.atTheGateway'),
            href: diagnoseHref({ imei: typed })
          }
        ]
      : []
  return [...withSubject(best), ...byNumber]
}
