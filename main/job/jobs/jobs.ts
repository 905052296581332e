import { AppError } from '../../../preload/contract/errors.ts'
import type { Answer, Job, JobSummary, ListedJob, Step } from '../../../preload/contract/job/jobs.ts'
import type { Order } from '../../../preload/contract/job/orders.ts'
import { asMessage, message, plainMessage, type Message } from '../../../preload/contract/messages.ts'
import type { AddedPhoto, AttachOutcome } from './photos/addedPhoto.ts'
import { attachPhoto } from './record/attach.ts'
import { stepKinds } from './stepKinds.ts'
import type { Outcome } from './engine/check.ts'
import { conditionHolds } from './engine/conditions.ts'
import { createGatewayFinish } from './finish/gatewayFinish.ts'
import type { JobsOptions } from './jobsOptions.ts'
import { firstEntries, type NewJob } from './newJob.ts'
import { createJobLogs } from './record/jobLogs.ts'
import { createJobSnapshots } from './record/jobSnapshots.ts'
import { isSettled, type EntryInput, type EntryType, type LoggedJob } from './record/journal.ts'
import { isAboutData } from '../../data/store/untilStored.ts'
import { followOutput } from './engine/followOutput.ts'
import { adoptLeftovers, switchOffLeftovers } from './engine/leftovers.ts'
import { planSteps } from './engine/plan.ts'
import { createSealing } from './record/sealing.ts'
import { openSession, type JobSession } from './engine/session.ts'
import { stepsBefore } from './engine/stepsBefore.ts'
import type { JobPage, JobPageRequest } from '../../data/store/jobs/jobPages.ts'
import { jobIdOf } from '../../data/store/jobs/jobId.ts'
import { sayTakenOver, type Lost } from '../../data/store/jobs/jobs.ts'
import type { JournalEntry } from '../../data/store/jobs/seal.ts'
import { unsigned } from '../../data/store/jobs/signature.ts'
import {
  assertAcceptable,
  assertOpen,
  assertStepOpen,
  assertUnsigned,
  assertWaivable,
  isSigned,
  stateWhenSigned
} from './finish/signed.ts'
import type { CallOutput } from '../../../preload/contract/index.ts'
import { goingOn, type Standing } from '../../../preload/job/goingOn.ts'
import { refuseIncomplete } from './orders/orderNeeds.ts'
import { acceptedId, notedId } from '../../../preload/job/acceptance.ts'

export type { JobsOptions } from './jobsOptions.ts'

const outputsOffWithinMs = 5_000

export type Jobs = ReturnType<typeof createJobs>

/** The job engine: everything that the window and the terminal do with a checklist uses it. */
export function createJobs(options: JobsOptions) {
  const monotonicMs = options.monotonicMs ?? (() => performance.now())
  const now = options.now ?? (() => new Date())
  const sessions = new Map<string, { session: JobSession; disconnect(): void; goesOn: boolean }>()
  const logs = createJobLogs({
    log: options.log,
    damagedJobs: options.damagedJobs,
    operations: options.operations,
    events: options.events,
    now,
    worked: options.worked,
    withoutSecrets: options.withoutSecrets,
    isActive: (id) => sessions.has(id)
  })
  const { load, write, setState } = logs
  const sealing = createSealing({
    logs,
    journal: (id) => options.log.journal(id),
    sign: options.sign ?? (() => Promise.resolve(unsigned)),
    now,
    reportFault: (error) => options.reportFault(error)
  })
  const gatewayFinish = createGatewayFinish({
    log: options.log,
    logs,
    gateway: options.gateway,
    operations: options.operations,
    now,
    canRead,
    settleSigned
  })
  const snapshots =
    options.snapshots &&
    createJobSnapshots({
      port: options.snapshots,
      logs,
      written: settleSigned,
      now,
      diskUsable: (signal) => options.diskUsable?.(signal),
      reportFault: (error) => options.reportFault(error)
    })
  const writeAndFollow = <Type extends EntryType>(
    id: string,
    type: Type,
    stepId: string | null,
    data: EntryInput<Type>
  ): void => {
    write(id, type, stepId, data)
    if (type === 'deviceWrite')
      followOutput(load(id), (...entry) => write(id, ...entry), data as EntryInput<'deviceWrite'>, now().toISOString())
  }
  const opening = new Map<string, { abort: AbortController; done: Promise<void> }>()
  const closing = new Map<string, Promise<void>>()
  /** Jobs that are being handed over at this moment. */
  const leaving = new Set<string>()
  let finishing: Promise<void> | undefined
  let isStopped = false

  if (!options.isReadOnly) snapshots?.finishInterrupted(canRead)
  // A row that says that no step was running needs no repair.
  for (const { id, counts, stepsDone, stepsTotal, handedOver } of options.isReadOnly
    ? []
    : options.log.runningWith('running')) {
    if (handedOver) continue
    if (!counts || counts.running > 0 || stepsDone === stepsTotal) recover(id)
  }

  /** Repairs what was running when the process ended. */
  function recover(id: string): void {
    // One job with an unreadable log must not hide all others: the list shows it as damaged.
    if (!canRead(id)) return
    logs.endInterrupted(id)
    // The process may have ended after the signature, before the job was closed.
    void settleSigned(id)
  }

  /** The outputs of this job that may be on, also those that a log from before the ledger left on. */
  function outputsThatMayBeOn(id: string): string[] {
    adoptLeftovers(options.outputs, () => load(id), load(id).device.address)
    return options.outputs.ledger().flatMap(({ jobId, output }) => (jobId === id ? [output] : []))
  }

  /** Runs `work` while nobody can begin on these jobs. */
  async function whileLeaving<T>(ids: readonly string[], work: () => Promise<T>): Promise<T> {
    for (const id of ids) leaving.add(id)
    try {
      return await work()
    } finally {
      for (const id of ids) leaving.delete(id)
    }
  }

  /** Resolves when no snapshot of these jobs, and no seal, is being made. */
  async function settleRecords(ids: readonly string[]): Promise<void> {
    await snapshots?.idle(ids)
    await sealing.idle()
  }

  function canRead(id: string): boolean {
    try {
      return load(id).damage === undefined
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      options.reportFault(error)
      return false
    }
  }

  const attachParts = {
    logs,
    attachments: options.attachments,
    photos: options.photos,
    now,
    devicePlace: async (id: string) => (await sessions.get(id)?.session.place()) ?? null
  }

  async function attach(id: string, stepId: string | null, photo: AddedPhoto): Promise<AttachOutcome> {
    const outcome = await attachPhoto(attachParts, id, stepId, photo)
    if (outcome.outcome === 'kept') sessions.get(id)?.session.attached(outcome.attachment)
    return outcome
  }

  function sessionOf(id: string): JobSession {
    load(id)
    const open = sessions.get(id)
    if (!open) throw new AppError('INVALID_REQUEST', message('jobs.notConnected'))
    return open.session
  }

  function stepOf(id: string, stepId: string): Step {
    const step = load(id).steps.find((candidate) => candidate.id === stepId)
    if (!step) throw new AppError('NOT_FOUND', message('jobs.noSuchStep', { step: stepId }))
    return step
  }

  /** Starts a step, or throws what prevents that. The promise resolves when the step has ended. */
  function begin(id: string, stepId: string): Promise<void> {
    const step = stepOf(id, stepId)
    assertOpen(load(id))
    assertStepOpen(load(id), step)
    const session = sessionOf(id)
    setState(id, 'running', message('jobs.stepWasRun'))
    const outcome = session.run(stepId)
    if (step.kind === 'signOff') snapshots?.begin(id, 'signOff')
    return afterStep(id, step.kind, session, outcome)
  }

  async function afterStep(
    id: string,
    kind: Step['kind'],
    session: JobSession,
    ending: Promise<Outcome | undefined>
  ): Promise<void> {
    let outcome: Outcome | undefined
    try {
      outcome = await ending
    } finally {
      await settleSigned(id)
      if (kind === 'signOff' && outcome?.state === 'pass') await pause(id)
      else if (sessions.get(id)?.session === session) {
        // The job has not failed while other steps run.
        if (kind === 'signOff' && outcome && session.live().length === 0)
          setState(id, 'failed', message('jobs.signOffFoundOpen'))
        if (kind === 'identity') readAgain(id)
        goOn(id)
      }
    }
  }

  /** How each step of a job goes on that has not ended. */
  function standings(id: string): Map<string, Standing> {
    const job = load(id)
    const session = sessions.get(id)?.session
    return goingOn({
      steps: job.steps,
      after: stepsBefore(job),
      live: new Map(session?.live().map((step) => [step.stepId, step])),
      isActive: session !== undefined
    })
  }

  /** Starts a step that nobody waits for. */
  function startUnattended(id: string, stepId: string): void {
    try {
      begin(id, stepId).catch(options.reportFault)
    } catch (error) {
      options.reportFault(error)
    }
  }

  /** With a device that was just connected, or that is the right one again, what only watches starts once more. */
  function readAgain(id: string): void {
    const { steps } = load(id)
    const identity = steps.find(({ kind }) => kind === 'identity')
    if (identity && !isSettled(identity.state)) return
    for (const { id: stepId, kind, state } of steps)
      if (stepKinds[kind].watches && (state === 'fail' || state === 'unreadable')) startUnattended(id, stepId)
  }

  /**
   * Starts what can start. In the terminal that is only what watches: there the runner starts the others, one after the
   * other.
   */
  function goOn(id: string): void {
    const open = sessions.get(id)
    if (!open || open.session.isOver()) return
    try {
      endUnwantedSteps(id)
    } catch (error) {
      const usable = isAboutData(error) ? options.diskUsable?.(new AbortController().signal) : undefined
      if (!usable) throw error
      return void usable.then(() => goOn(id)).catch(options.reportFault)
    }
    for (const [stepId, { is }] of standings(id)) {
      if (is === 'starts' && (open.goesOn || stepKinds[stepOf(id, stepId).kind].watches)) startUnattended(id, stepId)
    }
  }

  /** Steps that an earlier answer made unnecessary end as not applicable. */
  function endUnwantedSteps(id: string): void {
    const { steps, templateSteps, order = null, answers } = load(id)
    for (const { id: stepId, state, attempts } of steps) {
      if (
        state !== 'waiting' ||
        conditionHolds(templateSteps.get(stepId)?.when, { order, answerOf: (step) => answers.get(step) }) !== false
      )
        continue
      write(id, 'stepEnded', stepId, {
        attempt: attempts,
        state: 'notApplicable',
        summary: message('jobs.notWanted'),
        remedy: null,
        witness: ['person'],
        durationMs: 0
      })
    }
  }

  /** Closes a signed job as its steps allow, or shows that one of them failed after all; then its log is sealed. */
  function settleSigned(id: string): Promise<void> {
    const state = stateWhenSigned(load(id))
    if (state === undefined || load(id).state === 'cancelled' || load(id).handedOver) return Promise.resolve()
    if (state !== load(id).state) {
      setState(id, state, message('jobs.signedOff'))
      options.worked(load(id))
    }
    return sealing.seal(id)
  }

  function start(id: string, signal: AbortSignal, { goesOn } = { goesOn: false }): Promise<void> {
    logs.assertWhole(id)
    assertOpen(load(id))
    if (leaving.has(id)) throw new AppError('CONFLICT', message('transfer.leavesNow'))
    const present = opening.get(id)
    if (present) return present.done
    if (sessions.has(id)) return Promise.resolve()
    const abort = new AbortController()
    const done = open(id, AbortSignal.any([signal, abort.signal]), goesOn).finally(() => opening.delete(id))
    opening.set(id, { abort, done })
    return done
  }

  async function open(id: string, signal: AbortSignal, goesOn: boolean): Promise<void> {
    // The previous session may still be switching an output off: two sessions would work against each other.
    await closing.get(id)
    const { device, address, close: disconnect } = await options.connect(load(id).device, signal)
    try {
      if (address !== load(id).device.address) write(id, 'deviceAddress', null, { address })
      const shared = {
        device,
        job: () => load(id),
        write: <Type extends EntryType>(type: Type, stepId: string | null, data: EntryInput<Type>) =>
          writeAndFollow(id, type, stepId, data),
        monotonicMs
      }
      await switchOffLeftovers({ ...shared, outputs: options.outputs, address })
      if (isStopped || signal.aborted) throw new AppError('CANCELLED', message('jobs.pausedBeforeConnected'))
      assertOpen(load(id))
      logs.endInterrupted(id)
      if (!isSigned(load(id))) setState(id, 'running', message('jobs.connected'))
      const session = openSession({
        ...shared,
        gateway: options.gateway,
        operations: options.operations,
        outputs: options.outputs,
        now,
        clockDifferenceMs: () => options.clockDifferenceMs?.() ?? null,
        units: () => options.units?.() ?? 'metric',
        live: (step) => options.events.tell('jobs.live', step),
        lines: (news) => options.events.tell('jobs.lines', news),
        attach: (stepId, photo) => attach(id, stepId, photo),
        otherDevice: () => void pause(id).catch(options.reportFault),
        diskUsable: options.diskUsable,
        waitsForDevice: goesOn,
        reportFault: (error) => options.reportFault(error)
      })
      sessions.set(id, { session, disconnect, goesOn })
      logs.tell(id)
      if (!isSigned(load(id))) snapshots?.begin(id, 'jobStart')
      readAgain(id)
      goOn(id)
    } catch (error) {
      if (!sessions.has(id)) disconnect()
      throw error
    }
  }

  async function pause(id: string, why?: Message): Promise<void> {
    const starting = opening.get(id)
    starting?.abort.abort(new AppError('CANCELLED', message('jobs.paused')))
    await Promise.allSettled([starting?.done, closing.get(id)])
    const open = sessions.get(id)
    if (!open) return
    sessions.delete(id)
    const closed = open.session.close(why).finally(() => {
      open.disconnect()
      closing.delete(id)
    })
    closing.set(id, closed)
    await closed
    await settleSigned(id)
    logs.tell(id)
  }

  /** A signed job is finished without its device: the vehicle may never return. */
  function isForGatewayAlone(id: string, stepId: string): boolean {
    return !sessions.has(id) && isSigned(load(id)) && stepKinds[stepOf(id, stepId).kind].needs === 'gateway'
  }

  async function finishAlone(id: string, stepId: string, signal: AbortSignal): Promise<void> {
    assertOpen(load(id))
    assertStepOpen(load(id), stepOf(id, stepId))
    await gatewayFinish.finishStep(id, stepOf(id, stepId), signal)
  }

  return {
    /** Resolves when the step has ended. Throws what prevents its start before anything was done. */
    async runStep(id: string, stepId: string): Promise<void> {
      return isForGatewayAlone(id, stepId) ? finishAlone(id, stepId, AbortSignal.timeout(60_000)) : begin(id, stepId)
    },
    /** Starts a step that nobody waits for; throws what prevents its start. */
    async beginStep({ id, stepId }: { id: string; stepId: string }, signal: AbortSignal): Promise<void> {
      if (isForGatewayAlone(id, stepId)) return finishAlone(id, stepId, signal)
      // The window follows the step through events; a failure of the step is its outcome.
      const ended = begin(id, stepId)
      ended.catch(options.reportFault)
    },
    pause,
    /** Seals the log of a signed job, unless it ends with a seal. */
    async seal(id: string): Promise<void> {
      load(id)
      await sealing.seal(id)
    },
    /** Whether its log accepts entries: it exists, is intact, and was not handed over. */
    isWhole: (id: string): boolean => canRead(id) && !load(id).handedOver,
    hasDeferred: (): boolean => gatewayFinish.hasAny(),
    templates: (): {
      id: string
      version: number
      name: Message
      kind: Job['kind']
      description: Message
      steps: number
    }[] =>
      options.templates.list().map((listed) => {
        const template = options.templates.find(listed.id)
        // A checklist has steps for everything that can be ordered; a job without an order has none of these.
        return { ...listed, steps: template ? planSteps(template, null).length : listed.steps }
      }),
    /** The latest open job on this device. */
    openOfDevice(imei: string): ListedJob | undefined {
      const [newest] = options.log.openOfDevice(imei)
      return newest && logs.listed(newest)
    },
    create(newJob: NewJob): string {
      const at = now().toISOString()
      const entries = firstEntries(newJob, options)
      const id = jobIdOf({ seq: 1, at, ...entries[0] })
      logs.begin(id, entries, at)
      options.worked(load(id))
      return id
    },
    /** Changes the order, and the steps with it. Throws INVALID_REQUEST once the job is signed, or without its values. */
    changeOrder(id: string, order: Order | null): void {
      assertUnsigned(load(id))
      if (load(id).steps.some(({ state }) => state === 'running'))
        throw new AppError('CONFLICT', message('jobs.orderWhileRunning'))
      refuseIncomplete(load(id).checklist, order)
      write(id, 'orderChanged', null, { order })
      goOn(id)
    },
    list(request: JobPageRequest): Omit<JobPage, 'jobs'> & { jobs: ListedJob[] } {
      const page = options.log.page(request)
      return { ...page, jobs: page.jobs.map((summary) => logs.listed(summary)) }
    },
    show: (id: string): Job => logs.show(id),
    journal(id: string): JournalEntry[] {
      load(id)
      return options.log.readable(id).entries
    },
    /**
     * With `goesOn` each step starts automatically when all steps before it are settled; otherwise the caller starts
     * each step.
     */
    start,
    async stopStep(id: string, stepId: string): Promise<void> {
      stepOf(id, stepId)
      await sessionOf(id).stop(stepId)
    },
    /** Which step the person looks at; null for none. Before the first call every clock runs. */
    onStage(id: string, stepId: string | null): void {
      if (stepId !== null) stepOf(id, stepId)
      // A paused job has no clocks.
      sessions.get(id)?.session.onStage(stepId)
    },
    answer(id: string, stepId: string, answer: Answer): void {
      stepOf(id, stepId)
      sessionOf(id).answer(stepId, answer)
    },
    /** Adds a picture to a step, or to the job as a whole. Throws INVALID_REQUEST once the job is signed, or without its values. */
    attach,
    /**
     * Runs `work` while nobody can start these jobs. CONFLICT for one that is open or handed over, or whose output may
     * be on.
     */
    async whileClosed<T>(ids: readonly string[], work: () => Promise<T>): Promise<T> {
      for (const id of ids) {
        if (load(id).handedOver) assertOpen(load(id))
        if (leaving.has(id)) throw new AppError('CONFLICT', message('transfer.leavesNow'))
        if (
          opening.has(id) ||
          sessions.has(id) ||
          closing.has(id) ||
          load(id).steps.some(({ state }) => state === 'running')
        )
          throw new AppError('CONFLICT', message('transfer.jobIsOpen', { id }))
        const outputs = outputsThatMayBeOn(id)
        if (outputs.length > 0) throw new AppError('CONFLICT', message('transfer.outputMayBeOn', { id, outputs }))
      }
      return whileLeaving(ids, async () => {
        await settleRecords(ids)
        return work()
      })
    },
    /**
     * Others have taken these jobs over: their steps end, outputs first, and they become read-only. `together` writes
     * that in one transaction.
     */
    async lose(lost: readonly ({ jobId: string } & Lost)[], together: (mark: () => void) => void): Promise<void> {
      const ids = lost.map(({ jobId }) => jobId)
      await whileLeaving(ids, async () => {
        for (const { jobId, ...by } of lost) {
          await pause(jobId, sayTakenOver(by))
          // Nothing stays on, not even an output that no step has switched.
          if (outputsThatMayBeOn(jobId).length > 0)
            await options.outputs.settle(load(jobId).device.imei, outputsOffWithinMs)
        }
        await settleRecords(ids)
        together(() => {
          for (const { jobId, ...by } of lost) logs.lose(jobId, by)
        })
        for (const id of ids) logs.reread(id)
      })
    },
    loaded: (id: string): LoggedJob => load(id),
    /** Call after a handover or a takeover changed its log. */
    reread(id: string): void {
      logs.reread(id)
      void settleSigned(id)
      options.worked(load(id))
    },
    /** Stores a choice for an open step before the step asks. It overrides the text that the job was created with. */
    chooseBefore(id: string, stepId: string, choose: string): void {
      assertOpen(load(id))
      const step = stepOf(id, stepId)
      if (step.state !== 'waiting' || load(id).answers.get(stepId)?.choose === choose) return
      write(id, 'answered', stepId, { attempt: step.attempts, answer: { choose } })
    },
    async waive(id: string, stepId: string, reason: string, by: string): Promise<void> {
      assertWaivable(load(id), stepOf(id, stepId))
      if (reason.trim().length < 3) throw new AppError('INVALID_REQUEST', message('jobs.waiverNeedsReason'))
      await sessions.get(id)?.session.stop(stepId)
      assertWaivable(load(id), stepOf(id, stepId))
      write(id, 'waived', stepId, { reason: reason.trim(), by })
      await settleSigned(id)
      // In the terminal the runner goes on by itself.
      if (sessions.get(id)?.goesOn) goOn(id)
    },
    /**
     * Someone accepts that a step passed with a warning. Throws INVALID_REQUEST for any other step, and once the job is
     * signed.
     */
    accept(id: string, stepId: string, by: string): void {
      const step = stepOf(id, stepId)
      assertAcceptable(load(id), step)
      write(id, 'evidence', stepId, {
        attempt: step.attempts,
        witness: 'person',
        what: message(acceptedId, { by }),
        raw: { by },
        thresholds: null
      })
    },
    /** Adds a person's words to the evidence of a step. Throws INVALID_REQUEST once the job is signed, or without its values. */
    note(id: string, stepId: string, note: string, by: string): void {
      const step = stepOf(id, stepId)
      assertUnsigned(load(id))
      write(id, 'evidence', stepId, {
        attempt: step.attempts,
        witness: 'person',
        what: message(notedId, { by, note }),
        raw: { by, note },
        thresholds: null
      })
    },
    async cancel(id: string, reason: string): Promise<void> {
      assertOpen(load(id))
      await pause(id)
      assertOpen(load(id))
      const outputs = outputsThatMayBeOn(id)
      if (outputs.length > 0) throw new AppError('CONFLICT', message('jobs.outputMayBeOn', { outputs }))
      setState(id, 'cancelled', plainMessage(reason))
    },
    live(id: string): CallOutput<'jobs.live'> {
      const open = sessions.get(id)
      return {
        active: open !== undefined,
        steps: open?.session.live() ?? [],
        lines: open?.session.lines() ?? null,
        after: stepsBefore(load(id))
      }
    },
    /** How each step of a job goes on that has not ended. */
    standings,
    idle: (id: string): Promise<void> => sessionOf(id).idle(),
    jobOf: (imei: string): string | null => [...sessions.keys()].find((id) => load(id).device.imei === imei) ?? null,
    hasOpen: (): boolean => sessions.size > 0,
    /** Jobs that are connected to their device now. */
    openJobs: (): JobSummary[] => [...sessions.keys()].map((id) => logs.show(id)),
    /** What is wired to the outputs of this device, according to the checklist of its open job. */
    wiringOf(imei: string): { line: string; what: Message }[] {
      const [newest] = options.log.openOfDevice(imei)
      if (!newest) return []
      return [...load(newest.id).templateSteps.values()].flatMap((step) =>
        step.kind === 'output' && step.output !== undefined ? [{ line: step.output, what: asMessage(step.title) }] : []
      )
    },
    /** Logs what a person sent by hand while the job was open. Throws INVALID_REQUEST once the job is signed, or without its values. */
    recordWrite(id: string, entry: EntryInput<'deviceWrite'>): void {
      assertUnsigned(load(id))
      writeAndFollow(id, 'deviceWrite', null, entry)
    },
    /** Finishes the deferred steps of all jobs at the gateway, without the device. */
    finishDeferred(signal: AbortSignal): Promise<void> {
      // Two runs at the same time would each write the same result.
      finishing ??= gatewayFinish.finishAll(signal).finally(() => (finishing = undefined))
      return finishing
    },
    async stop(): Promise<void> {
      isStopped = true
      await Promise.all([...new Set([...opening.keys(), ...sessions.keys(), ...closing.keys()])].map((id) => pause(id)))
      await snapshots?.stop()
      await sealing.idle()
    }
  }
}
