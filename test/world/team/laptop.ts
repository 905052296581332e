import { createSnapshots, type Snapshots } from '../../../main/support/diagnosis/snapshots/snapshots.ts'
import { createJobs, type Jobs } from '../../../main/job/jobs/jobs.ts'
import { createTransfers, type Transfers } from '../../../main/job/jobs/handover/transfers.ts'
import { createOperations, type Operations } from '../../../main/gateway/waitingWork/engine.ts'
import type { OperationKind } from '../../../main/gateway/waitingWork/kind.ts'
import type { Outputs } from '../../../main/job/outputs/outputs.ts'
import { openStore, type Store } from '../../../main/data/store/index.ts'
import { z } from 'zod'
import { AppError } from '../../../preload/contract/errors.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { putEmptyData } from '../data/emptyData.ts'
import { openOutputs } from '../device/outputs.ts'
import { quickShipped, templatesOf } from '../device/quickProfile.ts'

export interface LaptopOptions {
  folder: string
  /** Who works on it. */
  name?: string
  /** Who works on it, where that is not its name. */
  technician?: string
  kinds?: OperationKind[]
  nowMs?: () => number
  chooseWaitMs?: () => number
  /** Called before and after each thing that is written or read: a process that dies throws here, or is killed. */
  instant?: () => void
}

/** Work that is only kept and handed over: nobody sends it. */
const keptKind = {
  kind: 'scripted',
  payload: z.object({ name: z.string() }),
  title: (payload) => plainMessage(String((payload as { name?: string }).name)),
  send: unsent,
  look: unsent,
  resendWhenAbsent: false,
  maxAttempts: 1
} as OperationKind
function unsent(): never {
  throw new Error('This laptop sends nothing')
}

/** Fitter on one laptop, without a window: its own data folder, job engine, gateway work and handovers. */
export interface Laptop {
  store: Store
  jobs: Jobs
  operations: Operations
  transfers: Transfers
  snapshots: Snapshots
  outputs: Outputs
  faults: unknown[]
  /** A job on a device, paused. */
  makeJob(vehicle?: string): string
  /** The process ends, however it ends. */
  end(): void
}

export function openLaptop(options: LaptopOptions): Laptop {
  putEmptyData(options.folder)
  const store = openStore(options.folder)
  try {
    return startOn(store, options)
  } catch (error) {
    // It died while it began.
    store.close()
    throw error
  }
}

function startOn(
  store: Store,
  {
    name = 'Technician One',
    technician = name,
    kinds = [keptKind],
    nowMs = () => Date.now(),
    chooseWaitMs,
    instant = () => undefined
  }: LaptopOptions
): Laptop {
  const shipped = quickShipped()
  const faults: unknown[] = []
  const now = () => new Date(nowMs())
  const operations = createOperations({
    rows: around(store.operations, instant),
    kinds,
    clockDifferenceMs: () => 0,
    monotonicMs: nowMs,
    now,
    sentBy: () => name,
    mayBeElsewhere: () => store.teamPush.hasEverJoined(),
    changed: () => undefined,
    reportFault: (fault) => faults.push(fault)
  })
  const outputs = openOutputs(
    store.outputLedger,
    (jobId, entry) => jobId !== null && jobs.recordWrite(jobId, entry),
    (fault) => faults.push(fault)
  )
  const snapshots = createSnapshots({
    rows: store.snapshots,
    devices: {
      open: () => {
        throw new Error('No device here')
      },
      onRead: () => () => undefined
    },
    find: () => {
      throw new Error('No device here')
    },
    askGateway: () => Promise.resolve(null),
    isGatewayBusy: () => Promise.resolve(true),
    redact: (value) => value,
    technician: () => technician,
    fitterVersion: '0.1.0',
    events: { tell: () => undefined },
    now: nowMs
  })
  const jobs: Jobs = createJobs({
    log: store.jobs,
    attachments: store.attachments,
    photos: { prepare: () => Promise.reject(new Error('No pictures here')) },
    shipped,
    templates: templatesOf(shipped, store),
    connect: () => Promise.reject(new AppError('UNREACHABLE', plainMessage('The device is not here.'))),
    gateway: {} as never,
    operations: { ofJob: (jobId: string) => operations.ofJob(jobId) } as never,
    outputs,
    snapshots,
    profileId: () => 'quick',
    technician: () => technician,
    folderMark: () => store.teamPush.folderMark(),
    events: { tell: () => undefined },
    worked: () => undefined,
    now,
    reportFault: (fault) => faults.push(fault)
  })
  const transfers = createTransfers({
    isThroughTeam: (id) => store.teamHolding.offer(id) !== undefined,
    log: around(store.jobs, instant),
    handovers: around(store.handovers, instant),
    attachments: store.attachments,
    snapshots: {
      ofJob: (jobId, sha256) => snapshots.named(jobId, sha256),
      refusal: (text, jobId) => snapshots.refusal(text, jobId),
      adopt: (text, jobId) => snapshots.adopt(text, jobId)
    },
    operations,
    jobs,
    together(work) {
      instant()
      const result = store.together(work)
      instant()
      return result
    },
    technician: () => technician,
    folderMark: () => store.teamPush.folderMark(),
    isTraining: false,
    clockDifferenceMs: () => 0,
    now,
    ...(chooseWaitMs ? { chooseWaitMs } : {})
  })
  return {
    store,
    jobs,
    operations,
    transfers,
    snapshots,
    outputs,
    faults,
    makeJob: (vehicle = 'Vehicle One') =>
      jobs.create({
        templateId: 'service-visit',
        device: { imei: '490154203237518', model: 'ft4', address: '127.0.0.1:1' },
        vehicleText: vehicle,
        customer: 'Customer One'
      }),
    end() {
      void outputs.stop()
      store.close()
    }
  }
}

/** The same object, with an instant before and after each of its functions. */
function around<T extends object>(real: T, instant: () => void): T {
  return new Proxy(real, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      return (...parameters: unknown[]) => {
        instant()
        const result: unknown = Reflect.apply(value, target, parameters)
        instant()
        return result
      }
    }
  })
}
