import os from 'node:os'
import path from 'node:path'
import type { BundleAbout } from '../../preload/contract/support/bundles.ts'
import type { Json } from '../../preload/contract/define.ts'
import type { DiagnosisSubject } from '../../preload/contract/support/diagnosis.ts'
import { AppError } from '../../preload/contract/errors.ts'
import type { Job } from '../../preload/contract/job/jobs.ts'
import type { TeamWork } from '../../preload/contract/team/team.ts'
import type { Connections } from '../gateway/accounts/connections.ts'
import type { Measures } from '../support/diagnosis/diagnosis.ts'
import type { Diagnoses } from '../support/diagnosis/diagnoses.ts'
import { readFaultTail } from '../support/diagnosis/bundles/faultTail.ts'
import type { BundleSources, BundleSubject, KeptSnapshot } from '../support/diagnosis/bundles/sources.ts'
import { asHandedOver } from '../job/jobs/handover/collect.ts'
import type { Jobs } from '../job/jobs/jobs.ts'
import type { Operations } from '../gateway/waitingWork/engine.ts'
import { createTexts } from '../base/messages/texts.ts'
import { sayLedger } from '../job/outputs/sayLedger.ts'
import type { Outputs } from '../job/outputs/outputs.ts'
import type { Store } from '../data/store/index.ts'
import type { SnapshotStore } from '../data/store/jobs/snapshots.ts'
import type { Vehicles } from '../gateway/vehicles/vehicles.ts'
import { isTrainingFolder } from './dataFolder.ts'
import { quicklyChecked, runDoctor } from './doctor.ts'
import { version } from './version.ts'
import { readerOf } from '../../preload/base/messages/settings.ts'
import { vehicleNameOf } from '../../preload/job/vehicleName.ts'

export interface BundleSourceParts {
  store: Store
  jobs: Jobs
  operations: Operations
  connections: Connections
  vehicles: Vehicles
  outputs: Outputs
  dataFolder: string
  /** In a window; at a terminal every remedy has a command. */
  isWindow: boolean
  diagnosis: Pick<Diagnoses, 'evidence' | 'recording'>
  measures(): Measures
  team(): TeamWork | undefined
  answers: BundleSources['answers']
}

export function createBundleSources({
  store,
  jobs,
  operations,
  connections,
  vehicles,
  outputs,
  diagnosis,
  measures,
  team,
  dataFolder,
  isWindow,
  answers
}: BundleSourceParts): BundleSources {
  const isTraining = isTrainingFolder(dataFolder)
  return {
    seal: (id) => jobs.seal(id),
    job: (id) => ({ job: jobs.show(id), entries: jobs.journal(id) }),
    picture(sha256) {
      try {
        return store.attachments.read(sha256)
      } catch (error) {
        if (error instanceof AppError && (error.code === 'DATA_UNUSABLE' || error.code === 'NOT_FOUND'))
          return undefined
        throw error
      }
    },
    operations: (jobId) =>
      operations.ofJob(jobId).map((row) => asHandedOver(row, [jobId], operations, store.handovers)),
    deviceWrites: (imei) => store.deviceWrites.list({ imei, operations: [], limit: 500 }),
    snapshots: (subject) => snapshotsOf(store.snapshots, subject),
    evidence: (subject) =>
      subject.deviceKey === null && subject.imei === null && subject.vehicleId === null
        ? Promise.resolve(null)
        : diagnosis.evidence(diagnosisSubjectOf(subject)),
    limits: () => ({ ...measures() }) as unknown as Json,
    recording: ({ imei, vehicleId }) => diagnosis.recording.give({ imei, vehicleId }) as Json,
    answers,
    device({ imei, model, deviceKey }) {
      const seen =
        deviceKey === null ? undefined : connections.discovery.table().devices.find(({ key }) => key === deviceKey)
      const known = imei === null ? undefined : store.knownDevices.find(imei)
      if (!seen && !known && imei === null) return null
      return {
        imei,
        model: known?.model ?? model ?? '',
        label: known?.label ?? '',
        address: (seen && connections.addressOf(seen)) ?? known?.lastAddress ?? null,
        lastVehicle: known?.lastVehicle ?? null,
        lastJobAt: known?.lastJobAt ?? null,
        lastSeenAt: known?.lastSeenAt ?? null
      }
    },
    vehicle: async (id) => ((await vehicles.copy.get(id)) ?? null) as Json,
    // Faults in training are in the computer's one fault log, beside the training folder.
    faults: () => readFaultTail(path.join(isTraining ? path.dirname(dataFolder) : dataFolder, 'fitter.log')),
    selfTest: () =>
      runDoctor(connections, {
        dataFolder,
        isTraining,
        isTerminal: !isWindow,
        checkData: () => store.check({ newest: quicklyChecked }),
        mayBeOn: () => sayLedger(outputs.ledger()),
        disk: store.disk,
        team
      }),
    versions() {
      const { language, timeZone } = createTexts(readerOf(store.settings.get())).settings
      return {
        fitter: version,
        frontEnd: isWindow ? 'window' : 'terminal',
        system: os.type(),
        release: os.release(),
        processor: os.arch(),
        node: process.versions.node,
        schema: store.schema,
        language,
        timeZone
      }
    },
    people: () => [store.settings.get().technician, os.userInfo().username],
    technician: () => store.settings.get().technician,
    isTraining,
    redactor: connections.redactor,
    say: (what) => createTexts(readerOf(store.settings.get())).say(what)
  }
}

const mostSnapshots = 50

/** Of the job, otherwise the latest of the device or vehicle; oldest first, without damaged ones. */
function snapshotsOf(rows: SnapshotStore, { jobId, imei, vehicleId, isAboutDevice }: BundleSubject): KeptSnapshot[] {
  const whose =
    jobId !== null && !isAboutDevice ? { jobId } : imei !== null ? { imei } : vehicleId !== null ? { vehicleId } : null
  if (whose === null) return []
  const { snapshots } = rows.page({ ...whose, after: null, limit: mostSnapshots })
  return snapshots.reverse().flatMap(({ id, takenAt }) => {
    try {
      return [{ id, takenAt, text: rows.text(id) }]
    } catch (error) {
      if (error instanceof AppError && error.code === 'DATA_UNUSABLE') return []
      throw error
    }
  })
}

/**
 * The connected device if there is one, otherwise the one of the job, otherwise the gateway's device of the vehicle.
 */
function diagnosisSubjectOf({ deviceKey, imei, vehicleId }: BundleSubject): DiagnosisSubject {
  if (deviceKey !== null) return { key: deviceKey, ...(vehicleId === null ? {} : { vehicleId }) }
  return imei !== null && /^\d{15}$/.test(imei) ? { imei } : { vehicleId: vehicleId ?? 0 }
}

/** The local data about the subject of a bundle. Throws NOT_FOUND. */
export async function bundleSubjectOf(
  about: BundleAbout,
  { jobs, connections, vehicles }: Pick<BundleSourceParts, 'jobs' | 'connections' | 'vehicles'>
): Promise<BundleSubject> {
  const nothing: BundleSubject = {
    jobId: null,
    imei: null,
    model: null,
    deviceKey: null,
    vehicleId: null,
    vehicleName: null
  }
  if ('jobId' in about) return { ...nothing, ...ofJob(jobs.show(about.jobId), connections) }
  if ('key' in about) {
    const { imei, model } = connections.seen(about.key)
    return { ...nothing, imei, model, deviceKey: about.key, ...newestJobOf(imei, jobs) }
  }
  if ('imei' in about) return { ...nothing, ...ofImei(about.imei, connections), ...newestJobOf(about.imei, jobs) }
  const copied = await vehicles.copy.get(about.vehicleId)
  return { ...nothing, vehicleId: about.vehicleId, vehicleName: copied?.vehicle.name ?? null }
}

/** The job of the device is included: the open one, otherwise the last. One with a damaged log is not. */
function newestJobOf(imei: string | null, jobs: Pick<Jobs, 'openOfDevice' | 'list'>): Partial<BundleSubject> {
  if (imei === null) return {}
  const newest =
    jobs.openOfDevice(imei) ?? jobs.list({ search: imei, limit: 20 }).jobs.find(({ device }) => device.imei === imei)
  return newest && newest.damage === null ? { jobId: newest.id, isAboutDevice: true } : {}
}

function ofImei(imei: string, connections: Connections): Pick<BundleSubject, 'imei' | 'model' | 'deviceKey'> {
  const seen = connections.discovery.table().devices.find((device) => device.imei === imei)
  return { imei, model: seen?.model ?? null, deviceKey: seen?.key ?? null }
}

function ofJob({ id, device, vehicle, vehicleText }: Job, connections: Connections): Partial<BundleSubject> {
  return {
    jobId: id,
    ...ofImei(device.imei, connections),
    model: device.model,
    vehicleId: vehicle?.id ?? null,
    vehicleName: vehicleNameOf({ vehicle, vehicleText }) || null
  }
}
