import { AppError } from '../../../preload/contract/errors.ts'
import type { Copies } from '../../gateway/localCopy/copies.ts'
import { createDiagnoses, type Diagnoses } from '../../support/diagnosis/diagnoses.ts'
import type { Measures } from '../../support/diagnosis/diagnosis.ts'
import { expectedOf } from '../../support/diagnosis/expected.ts'
import { diagnosisLimits } from '../../support/diagnosis/limits.ts'
import { createSnapshots } from '../../support/diagnosis/snapshots/snapshots.ts'
import { createTolerances } from '../../support/diagnosis/tolerances.ts'
import { createNetworks } from '../../device/discovery/networks.ts'
import { createDiagnosisGateway } from '../../gateway/client/diagnosisGateway.ts'
import { createJobs, type Jobs } from '../../job/jobs/jobs.ts'
import type { Operations } from '../../gateway/waitingWork/engine.ts'
import { outputLimits } from '../../job/outputs/limits.ts'
import { createOutputs } from '../../job/outputs/outputs.ts'
import type { SwitchEntry } from '../../job/outputs/outputTypes.ts'
import { openPhotoThread } from '../../job/photos/photoThread.ts'
import { withoutSecrets } from '../../job/reports/redact.ts'
import { createWorkspaceDevices } from '../../support/deviceSession/devices.ts'
import { isTrainingFolder } from '../dataFolder.ts'
import { version } from '../version.ts'
import type { CoreOptions, Foundation } from './foundation.ts'
import { operationsPort } from './operationsPort.ts'
import { connectOfJob, reachSignedIn } from './signedInDevices.ts'
import { unitsOf } from '../../../preload/base/messages/settings.ts'

export interface DeviceWorkParts {
  options: CoreOptions
  operations: Operations
  /** Built after the jobs, because they contain values that the gateway would otherwise supply. */
  copies(): Pick<Copies, 'findExact' | 'get' | 'search' | 'rhythm' | 'rememberReports'>
}

const commandWaitsForDiskMs = 30_000

/**
 * Work on a device: by checklists and outside of them, with the readings of device and gateway. `closePhotos`: after
 * the jobs, which may still store one.
 */
export function buildDeviceWork(
  { store, shipped, events, connections, memory, templates, sealKey, profileInUse, profile, technician }: Foundation,
  { options, operations, copies }: DeviceWorkParts
) {
  const { reportFault } = options
  const outputs = createOutputs({
    ledger: store.outputLedger,
    shipped: outputLimits.parse(shipped.profiles.get('standard')?.output),
    chosen: () => shipped.profiles.get(profileInUse())?.output ?? {},
    reach: (imei) => reachSignedIn(connections, imei),
    technician,
    record: recordWrite,
    changed: (ledger) => events.tell('outputs.changed', { outputs: ledger }),
    reportFault
  })

  /** The attempt journal of an output that no check and no screen controls. */
  function recordWrite(imei: string, jobId: string | null, entry: SwitchEntry): void {
    if (jobId !== null && jobs.isWhole(jobId)) return jobs.recordWrite(jobId, entry)
    const { operation, input, what: detail, raw: answer } = entry
    const at = new Date().toISOString()
    const id = store.deviceWrites.begin({ imei, at, operation, input, by: technician(), jobId })
    store.deviceWrites.end(id, { outcome: entry.phase === 'unknown' ? 'unknown' : 'done', detail, answer, at })
  }

  /** A command does not wait forever: it prints its readings and ends. */
  function waitForDisk(signal: AbortSignal): Promise<void> | undefined {
    const standing = store.disk.standing()
    if (standing === 'usable' || standing === 'reserve') return undefined
    return store.disk.usable(
      options.background ? signal : AbortSignal.any([signal, AbortSignal.timeout(commandWaitsForDiskMs)])
    )
  }

  const photos = openPhotoThread()
  const snapshots = createSnapshots({
    rows: store.snapshots,
    devices: connections.devices,
    find: (key) => {
      const { imei, model, address } = workspaceDevices.find(key)
      return { imei, model, address }
    },
    askGateway: (subject, mostMs) => diagnosis.gateway({ ...subject, simId: undefined }, mostMs),
    async isGatewayBusy() {
      const { state, rateLimit } = await connections.gateway.status()
      return state !== 'reachable' || (rateLimit !== null && rateLimit.remaining < rateLimit.limit / 2)
    },
    redact: <T>(value: T) => connections.redactor.json(value) as T,
    technician,
    fitterVersion: version,
    events
  })
  const jobs: Jobs = createJobs({
    log: store.jobs,
    withoutSecrets: (entry) => withoutSecrets(entry, (text) => connections.redactor.text(text)),
    damagedJobs: store.damagedJobs,
    isReadOnly: store.readOnly !== null,
    attachments: store.attachments,
    diskUsable: waitForDisk,
    photos,
    shipped,
    templates,
    connect: (device, signal) => connectOfJob(connections, device, signal),
    gateway: { ...connections.installation, findCopied: (kind, text) => copies().findExact(kind, text) },
    operations: operationsPort(operations),
    outputs,
    profileId: profileInUse,
    technician,
    folderMark: () => store.teamPush.folderMark(),
    isTraining: isTrainingFolder(options.dataFolder),
    snapshots,
    sign: (text) => sealKey.sign(text),
    clockDifferenceMs: () => connections.gateway.clockDifferenceMs(),
    units: () => unitsOf(store.settings.get()),
    events,
    worked: ({ device, vehicle, updatedAt }) =>
      memory.remember({
        imei: device.imei,
        model: device.model,
        lastAddress: device.address,
        lastJobAt: updatedAt,
        lastSeenAt: updatedAt,
        ...(vehicle ? { lastVehicle: vehicle.name } : {})
      }),
    reportFault
  })
  const tolerances = createTolerances({
    profile,
    settings: store.settings,
    changed: (settings) => events.tell('settings.changed', settings)
  })
  const workspaceDevices = createWorkspaceDevices({
    store,
    connections,
    jobs,
    outputs,
    events,
    profile,
    takeSnapshot: (key, view, signal) => snapshots.take({ key, view }, signal),
    addReadings: (key, readings) => diagnosis.addReadings(key, readings),
    reportFault
  })
  const diagnosis: Diagnoses = createDiagnoses({
    door: (key) => workspaceDevices.door(key),
    imeiOf: (key) => connections.discovery.table().devices.find((device) => device.key === key)?.imei ?? null,
    nearby: (imei) =>
      connections.discovery.table().devices.find((device) => device.imei === imei && device.signedIn)?.key ?? null,
    gateway: createDiagnosisGateway(() => connections.gateway.client()),
    async gatewayName() {
      const { url, user, state } = await connections.gateway.status()
      return state === 'notSet' ? null : JSON.stringify([url, user, state === 'signedOut'])
    },
    signIns: () => connections.gateway.signIns(),
    expected: (imei) =>
      expectedOf({
        lastSet: store.deviceWrites
          .list({ imei, operations: ['modem.editApn'], limit: 5 })
          .find(({ outcome }) => outcome === 'done'),
        installed: snapshots.installed(imei).content
      }),
    async copied(vehicleId, imei) {
      if (vehicleId !== null) {
        const copy = await copies().get('vehicles', vehicleId)
        return copy ? { ...copy.record, copiedAt: copy.copiedAt } : null
      }
      if (imei === null) return null
      const { records } = await copies().search('vehicles', { text: imei, limit: 2 })
      return records.find((vehicle) => vehicle.imei === imei) ?? null
    },
    rhythm: async (imei) => (await copies().rhythm(imei)) ?? null,
    noteReports(imei, shown) {
      if (store.readOnly === null) copies().rememberReports(imei, shown).catch(reportFault)
    },
    installed: (imei) => snapshots.installed(imei).content,
    looked(latest) {
      try {
        if (store.readOnly === null) store.diagnosisCases.rememberLatest(latest)
      } catch (error) {
        // A full disk costs the memory of this visit, never the diagnosis; the notice about the disk says why.
        if (!(error instanceof AppError)) throw error
      }
    },
    limits: () => diagnosisLimits(profile()),
    tolerances: () => tolerances.current(),
    reportFault
  })
  const networks = createNetworks({
    discovery: connections.discovery,
    events,
    interfaces: options.interfaces,
    reportFault
  })
  return {
    jobs,
    /** Every output that is or may be on, and the only way to switch one. */
    outputs,
    recordWrite,
    /** Devices outside of a checklist: live values, settings, outputs, console. */
    workspaceDevices,
    snapshots,
    /** The tolerances between device and gateway. */
    tolerances,
    /** The diagnosis of vehicles that do not report. */
    diagnosis,
    measures: (): Measures => ({ limits: diagnosisLimits(profile()), tolerances: tolerances.current() }),
    /** Sweeps and default gateways. */
    networks,
    closePhotos: () => photos.close()
  }
}

export type DeviceWork = Omit<ReturnType<typeof buildDeviceWork>, 'closePhotos'>
