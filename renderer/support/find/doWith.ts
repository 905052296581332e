import { formatDay } from '../../base/format.ts'
import { goTo } from '../../base/shell/router.ts'
import { t } from '../../base/texts.ts'
import { openDialog } from '../../base/shell/dialogs.ts'
import { goDiagnose } from '../../base/shell/diagnoseSubject.ts'
import { subjectOf } from '../diagnosis/subjectLines.ts'
import { useDevices } from '../../device/devices/devices.store.ts'
import { isReadyForJob } from '../../device/devices/standings.ts'
import { useJobs } from '../../base/shell/jobs.store.ts'
import { isClosed } from '../../base/shell/jobStage.ts'
import { saveReport } from '../../job/run/done/useReport.ts'
import type { FindLine } from './findLine.ts'
import type { FoundLine } from './foundLines.ts'
import { vehicleNameOf } from '../../../preload/job/vehicleName.ts'

const firstKeys = 'ctrl+enter'

/** Actions for the best result; the first one also with Ctrl and Enter. */
export function doWith(best: FoundLine, found: readonly FoundLine[]): { name: string; lines: FindLine[] } {
  const lines = [...jobOf(best), ...diagnosisOf(best), ...reportOf(best, found), ...placesOf(best)]
  const [first, ...others] = lines
  return { name: nameOf(best), lines: first ? [{ ...first, keys: firstKeys }, ...others] : [] }
}

function nameOf({ vehicle, job, title }: FoundLine): string {
  if (vehicle) return vehicle.plate || vehicle.name
  return (job && vehicleNameOf(job)) || title
}

/** Starts a job, or continues the open one. */
function jobOf(best: FoundLine): FindLine[] {
  const devices = useDevices()
  const jobs = useJobs()
  const imei = best.vehicle?.imei ?? best.device?.imei ?? null
  const open = jobs.openJobs.find((job) =>
    best.vehicle ? job.vehicle?.id === best.vehicle.id : imei !== null && job.device.imei === imei
  )
  // A part of a device, or a device that is not connected, can only be opened.
  if (!best.vehicle && !best.device) return []
  if (open) {
    return [
      {
        id: 'do continue',
        kind: 'action',
        icon: 'play',
        title: t('common.continueJob'),
        note: t('windowPalette.openJob', { done: open.stepsDone, total: open.stepsTotal }),
        act: () => goTo('job', open.id)
      }
    ]
  }
  const near = best.device ?? (imei === null ? undefined : devices.byImei(imei))
  if (best.device && !best.device.signedIn && best.device.standing === 'needsSignIn') {
    const { key } = best.device
    return [
      {
        id: 'do signIn',
        kind: 'action',
        icon: 'lock',
        title: t('common.signIn'),
        note: '',
        act: () => openDialog({ what: 'signIn', deviceKey: key })
      }
    ]
  }
  const isHere = near !== undefined && isReadyForJob(near)
  if (best.device && !isHere) return []
  return [
    {
      id: 'do start',
      kind: 'action',
      icon: 'play',
      title: t('common.startAJob'),
      note: isHere
        ? ''
        : near && near.standing !== 'lost'
          ? t(`windowDevices.standing.${near.standing}`)
          : t('windowPalette.chooseDevice'),
      act: () =>
        openDialog({
          what: 'newJob',
          deviceKey: isHere ? near.key : '',
          vehicleText: best.vehicle?.plate ?? best.vehicle?.name
        })
    }
  ]
}

function diagnosisOf(best: FoundLine): FindLine[] {
  const subject = subjectOf(best)
  return subject === null
    ? []
    : [
        {
          id: 'do diagnose',
          kind: 'action',
          icon: 'pulse',
          title: t('windowDiagnosis.open'),
          note: t('common.deviceAndGateway'),
          act: () => goDiagnose(subject)
        }
      ]
}

/** The report of the job itself, or of the latest job of the found vehicle. */
function reportOf(best: FoundLine, found: readonly FoundLine[]): FindLine[] {
  const last =
    best.job ??
    found.find(({ job }) => job && best.vehicle && job.vehicle?.id === best.vehicle.id && isClosed(job.state))?.job
  if (!last || last.damage !== null) return []
  return [
    {
      id: 'do report',
      kind: 'action',
      icon: 'file',
      title: best.job ? t('common.report') : t('windowPalette.lastReport'),
      note: t('windowPalette.reportNote', { day: formatDay(last.updatedAt) }),
      act: () => saveReport(last.id, 'pdf')
    }
  ]
}

function placesOf({ vehicle, job }: FoundLine): FindLine[] {
  const devices = useDevices()
  const near = job ? devices.byImei(job.device.imei) : vehicle?.imei ? devices.byImei(vehicle.imei) : undefined
  const id = vehicle?.id ?? job?.vehicle?.id
  return [
    ...(near
      ? [
          {
            id: 'do device',
            kind: 'action',
            icon: 'devices',
            title: t('windowPalette.itsDevice'),
            note: `…${near.imei?.slice(-6) ?? near.key}`,
            act: () => goTo('device', near.key)
          } satisfies FindLine
        ]
      : []),
    ...(job && id !== undefined
      ? [
          {
            id: 'do vehicle',
            kind: 'action',
            icon: 'vehicle',
            title: t('windowPalette.itsVehicle'),
            note: job.vehicle?.name ?? '',
            act: () => goTo('vehicle', String(id))
          } satisfies FindLine
        ]
      : []),
    ...(vehicle
      ? [
          {
            id: 'do accessories',
            kind: 'action',
            icon: 'key',
            title: t('windowPalette.accessories'),
            note: '',
            act: () => goTo('accessories', String(vehicle.id))
          } satisfies FindLine
        ]
      : []),
    ...(vehicle
      ? [
          {
            id: 'do events',
            kind: 'action',
            icon: 'chart',
            title: t('common.events'),
            note: '',
            act: () => goTo('events', String(vehicle.id))
          } satisfies FindLine
        ]
      : [])
  ]
}
