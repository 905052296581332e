import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createDeviceClient } from '../../../main/device/client/client.ts'
import { createGatewayClient } from '../../../main/gateway/client/client.ts'
import { createInstallationGateway } from '../../../main/gateway/client/vehicles/installation.ts'
import { createJobs, type Jobs, type JobsOptions } from '../../../main/job/jobs/jobs.ts'
import type { DevicePort, GatewayPort, JobLog, OperationsPort } from '../../../main/job/jobs/engine/ports.ts'
import { preparePhoto } from '../../../main/job/photos/preparePhoto.ts'
import type { Outputs } from '../../../main/job/outputs/outputs.ts'
import type { Shipped } from '../../../main/job/jobs/checklists/shipped.ts'
import { templatesOf } from './quickProfile.ts'
import { openStore, type Store } from '../../../main/data/store/index.ts'
import type { Answer, Job, ListedJob, LiveStep, Prompt } from '../../../preload/contract/job/jobs.ts'
import { putEmptyData } from '../data/emptyData.ts'
import { openOutputs } from './outputs.ts'
import { stepInWords, type StepInWords } from '../window/english.ts'
import { startSimulation, type Simulation, type SimulationOptions } from '../../../simulator/simulation.ts'

export interface JobBenchOptions {
  simulation?: SimulationOptions
  shipped: Shipped
  profileId?: string
  templateId?: string
  /** Stands between the engine and the real clients, to bring about what the simulator cannot. */
  device?(real: DevicePort): DevicePort
  gateway?(real: GatewayPort): GatewayPort
  log?(real: JobLog): JobLog
  changed?(job: Job, bench: JobBench): void
  /** What the person says to a question that `answerWith` does not know. */
  person?(live: LiveStep): Answer | undefined
}

/** The job engine on a real store, a real device client and a real gateway client, against the simulator. */
export interface JobBench {
  readonly sim: Simulation
  readonly store: Store
  readonly folder: string
  readonly jobs: Jobs
  readonly outputs: Outputs
  readonly faults: unknown[]
  readonly shown: Job[]
  readonly lives: LiveStep[]
  create(vehicleText?: string): string
  /** What the person says whenever a step asks for it; by step id and kind of question. */
  answerWith(answers: Partial<Record<Prompt['kind'], Answer>>): void
  /** Another engine on the same data, as after a crash of the first. */
  restart(): Promise<Jobs>
  step(jobId: string, stepId: string): StepInWords
  close(): Promise<void>
}

export async function openJobBench(options: JobBenchOptions): Promise<JobBench> {
  const sim = await startSimulation({ gateway: true, reportEveryMs: 1_000, gatewayDelayMs: 50, ...options.simulation })
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fitter-jobs-'))
  putEmptyData(folder)
  let store = openStore(folder)
  const [device] = sim.devices
  const gateway = sim.gateway
  if (!device || !gateway) throw new Error('The bench needs a device and a gateway')
  const client = createDeviceClient({
    address: `${device.host}:${device.port}`,
    imei: device.imei,
    credentials: () => Promise.resolve({ user: device.user, password: device.password })
  })
  let token: string | undefined
  const gatewayClient = createGatewayClient({
    url: gateway.url,
    credentials: () => Promise.resolve({ user: gateway.user, password: gateway.password }),
    token: {
      get: () => Promise.resolve(token),
      set: (next) => {
        token = next
        return Promise.resolve()
      }
    }
  })
  const gatewayPort: GatewayPort = {
    ...createInstallationGateway(() => Promise.resolve(gatewayClient)),
    findCopied: () => Promise.resolve(undefined)
  }
  const operations: OperationsPort = {
    addLink: () => ({ id: 'link' }),
    addKey: () => ({ id: 'key' }),
    addCounter: () => ({ id: 'counter' }),
    sendNow: async ({ send }) => ({ id: 'live', kind: 'answered', answer: await send() }),
    endLive: () => undefined,
    settled: () => Promise.resolve({ state: 'done', reason: 'Linked.', evidence: [] }),
    ofJob: () => []
  }
  let answers: Partial<Record<Prompt['kind'], Answer>> = {}
  const faults: unknown[] = []
  const shown: Job[] = []
  const lives: LiveStep[] = []

  function answerLater(live: LiveStep): void {
    const answer = live.prompt && (answers[live.prompt.kind] ?? options.person?.(live))
    if (!answer) return
    queueMicrotask(() => {
      const isAsked = bench.jobs
        .live(live.jobId)
        .steps.some((step) => step.stepId === live.stepId && step.prompt?.kind === live.prompt?.kind)
      if (isAsked) bench.jobs.answer(live.jobId, live.stepId, answer)
    })
  }

  function engine(): Jobs {
    const jobsOptions: JobsOptions = {
      log: options.log?.(store.jobs) ?? store.jobs,
      attachments: store.attachments,
      photos: { prepare: preparePhoto },
      shipped: options.shipped,
      templates: templatesOf(options.shipped, store),
      connect: () =>
        Promise.resolve({
          device: options.device?.(client) ?? client,
          address: `${device?.host}:${device?.port}`,
          close: () => undefined
        }),
      gateway: options.gateway?.(gatewayPort) ?? gatewayPort,
      operations,
      outputs: bench.outputs,
      profileId: () => options.profileId ?? 'quick',
      technician: () => 'Technician One',
      folderMark: () => null,
      events: {
        tell(name, payload) {
          if (name === 'jobs.live') {
            lives.push(payload as LiveStep)
            answerLater(payload as LiveStep)
          }
          if (name !== 'jobs.state') return
          const job = bench.jobs.show((payload as ListedJob).id)
          shown.push(job)
          options.changed?.(job, bench)
        }
      },
      worked: () => undefined,
      reportFault: (fault) => faults.push(fault)
    }
    return createJobs(jobsOptions)
  }

  const bench = {
    sim,
    get store() {
      return store
    },
    folder,
    jobs: undefined as unknown as Jobs,
    outputs: undefined as unknown as Outputs,
    faults,
    shown,
    lives,
    create: (vehicleText = '') =>
      bench.jobs.create({
        templateId: options.templateId ?? 'some-steps',
        device: { imei: device.imei, model: device.model, address: `${device.host}:${device.port}` },
        vehicleText,
        customer: 'Customer One'
      }),
    answerWith(next: typeof answers) {
      answers = next
      for (const live of lives.slice(-20)) answerLater(live)
    },
    async restart() {
      // A process that ended switches nothing any more: also what it had just sent is over.
      await bench.outputs.stop()
      store.close()
      store = openStore(folder)
      begin()
      return bench.jobs
    },
    step(jobId: string, stepId: string) {
      const step = bench.jobs.show(jobId).steps.find((candidate) => candidate.id === stepId)
      if (!step) throw new Error(`No step ${stepId}`)
      return stepInWords(step)
    },
    async close() {
      await bench.jobs.stop()
      await bench.outputs.stop()
      gatewayClient.close()
      await sim.stop()
      store.close()
      fs.rmSync(folder, { recursive: true, force: true })
    }
  }
  function begin(): void {
    bench.outputs = openOutputs(
      store.outputLedger,
      (jobId, entry) => jobId !== null && bench.jobs.recordWrite(jobId, entry),
      (fault) => faults.push(fault)
    )
    bench.jobs = engine()
  }
  begin()
  return bench
}

/** Looks again and again until `isSo`; fails with what was awaited after `withinMs`. */
export async function until(what: string, isSo: () => boolean, withinMs = 15_000): Promise<void> {
  const endMs = performance.now() + withinMs
  while (!isSo()) {
    if (performance.now() > endMs) throw new Error(`Not within ${withinMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
