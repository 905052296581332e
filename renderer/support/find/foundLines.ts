import type { KnownDevice, SeenDevice } from '../../../preload/contract/device/discovery.ts'
import type { ListedJob } from '../../../preload/contract/job/jobs.ts'
import type { TeamJob } from '../../../preload/contract/team/team.ts'
import type { VehicleState } from '../../../preload/contract/gateway/vehicles/vehicles.ts'
import { formatAgo, formatWhen, groupImei } from '../../base/format.ts'
import { goTo } from '../../base/shell/router.ts'
import { say } from '../../base/say.ts'
import { t } from '../../base/texts.ts'
import { useToasts } from '../../base/shell/toasts.store.ts'
import { useGateway } from '../../base/shell/gateway.store.ts'
import { useDevices } from '../../device/devices/devices.store.ts'
import { standingShapes } from '../../device/devices/standings.ts'
import { isClosed } from '../../base/shell/jobStage.ts'
import { latestState, standingOf } from '../../gateway/vehicles/standing.ts'
import { useVehicles } from '../../gateway/vehicles/vehicles.store.ts'
import { jobStanding } from '../../base/shell/jobStanding.ts'
import { nowOf } from '../../base/shell/teamStanding.ts'
import { panelNames, type PanelName } from '../deviceSession/panels.ts'
import type { FindLine } from './findLine.ts'
import { piecesOf } from './matching.ts'
import { presentMs } from '../../base/ui/time/presentTime.ts'
import { call } from '../../base/bridge.ts'
import { vehicleNameOf } from '../../../preload/job/vehicleName.ts'

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

function nameWithPlate(name: string, plate: string | null): string {
  return plate === null || plate === '' || plate === name ? name : `${name}, ${plate}`
}

/** How a vehicle stands: by a fresh answer of the gateway, or as it was copied. */
function vehicleState(copied: VehicleState | undefined, id: number): FindLine['state'] {
  const state = latestState(copied, useVehicles().standings.get(id)?.state)
  const { shape, whole, isOld } = standingOf(state, presentMs(), useGateway().status)
  return shape === null ? undefined : { shape, text: whole, isOld }
}

export function vehicleLine(vehicle: FoundVehicle, copiedAt: string | null, copied?: VehicleState): FoundLine {
  const devices = useDevices()
  const { id, name, plate, imei } = vehicle
  const title = nameWithPlate(name, plate)
  const near = imei === null ? undefined : devices.byImei(imei)
  const isHere = near !== undefined && near.standing !== 'lost'
  const device =
    imei === null
      ? t('common.noDeviceJobs')
      : isHere
        ? t('common.deviceFound')
        : t('windowPalette.deviceNumber', { number: imei.slice(-6) })
  const note =
    copiedAt === null ? device : t('windowPalette.asCopied', { device, when: formatAgo(copiedAt, presentMs()) })
  return {
    id: `vehicle ${String(id)}`,
    kind: 'vehicle',
    icon: 'vehicle',
    title,
    note,
    also: imei ?? '',
    rank: foundElsewhere,
    vehicle,
    state: vehicleState(copied, id),
    act: () => goTo('vehicle', String(id))
  }
}

export function jobLine(job: ListedJob): FoundLine {
  const { shape, text: standing } = jobStanding({ ...job, isDamaged: job.damage !== null })
  const title = titleOf(job)
  const note = [job.customer, job.technician, formatAgo(job.updatedAt, presentMs())]
    .filter((part) => part !== '')
    .join(' · ')
  const text = isClosed(job.state)
    ? standing
    : t('windowPalette.jobState', { standing, done: job.stepsDone, total: job.stepsTotal })
  const also = [job.customer, job.technician, job.device.imei, say(job.template.name)].join(' ')
  return {
    id: `job ${job.id}`,
    kind: 'job',
    icon: 'jobs',
    title,
    note,
    also,
    rank: foundElsewhere,
    job,
    state: { shape, text },
    act: () => goTo('job', job.id)
  }
}

/** A colleague's job: opens read-only. */
export function teamJobLine(job: TeamJob): FoundLine {
  const title = titleOf(job)
  const { shape, text } = nowOf(job)
  const note = [job.customer, job.holder || t('windowTeamScreen.nobody')].filter((part) => part !== '').join(' · ')
  const also = [job.customer, job.technician, job.device.imei, job.vehicle?.plate ?? ''].join(' ')
  return {
    id: `team ${job.id}`,
    kind: 'job',
    icon: 'team',
    title,
    note,
    also,
    rank: foundElsewhere,
    state: { shape, text },
    act: () => goTo('team-job', job.id)
  }
}

function titleOf(job: Pick<ListedJob | TeamJob, 'vehicle' | 'vehicleText' | 'template' | 'device'>): string {
  const { vehicle, template, device } = job
  const checklist = say(template.name)
  const name = vehicleNameOf(job)
  return name !== ''
    ? t('windowPalette.jobTitle', {
        checklist,
        vehicle: nameWithPlate(name, vehicle && 'plate' in vehicle ? (vehicle.plate ?? null) : null)
      })
    : `${checklist}, …${device.imei.slice(-6)}`
}

function inVehicle(name: string | null): string {
  return name === null ? '' : t('windowPalette.inVehicle', { vehicle: name })
}

export function deviceLine(device: SeenDevice): FoundLine {
  const devices = useDevices()
  const card = devices.cardOf(device)
  const number = device.imei === null ? (device.hostname ?? device.key) : groupImei(device.imei)
  const title = device.model ? `${device.model} ${number}` : number
  const note = [device.label, inVehicle(device.lastVehicle), card ? t(`windowDevices.card.on.${card.kind}`) : '']
    .filter(Boolean)
    .join(' · ')
  const also = [
    device.imei,
    device.model,
    device.label,
    device.hostname,
    device.lastVehicle,
    t('common.device'),
    ...device.addresses
  ]
    .filter(Boolean)
    .join(' ')
  const state = { shape: standingShapes[device.standing], text: t(`windowDevices.standing.${device.standing}`) }
  return {
    id: `device ${device.key}`,
    kind: 'device',
    icon: 'chip',
    title,
    note,
    also,
    device,
    state,
    act: () => goTo('device', device.key)
  }
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
  const title = `${model} ${groupImei(imei)}`.trim()
  const note = [label, inVehicle(lastVehicle), t('common.lastSeen', { when: formatWhen(lastSeenAt) })]
    .filter((part) => part !== '')
    .join(' · ')
  return {
    id: `device ${imei}`,
    kind: 'device',
    icon: 'chip',
    title,
    note,
    also: `${imei} ${label} ${model} ${lastVehicle ?? ''}`,
    state: { shape: 'wait', text: t('windowPalette.notNear'), isOld: true },
    rank: foundElsewhere,
    imei,
    act: () => lookFor(imei)
  }
}

async function lookFor(imei: string): Promise<void> {
  const result = await call('discovery.findImei', { imei })
  if (result.kind === 'found') goTo('device', result.device.key)
  else useToasts().say(say(result.detail))
}
