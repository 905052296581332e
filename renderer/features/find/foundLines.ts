import type { KnownDevice, SeenDevice } from '../../../preload/contract/device/discovery.ts'
import type { ListedJob } from '../../../preload/contract/jobs/jobs.ts'
import type { TeamJob } from '../../../preload/contract/team/team.ts'
import { formatAgo, formatWhen } from '../../format.ts'
import { goTo } from '../../shell/router.ts'
import { say } from '../../say.ts'
import { t } from '../../texts.ts'
import { useToasts } from '../../shell/toasts.store.ts'
import { useDevices } from '../devices/devices.store.ts'
import { jobStanding } from '../job/standing.ts'
import { nowOf } from '../team/standing.ts'
import { panelNames, type PanelName } from '../device/panels.ts'
import type { FindLine } from './findLine.ts'
import { piecesOf } from './matching.ts'
import { presentMs } from '../../ui/time/presentTime.ts'
import { call } from '../../bridge.ts'

/** Found by the core through words that may not be visible: ranked after visible matches. */
const foundElsewhere = 0.5

/** A vehicle from the local copy or the gateway, combining both. */
export interface FoundVehicle {
  id: number
  name: string
  plate: string | null
  imei: string | null
}

export interface FoundLine extends FindLine {
  vehicle?: FoundVehicle
  job?: ListedJob
  device?: SeenDevice
  /** For a known device that is not connected. */
  imei?: string
}

export function vehicleLine(vehicle: FoundVehicle, copiedAt: string | null): FoundLine {
  const devices = useDevices()
  const { id, name, plate, imei } = vehicle
  const title = plate === null || plate === '' || plate === name ? name : `${name}, ${plate}`
  const near = imei === null ? undefined : devices.byImei(imei)
  const isHere = near !== undefined && near.standing !== 'lost'
  const device = imei === null ? t('common.noDeviceJobs') : isHere ? t('common.deviceFound') : t('windowPalette.deviceNumber', { number: imei.slice(-6) })
  const note = copiedAt === null ? device : t('windowPalette.asCopied', { device, when: formatAgo(copiedAt, presentMs()) })
  return { id: `vehicle ${String(id)}`, kind: 'vehicle', icon: 'vehicle', title, note, also: imei ?? '', rank: foundElsewhere, vehicle, act: () => goTo('vehicle', String(id)) }
}

export function jobLine(job: ListedJob): FoundLine {
  const standing = jobStanding({ ...job, isDamaged: job.damage !== null }).text
  const title = job.vehicle ? t('windowPalette.jobOf', { vehicle: job.vehicle.name }) : `${say(job.template.name)}, …${job.device.imei.slice(-6)}`
  const note = t('windowPalette.jobNote', { standing, done: job.stepsDone, total: job.stepsTotal, when: formatAgo(job.updatedAt, presentMs()) })
  const also = [job.customer, job.technician, job.device.imei, say(job.template.name)].join(' ')
  return { id: `job ${job.id}`, kind: 'job', icon: 'jobs', title, note, also, rank: foundElsewhere, job, act: () => goTo('job', job.id) }
}

/** A colleague's job: opens read-only. */
export function teamJobLine(job: TeamJob): FoundLine {
  const title = job.vehicle ? t('windowPalette.jobOf', { vehicle: job.vehicle.name }) : `${say(job.template.name)}, …${job.device.imei.slice(-6)}`
  const note = t('windowTeamScreen.found', { holder: job.holder || t('windowTeamScreen.nobody'), standing: nowOf(job).text })
  const also = [job.customer, job.technician, job.device.imei, job.vehicle?.plate ?? ''].join(' ')
  return { id: `team ${job.id}`, kind: 'job', icon: 'team', title, note, also, rank: foundElsewhere, act: () => goTo('team-job', job.id) }
}

export function deviceLine(device: SeenDevice): FoundLine {
  const devices = useDevices()
  const card = devices.cardOf(device)
  const number = device.imei === null ? (device.hostname ?? device.key) : `…${device.imei.slice(-6)}`
  const title = device.lastVehicle === null ? t('common.deviceDevice', { device: number }) : t('windowPalette.deviceIn', { device: number, vehicle: device.lastVehicle })
  const note = [t(`windowDevices.standing.${device.standing}`), card ? t(`windowDevices.card.on.${card.kind}`) : ''].filter(Boolean).join(', ')
  const also = [device.imei, device.model, device.label, device.hostname, ...device.addresses].filter(Boolean).join(' ')
  return { id: `device ${device.key}`, kind: 'device', icon: 'devices', title, note, also, device, act: () => goTo('device', device.key) }
}

/** The parts of a device's workspace, found by their name: the device's number alone means the device. */
export function partLines(device: SeenDevice, words: readonly string[]): FoundLine[] {
  const number = device.imei === null ? device.key : `…${device.imei.slice(-6)}`
  const also = [device.imei, device.label, device.lastVehicle].filter(Boolean).join(' ')
  const isCalled = (part: PanelName) => piecesOf(t(`windowWorkspace.panel.${part}`), words).some(({ isHit }) => isHit)
  return panelNames.filter(isCalled).map((part) => ({
    id: `device ${device.key} ${part}`,
    kind: 'device',
    icon: 'devices',
    title: t('windowPalette.partOf', { part: t(`windowWorkspace.panel.${part}`), device: number }),
    note: device.lastVehicle ?? '',
    also,
    act: () => goTo('device', device.key, part)
  }))
}

/** A known device that is not connected: Fitter can search for it. */
export function absentLine({ imei, label, model, lastVehicle, lastSeenAt }: KnownDevice): FoundLine {
  const number = `…${imei.slice(-6)}`
  const title = lastVehicle === null ? t('common.deviceDevice', { device: number }) : t('windowPalette.deviceIn', { device: number, vehicle: lastVehicle })
  const note = t('windowPalette.absent', { when: formatWhen(lastSeenAt) })
  return { id: `device ${imei}`, kind: 'device', icon: 'devices', title, note, also: `${imei} ${label} ${model}`, rank: foundElsewhere, imei, act: () => lookFor(imei) }
}

async function lookFor(imei: string): Promise<void> {
  const result = await call('discovery.findImei', { imei })
  if (result.kind === 'found') goTo('device', result.device.key)
  else useToasts().say(say(result.detail))
}
