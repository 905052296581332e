import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { DeviceDoor } from '../diagnosis/deviceWitness.ts'
import { readLive } from '../../device/client/readLive.ts'
import { createDeviceLines } from './lines.ts'
import type { Teller } from '../../../preload/contract/events.ts'
import type { Outputs } from '../../job/outputs/outputs.ts'
import type { Jobs } from '../../job/jobs/jobs.ts'
import type { Profile } from '../../job/jobs/engine/profile.ts'
import type { WorkspaceLimits } from '../../../preload/contract/device/workspace.ts'
import type { Connections } from '../../gateway/accounts/connections.ts'
import type { Store } from '../../data/store/index.ts'
import { diagnosisLimits } from '../diagnosis/limits.ts'
import { createWorkspace } from './index.ts'
import { createDeviceProfiles } from './deviceProfiles/deviceProfiles.ts'
import { createSignalHistory } from './signalHistory.ts'
import { createTrackHistory } from './trackHistory.ts'
import type { CallOutput, CallParsed } from '../../../preload/contract/index.ts'
import type { Json } from '../../../preload/contract/define.ts'

export interface WorkspaceDevicesOptions {
  store: Store
  connections: Connections
  jobs: Jobs
  outputs: Outputs
  events: Teller
  /** Receives each new reading of a device, for other parts that show the device. */
  addReadings(key: string, readings: CallOutput<'workspace.read'>['readings']): void
  profile(): Profile
  /** Stores how a device is before settings are sent to it. */
  takeSnapshot(key: string, view: string, signal: AbortSignal): Promise<unknown>
  reportFault(error: unknown): void
}

export type WorkspaceDevices = ReturnType<typeof createWorkspaceDevices>

/** Creates the workspace and the lines of devices with the parts that they need. */
export function createWorkspaceDevices({
  store,
  connections,
  jobs,
  outputs,
  events,
  profile,
  takeSnapshot,
  addReadings,
  reportFault
}: WorkspaceDevicesOptions) {
  function open(key: string) {
    const seen = connections.discovery.table().devices.find((candidate) => candidate.key === key)
    if (!seen) throw new AppError('NOT_FOUND', message('workspace.deviceGone'))
    if (seen.standing === 'impostor' || seen.standing === 'conflict' || seen.standing === 'wrongService') {
      throw new AppError('WRONG_DEVICE', seen.detail)
    }
    const address = connections.addressOf(seen)
    if (address === undefined) throw new AppError('UNREACHABLE', message('workspace.noAddress'), { retryable: true })
    connections.devices.pickFirst(address, seen.imei)
    return { key, imei: seen.imei, model: seen.model, address, device: connections.devices.open(address, seen.imei) }
  }

  const workspace = createWorkspace({
    open,
    log: store.deviceWrites,
    technician: () => store.settings.get().technician,
    runningJob: (imei) => jobs.jobOf(imei),
    openJob: (imei) => jobs.openOfDevice(imei)?.id ?? null,
    standstillKmh: () => profile().alignment.standstillKmh,
    recordInJob: (jobId, entry) => jobs.recordWrite(jobId, entry),
    addSecret: (text) => void connections.redactor.add(text),
    redact: (value) => connections.redactor.json(value) as Json,
    addReadings,
    runChanged: (run) => events.tell('workspace.run', run),
    limits: () => diagnosisLimits(profile()),
    reportFault
  })

  /** Commands for an output are logged like any other change; only the last result counts as the outcome. */
  const openWrites = new Map<string, number>()
  const lines = createDeviceLines({
    open,
    outputs,
    technician: () => store.settings.get().technician,
    isInJob: (imei) => jobs.jobOf(imei) !== null,
    wiringOf: (imei) => jobs.wiringOf(imei),
    record(device, { phase, operation, input, what, raw }) {
      const output = `${device} ${JSON.stringify(input)}`
      const at = new Date().toISOString()
      if (phase === 'intent') {
        const write = { imei: device, at, operation, input, by: store.settings.get().technician, jobId: null }
        openWrites.set(output, store.deviceWrites.begin(write))
        return
      }
      const id = openWrites.get(output)
      if (id !== undefined)
        store.deviceWrites.end(id, { outcome: phase === 'unknown' ? 'unknown' : 'done', detail: what, answer: raw, at })
    },
    reportFault
  })

  /** Someone else's work on a device comes first, and an output that may be on. */
  function refusalOf(imei: string | null): Message | null {
    if (imei === null) return null
    try {
      outputs.assertLinkMayEnd(imei)
    } catch (error) {
      if (error instanceof AppError && error.code === 'CONFLICT') return error.sentence
      throw error
    }
    const own = store.settings.get().technician
    const job = jobs.openOfDevice(imei)
    return job && job.technician !== '' && job.technician !== own
      ? message('deviceProfiles.jobOfOther', { technician: job.technician })
      : null
  }

  const deviceProfiles = createDeviceProfiles({
    store: store.deviceProfiles,
    log: store.deviceWrites,
    open,
    apply: (opened, change) => workspace.applySetting(opened, change),
    addEntry: (opened, entry) => workspace.addEntry(opened, entry),
    takeSnapshot,
    technician: () => store.settings.get().technician,
    vehicleOf: (key) => connections.seen(key).lastVehicle,
    refusal: refusalOf,
    openJobOf(imei) {
      const job = jobs.openOfDevice(imei)
      return job ? { id: job.id, technician: job.technician } : null
    },
    isInJob: (imei) => jobs.jobOf(imei) !== null,
    jobState(id) {
      const { state, handedOver } = jobs.show(id)
      return handedOver
        ? 'handedOver'
        : state === 'done' || state === 'installedAwaitingGateway' || state === 'cancelled'
          ? 'ended'
          : 'open'
    },
    keyOf: (imei) =>
      connections.discovery
        .table()
        .devices.find(
          (one) => one.imei === imei && !['lost', 'impostor', 'conflict', 'wrongService'].includes(one.standing)
        )?.key,
    changed: (run) => events.tell('deviceProfiles.run', run),
    plansChanged: (plans) => events.tell('deviceProfiles.plans', { plans }),
    reportFault
  })

  const history = createSignalHistory()
  const tracks = createTrackHistory()
  connections.devices.onRead((device, read) => {
    history.hear(device, read)
    tracks.hear(device, read)
  })

  /** Readings of a device are stored by its IMEI, or by its address while the IMEI is unknown. */
  function nameOf(key: string): string {
    const seen = connections.seen(key)
    return seen.imei ?? connections.addressOf(seen) ?? ''
  }

  return {
    workspace,
    lines,
    deviceProfiles,
    /** A device of the table, for code that reads the device itself. */
    door(key: string): DeviceDoor {
      const { device, imei, address, model } = open(key)
      return {
        imei,
        host: address,
        model,
        read: (operation, signal) => readLive(device, operation, { signal, timeoutMs: 5_000 }),
        lines: (since) => lines.story(key, since)
      }
    },
    /** A device of the table, ready for use. Throws NOT_FOUND, WRONG_DEVICE or UNREACHABLE. */
    find: open,
    /** The numeric readings of a device; also of one that cannot be reached now. */
    signals: ({ key, names, sinceMs }: CallParsed<'workspace.signals'>): CallOutput<'workspace.signals'> =>
      history.since(nameOf(key), { names, sinceMs }),
    /** The device's track while Fitter read it. */
    track: ({ key, sinceMs }: CallParsed<'workspace.track'>): CallOutput<'workspace.track'> =>
      tracks.since(nameOf(key), sinceMs),
    limits: (): WorkspaceLimits => limitsOf(profile()),
    async stop(): Promise<void> {
      await Promise.all([lines.stop(), workspace.stop(), deviceProfiles.close()])
    }
  }
}

function limitsOf({ network, position, delivered, samePlace }: Profile): WorkspaceLimits {
  return {
    signalPassDbm: network.signalPassDbm,
    signalWarnDbm: network.signalWarnDbm,
    satellitesPass: position.satellitesPass,
    satellitesWarn: position.satellitesWarn,
    hdopPass: position.hdopPass,
    delayPassS: delivered.delayPassS,
    eventAgeWarnS: delivered.eventAgeWarnS,
    apartPassM: samePlace.passM,
    apartWarnM: samePlace.warnM
  }
}
