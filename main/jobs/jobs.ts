import { ulid } from 'ulid'
import { AppError } from '../../preload/contract/errors.ts'
import type { Answer, Job, JobState, JobSummary, LineTrace, LiveStep } from '../../preload/contract/jobs.ts'
import type { JournalEntry } from '../store/seal.ts'
import { finishDeferredSteps } from './deferred.ts'
import { createJobLogs } from './jobLogs.ts'
import { isSettled, type EntryData, type EntryType, type LoggedJob } from './journal.ts'
import { switchOffLeftovers } from './leftovers.ts'
import type { DevicePort, GatewayPort, JobLog, OperationsPort } from './ports.ts'
import { openSession, type JobSession } from './session.ts'
import type { Shipped } from './shipped.ts'

export interface JobsOptions {
  log: JobLog
  shipped: Shipped
  /** Finds and checks the device of a job; throws AppError when it is out of reach, refuses us, or is another one. */
  connect(device: { imei: string; address: string }, signal: AbortSignal): Promise<{ device: DevicePort; address: string; close(): void }>
  gateway: GatewayPort
  operations: OperationsPort
  profileId(): string
  technician(): string
  monotonicMs?: () => number
  now?: () => Date
  changed(job: Job): void
  live(step: LiveStep): void
  lines(trace: LineTrace): void
  /** The job touched this device: for the memory of known devices. */
  worked(job: LoggedJob): void
  reportFault(error: unknown): void
}

export interface Jobs {
  templates(): { id: string; version: number; name: string; kind: Job['kind']; description: string; steps: number }[]
  create(input: { templateId: string; device: Job['device']; vehicleText: string; customer: string }): string
  list(filter: { state?: JobState | undefined; search?: string | undefined }): JobSummary[]
  show(id: string): Job
  journal(id: string): JournalEntry[]
  start(id: string, signal: AbortSignal): Promise<void>
  pause(id: string): Promise<void>
  /** Resolves when the step ended. The window does not wait for it; the terminal does. */
  runStep(id: string, stepId: string): Promise<void>
  runWatching(id: string): void
  stopStep(id: string, stepId: string): Promise<void>
  answer(id: string, stepId: string, answer: Answer): void
  /** What the person chose for an open step before it asked: it goes before the words that the job was made with. */
  chooseBefore(id: string, stepId: string, choose: string): void
  waive(id: string, stepId: string, reason: string, by: string): Promise<void>
  cancel(id: string, reason: string): Promise<void>
  live(id: string): { active: boolean; steps: LiveStep[]; lines: LineTrace | null }
  idle(id: string): Promise<void>
  /** The job that is connected to this device now. */
  jobOf(imei: string): string | null
  /** Keeps in the log what a person sent to the device by hand while the job is connected to it. */
  recordWrite(id: string, entry: EntryData<'deviceWrite'>): void
  /** Whether anything was left for the gateway. */
  hasDeferred(): boolean
  /** Runs what was left for the gateway, without the device. */
  finishDeferred(signal: AbortSignal): Promise<void>
  stop(): Promise<void>
}

/** The job engine: everything that the window and the terminal do with a checklist goes through it. */
export function createJobs(options: JobsOptions): Jobs {
  const monotonicMs = options.monotonicMs ?? (() => performance.now())
  const now = options.now ?? (() => new Date())
  const logs = createJobLogs({ log: options.log, operations: options.operations, now, changed: (job) => options.changed(job) })
  const { load, write, setState } = logs
  const sessions = new Map<string, { session: JobSession; disconnect(): void }>()
  const opening = new Map<string, { abort: AbortController; done: Promise<void> }>()
  const closing = new Map<string, Promise<void>>()
  let finishing: Promise<void> | undefined
  let isStopped = false

  for (const { id } of options.log.list({ state: 'running' })) recover(id)

  /** Puts right what was under way when the process ended. */
  function recover(id: string): void {
    try {
      logs.endInterrupted(id)
      // It ended between the signature and the closing of the job.
      const signOff = load(id).steps.find((step) => step.kind === 'signOff')
      if (signOff?.state === 'pass') closeSigned(id)
    } catch (error) {
      // One job whose log cannot be read must not keep all others away.
      if (error instanceof AppError) throw error
      options.reportFault(error)
    }
  }

  function sessionOf(id: string): JobSession {
    const open = sessions.get(id)
    if (!open) throw new AppError('INVALID_REQUEST', 'This job is not connected to its device. Start it first.')
    return open.session
  }

  function assertOpen(id: string): void {
    const { state } = load(id)
    if (state === 'done' || state === 'installedAwaitingGateway' || state === 'cancelled') {
      throw new AppError('INVALID_REQUEST', 'This job is closed. Make a new one for further work.')
    }
  }

  async function runStep(id: string, stepId: string): Promise<void> {
    assertOpen(id)
    const session = sessionOf(id)
    const kind = load(id).steps.find((step) => step.id === stepId)?.kind
    setState(id, 'running', 'A step was run.')
    const outcome = await session.run(stepId)
    if (kind === 'signOff' && outcome?.state === 'pass') {
      closeSigned(id)
      await pause(id)
      return
    }
    if (!outcome || sessions.get(id)?.session !== session) return
    if (kind === 'identity' && isSettled(outcome.state)) session.runWatching()
    // While other steps run the job is not at its end yet.
    if (kind === 'signOff' && session.live().length === 0) setState(id, 'failed', 'Sign-off found steps that are not done.')
  }

  function closeSigned(id: string): void {
    const isWaiting = load(id).steps.some((step) => step.state === 'deferred')
    setState(id, isWaiting ? 'installedAwaitingGateway' : 'done', 'Signed off.')
    options.worked(load(id))
  }

  function start(id: string, signal: AbortSignal): Promise<void> {
    assertOpen(id)
    const present = opening.get(id)
    if (present) return present.done
    if (sessions.has(id)) return Promise.resolve()
    const abort = new AbortController()
    const done = open(id, AbortSignal.any([signal, abort.signal])).finally(() => opening.delete(id))
    opening.set(id, { abort, done })
    return done
  }

  async function open(id: string, signal: AbortSignal): Promise<void> {
    // The last session may still be switching an output off: two at a time would work against each other.
    await closing.get(id)
    const { device, address, close: disconnect } = await options.connect(load(id).device, signal)
    try {
      if (address !== load(id).device.address) write(id, 'deviceAddress', null, { address })
      const shared = {
        device,
        job: () => load(id),
        write: <Type extends EntryType>(type: Type, stepId: string | null, data: EntryData<Type>) => write(id, type, stepId, data),
        monotonicMs
      }
      await switchOffLeftovers(shared)
      if (isStopped || signal.aborted) throw new AppError('CANCELLED', 'The job was paused before it was connected.')
      assertOpen(id)
      logs.endInterrupted(id)
      setState(id, 'running', 'Connected to the device.')
      const session = openSession({
        ...shared,
        gateway: options.gateway,
        operations: options.operations,
        now,
        live: (step) => options.live(step),
        lines: (trace) => options.lines(trace),
        otherDevice: () => void pause(id).catch(options.reportFault),
        reportFault: (error) => options.reportFault(error)
      })
      sessions.set(id, { session, disconnect })
      const identity = load(id).steps.find((step) => step.kind === 'identity')
      if (!identity || isSettled(identity.state)) session.runWatching()
      options.changed(logs.show(id))
    } catch (error) {
      if (!sessions.has(id)) disconnect()
      throw error
    }
  }

  async function pause(id: string): Promise<void> {
    const starting = opening.get(id)
    starting?.abort.abort(new AppError('CANCELLED', 'The job was paused.'))
    await Promise.allSettled([starting?.done, closing.get(id)])
    const open = sessions.get(id)
    if (!open) return
    sessions.delete(id)
    const closed = open.session.close().finally(() => {
      open.disconnect()
      closing.delete(id)
    })
    closing.set(id, closed)
    await closed
    options.changed(logs.show(id))
  }

  /** Signed off and waiting, or still being worked on with steps that wait for the gateway. */
  function jobsWithDeferred(): JobSummary[] {
    const open = options.log.list({ state: 'running' }).filter(({ id }) => load(id).steps.some((step) => step.state === 'deferred'))
    return [...options.log.list({ state: 'installedAwaitingGateway' }), ...open]
  }

  async function finishDeferred(signal: AbortSignal): Promise<void> {
    for (const { id, state } of jobsWithDeferred()) {
      await finishDeferredSteps({
        job: () => load(id),
        write: (entries) => logs.writeAll(id, entries),
        gateway: options.gateway,
        operations: options.operations,
        signal
      })
      const { steps } = load(id)
      if (state !== 'installedAwaitingGateway' || steps.some((step) => step.state === 'deferred')) continue
      setState(id, steps.every((step) => isSettled(step.state)) ? 'done' : 'failed', 'The gateway work is finished.')
    }
  }

  return {
    runStep,
    pause,
    hasDeferred: () => jobsWithDeferred().length > 0,
    templates() {
      return [...options.shipped.templates.values()].map(({ id, version, name, kind, description, steps }) => ({
        id,
        version,
        name,
        kind,
        description,
        steps: steps.length
      }))
    },
    create({ templateId, device, vehicleText, customer }) {
      const template = options.shipped.templates.get(templateId)
      if (!template) {
        const known = [...options.shipped.templates.keys()].join(', ')
        throw new AppError('INVALID_REQUEST', `There is no checklist "${templateId}". Known: ${known}.`)
      }
      const profile = options.shipped.profiles.get(options.profileId())
      if (!profile) throw new AppError('INVALID_REQUEST', `There is no check profile "${options.profileId()}". Choose one in the settings.`)
      const id = ulid()
      logs.begin(id, { template, profile, device, vehicleText, customer, technician: options.technician() })
      options.worked(load(id))
      return id
    },
    list: (filter) => options.log.list(filter),
    show: (id) => logs.show(id),
    journal(id) {
      load(id)
      return options.log.journal(id)
    },
    start,
    runWatching: (id) => sessionOf(id).runWatching(),
    stopStep: (id, stepId) => sessionOf(id).stop(stepId),
    answer: (id, stepId, answer) => sessionOf(id).answer(stepId, answer),
    chooseBefore(id, stepId, choose) {
      assertOpen(id)
      const step = load(id).steps.find((candidate) => candidate.id === stepId)
      if (step?.state !== 'waiting' || load(id).answers.get(stepId)?.choose === choose) return
      write(id, 'answered', stepId, { attempt: step.attempts, answer: { choose } })
    },
    async waive(id, stepId, reason, by) {
      assertOpen(id)
      if (reason.trim().length < 3) throw new AppError('INVALID_REQUEST', 'A step is waived only with a reason. Say why in a few words.')
      const step = load(id).steps.find((candidate) => candidate.id === stepId)
      if (!step) throw new AppError('NOT_FOUND', `This job has no step ${stepId}.`)
      if (step.kind === 'signOff') throw new AppError('INVALID_REQUEST', 'The sign-off cannot be waived. Cancel the job instead.')
      await sessions.get(id)?.session.stop(stepId)
      assertOpen(id)
      write(id, 'waived', stepId, { reason: reason.trim(), by })
    },
    async cancel(id, reason) {
      assertOpen(id)
      await pause(id)
      setState(id, 'cancelled', reason)
    },
    live(id) {
      const open = sessions.get(id)
      load(id)
      return { active: open !== undefined, steps: open?.session.live() ?? [], lines: open?.session.trace() ?? null }
    },
    idle: (id) => sessionOf(id).idle(),
    jobOf: (imei) => [...sessions.keys()].find((id) => load(id).device.imei === imei) ?? null,
    recordWrite: (id, entry) => write(id, 'deviceWrite', null, entry),
    finishDeferred(signal) {
      // Two at a time would each write the same result.
      finishing ??= finishDeferred(signal).finally(() => (finishing = undefined))
      return finishing
    },
    async stop() {
      isStopped = true
      await Promise.all([...new Set([...opening.keys(), ...sessions.keys(), ...closing.keys()])].map((id) => pause(id)))
    }
  }
}
