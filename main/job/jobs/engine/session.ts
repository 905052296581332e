import { AppError } from '../../../../preload/contract/errors.ts'
import type { Answer, JobLines, LiveStep, Prompt, Step } from '../../../../preload/contract/job/jobs.ts'
import type { Attachment } from '../../../../preload/contract/job/attachments.ts'
import { askPhotos, photosOfAttempt } from '../photos/askPhotos.ts'
import type { AttachOutcome, AddedPhoto } from '../photos/addedPhoto.ts'
import { type Check, type CheckContext, type Outcome, type MessageOrText, unreadable } from './check.ts'
import { stepKinds } from '../stepKinds.ts'
import { asMessage, message, type Message } from '../../../../preload/contract/messages.ts'
import { plainJson, type EntryInput, type EntryType, type LoggedJob } from '../record/journal.ts'
import { isAboutData, untilStored } from '../../../data/store/untilStored.ts'
import { startLineRecorder } from '../../../device/client/lineRecorder.ts'
import type { Outputs } from '../../outputs/outputs.ts'
import { takeTurns } from '../gatewayTurn.ts'
import { paceGateway } from './pacedGateway.ts'
import { pause } from '../../../base/time/pause.ts'
import type { PhotoPosition } from '../../photos/preparePhoto.ts'
import type { DevicePort, GatewayPort, OperationsPort } from './ports.ts'
import { watchClocks } from './clocks.ts'
import { shareDevice } from './sharedDevice.ts'
import { openQuestion, type Question } from './question.ts'
import { keepSameDevice, otherDevice } from './sameDevice.ts'
import { createFixWatch, type FixWatchContext } from '../../../device/client/fixWatch.ts'

export interface SessionOptions {
  job(): LoggedJob
  /** Writes an entry into the job's log; it is on the disk when this returns. */
  write<Type extends EntryType>(type: Type, stepId: string | null, data: EntryInput<Type>): void
  device: DevicePort
  gateway: GatewayPort
  operations: OperationsPort
  outputs: Pick<Outputs, 'of' | 'limits' | 'ledger'>
  monotonicMs(): number
  now(): Date
  /** The gateway's clock minus this computer's; null when unknown. */
  clockDifferenceMs(): number | null
  units(): CheckContext['units']
  live(step: LiveStep): void
  attach(stepId: string, photo: AddedPhoto): Promise<AttachOutcome>
  lines(news: JobLines): void
  /** Another device answers: the steps have ended, and it must get no more requests. */
  otherDevice(): void
  /** Resolves when the disk is usable again; undefined when it is. */
  diskUsable?: ((signal: AbortSignal) => Promise<void> | undefined) | undefined
  /** Steps wait for a device that stopped answering, and for the longest limit of the gateway; otherwise they end. */
  waitsForDevice: boolean
  /** A step that nobody waits for ended with a fault. */
  reportFault(error: unknown): void
}

/** An open job: connected to its device, with checks running. */
export type JobSession = ReturnType<typeof openSession>

interface RunningStep {
  startedMs: number
  abort: AbortController
  done: Promise<Outcome | undefined>
  live: LiveStep
  /** On the clock of the step. */
  leftUntilMs: number | null
  question: Question | undefined
  /** How long the clock of the step was paused, and since when it is now. */
  pausedMs: number
  pausedSinceMs: number | undefined
  /** A change was sent to the device: the step is not started again automatically. */
  hasWritten: boolean
  /** A person stopped it: it does not start again by itself. */
  isStopped: boolean
  /** When the limit of the gateway allows its call (epoch ms); null while it waits for none. */
  waitsForGateway(): number | null
}

const linesEveryMs = 200
/** The gateway has limits of an hour. */
const longestLimitMs = 3_900_000
/** A terminal command has to end: it waits for limits of minutes, never for one of an hour. */
const terminalLimitMs = 600_000

type Ending = Omit<Outcome, 'state'> & { state: Step['state'] }

function notFinished(summary: Message): Ending {
  return { state: 'waiting', summary, remedy: null, witness: [] }
}

function messageOrNothing(hint: MessageOrText | null): Message | null {
  return hint === null || hint === '' ? null : asMessage(hint)
}

export function openSession(options: SessionOptions) {
  const { device, monotonicMs, write } = options
  const running = new Map<string, RunningStep>()
  const ranBefore = new Set<string>()
  const ending = new AbortController()
  let lastLinesMs = -Infinity
  let wasSilent = false
  let isDeviceLost = false
  /** Undefined while no screen reports its stage: then every clock runs. */
  let stage: string | null | undefined
  let sentLines: JobLines | null = null
  let stoppedBecause = message('jobs.stoppedBeforeFinished')
  /** Another device answers: no step starts on it. */
  let other: AppError | undefined
  const turns = takeTurns(options.gateway, {
    job: options.job().id,
    mostMs: options.waitsForDevice ? longestLimitMs : terminalLimitMs,
    changed() {
      for (const entry of running.values()) followClock(entry, monotonicMs())
    }
  })
  const gateway = paceGateway(turns.gateway, {
    everyMs: options.job().thresholds.delivered.askEveryS * 1000,
    monotonicMs,
    signal: ending.signal
  })
  const clocks = watchClocks({
    device: { ...device, io: { all: tells(device.io.all), setOutput: tells(device.io.setOutput) } },
    monotonicMs,
    now: () => options.now(),
    clockDifferenceMs: () => options.clockDifferenceMs()
  })
  const shared = shareDevice(clocks.device, monotonicMs)
  const sameDevice = keepSameDevice({
    device,
    imei: options.job().device.imei,
    reportFault: (error) => options.reportFault(error),
    changed(error) {
      other = error
      for (const entry of running.values()) entry.abort.abort(error)
      options.otherDevice()
    }
  })
  const recorder = startLineRecorder({
    device,
    monotonicMs,
    now: () => options.now(),
    reportFault: (error) => options.reportFault(error),
    changed() {
      const isSilent = recorder.silence() !== undefined
      if (wasSilent && !isSilent) sameDevice.look()
      wasSilent = isSilent
      const isNews = followLoss()
      if (!isNews && monotonicMs() - lastLinesMs < linesEveryMs) return
      lastLinesMs = monotonicMs()
      const news = linesSince(sentLines)
      sentLines = news
      options.lines(news)
    }
  })

  /** The same request; its answer says that the device is there. */
  function tells<Inputs extends unknown[], Reply>(ask: (...inputs: Inputs) => Promise<Reply>) {
    return async (...inputs: Inputs): Promise<Reply> => {
      const reply = await ask(...inputs)
      recorder.look()
      return reply
    }
  }

  function linesSince(earlier: JobLines | null): JobLines {
    return { jobId: options.job().id, ...recorder.news(earlier), lostForMs: recorder.lost()?.forMs ?? null }
  }

  /**
   * The loss of the device concerns the whole job: running steps pause until it answers again. True when that changed.
   */
  function followLoss(): boolean {
    const loss = recorder.lost()
    if ((loss !== undefined) === isDeviceLost) return false
    isDeviceLost = loss !== undefined
    for (const entry of running.values()) followClock(entry, loss ? monotonicMs() - loss.forMs : monotonicMs())
    return true
  }

  /** A started test of an output never waits: it must switch off what it switched on. */
  function waitsForDevice(entry: RunningStep): boolean {
    return options.waitsForDevice && isDeviceLost && !isSwitching(entry)
  }

  function isSwitching({ live }: RunningStep): boolean {
    return live.output !== undefined && live.output.phase !== 'hold'
  }

  /** The step needs the person, who is at another step. */
  function waitsForPerson(entry: RunningStep): boolean {
    const { prompt, act, stepId } = entry.live
    return stage !== undefined && stage !== stepId && (prompt !== null || (act ?? null) !== null) && !isSwitching(entry)
  }

  /** A call of the step waits for the gateway's limit. */
  function waitsForTurn(entry: RunningStep): boolean {
    return entry.waitsForGateway() !== null && !isSwitching(entry)
  }

  /** Pauses the clock of a step, or continues it. */
  function followClock(entry: RunningStep, sinceMs: number): void {
    const isPaused = waitsForDevice(entry) || waitsForPerson(entry) || waitsForTurn(entry)
    if (isPaused === (entry.pausedSinceMs !== undefined)) return publish(entry)
    if (isPaused) entry.pausedSinceMs = Math.max(sinceMs, entry.startedMs)
    else {
      entry.pausedMs += monotonicMs() - (entry.pausedSinceMs ?? sinceMs)
      entry.pausedSinceMs = undefined
    }
    publish(entry)
  }

  function clockOf({ startedMs, pausedMs, pausedSinceMs }: RunningStep): number {
    return (pausedSinceMs ?? monotonicMs()) - startedMs - pausedMs
  }

  function withdrawQuestion(entry: RunningStep): void {
    entry.question = undefined
    entry.live = { ...entry.live, prompt: null }
  }

  /** Resolves at once, or when a device that stopped answering answers again. */
  async function untilDeviceAnswers(entry: RunningStep, signal: AbortSignal): Promise<void> {
    while (waitsForDevice(entry)) await recorder.next(signal)
  }

  function findStep(stepId: string): Step {
    const step = options.job().steps.find((candidate) => candidate.id === stepId)
    if (!step) throw new AppError('NOT_FOUND', message('jobs.noSuchStep', { step: stepId }))
    return step
  }

  /** Starts a step that is not running; resolves with its outcome when it has ended. Throws what prevents its start. */
  function run(stepId: string): Promise<Outcome | undefined> {
    const present = running.get(stepId)
    if (present) return present.done
    if (ending.signal.aborted) throw new AppError('CANCELLED', message('jobs.paused'))
    if (other) throw other
    const step = findStep(stepId)
    const startedMs = monotonicMs()
    const attempt = step.attempts + 1
    const previous = step.state
    try {
      write('stepStarted', stepId, { attempt })
    } catch (error) {
      const usable = isAboutData(error) ? options.diskUsable?.(ending.signal) : undefined
      if (!usable) throw error
      return usable.then(() => run(stepId))
    }
    const abort = new AbortController()
    const live: LiveStep = {
      jobId: options.job().id,
      stepId,
      say: step.instruction,
      hint: null,
      meters: [],
      elapsedMs: 0,
      leftMs: null,
      prompt: null
    }
    const turn = turns.ofStep(gateway)
    const entry: RunningStep = {
      startedMs,
      abort,
      live,
      leftUntilMs: null,
      question: undefined,
      pausedMs: 0,
      pausedSinceMs: undefined,
      hasWritten: false,
      isStopped: false,
      waitsForGateway: () => turn.waitsUntil(),
      done: Promise.resolve(undefined)
    }
    running.set(stepId, entry)
    entry.done = perform(makeContext(step, previous, attempt, entry, turn.gateway), entry).finally(() => {
      running.delete(stepId)
      ranBefore.add(stepId)
      // Nobody is asked any more: an open question must not be answered into the void.
      entry.leftUntilMs = null
      withdrawQuestion(entry)
      publish(entry)
    })
    followClock(entry, startedMs)
    return entry.done
  }

  async function perform(context: CheckContext, entry: RunningStep): Promise<Outcome | undefined> {
    const { startedMs } = entry
    const { step } = context
    const attempt = step.attempts
    const end = (outcome: Ending): Promise<void> =>
      storeResult(entry, () =>
        write('stepEnded', step.id, { attempt, ...outcome, durationMs: Math.round(monotonicMs() - startedMs) })
      )
    let outcome: Outcome
    try {
      outcome = await judge(step, context, entry)
      await askRequiredPhotos(context, outcome)
    } catch (error) {
      const stopped = entry.abort.signal.aborted ? (entry.abort.signal.reason as unknown) : undefined
      if (stopped instanceof AppError && stopped.code === 'WRONG_DEVICE') {
        outcome = otherDevice(stopped)
        await end(outcome)
        return outcome
      }
      if (entry.abort.signal.aborted) {
        await end(notFinished(entry.isStopped ? message('jobs.stepStopped') : stoppedBecause))
        return undefined
      }
      if (isAboutData(error)) {
        // Without a log there is no result.
        if (!options.diskUsable?.(entry.abort.signal)) throw error
        await end(notFinished(message('jobs.notKeptRunAgain', { why: error.sentence })))
        return undefined
      }
      if (!(error instanceof AppError)) {
        await end(unreadable(message('jobs.faultEnded'), message('jobs.runAgainOrSendBundle')))
        throw error
      }
      outcome = unreadable(error.sentence, message('jobs.runAgain'))
    }
    await end(outcome)
    return outcome
  }

  /**
   * Repeats a check that could not read the lost device when the device is back, unless the check has sent something to
   * it.
   */
  async function judge(step: Step, context: CheckContext, entry: RunningStep): Promise<Outcome> {
    for (;;) {
      let outcome: Outcome | undefined
      let failure: unknown
      try {
        outcome = await sameDevice.believe(await (stepKinds[step.kind].check as Check)(context), entry.abort.signal)
      } catch (error) {
        failure = error
      }
      // Another program held the data file for a while: nothing is wrong with the disk, and nobody has to press
      // anything.
      if (
        isAboutData(failure) &&
        failure.code === 'DATA_LOCKED' &&
        failure.retryable &&
        !entry.hasWritten &&
        (await isKeptAgain(entry, failure))
      )
        continue
      const isUnread = outcome
        ? outcome.state === 'unreadable'
        : failure instanceof AppError && (failure.code === 'TIMEOUT' || failure.code === 'UNREACHABLE')
      if (!isUnread || entry.hasWritten || !waitsForDevice(entry)) {
        if (outcome) return outcome
        throw failure
      }
      withdrawQuestion(entry)
      publish(entry)
      await untilDeviceAnswers(entry, entry.abort.signal)
    }
  }

  /** Waits until the data can be written again; false when nobody waits for that, or the step was stopped. */
  async function isKeptAgain(entry: RunningStep, failure: AppError): Promise<boolean> {
    const usable = options.diskUsable?.(entry.abort.signal)
    if (!usable) return false
    showNotKept(entry, failure)
    try {
      await usable
    } catch {
      return false
    }
    entry.live = { ...entry.live, hint: null }
    return true
  }

  function showNotKept(entry: RunningStep, failure: AppError): void {
    withdrawQuestion(entry)
    entry.live = { ...entry.live, hint: message('jobs.notKeptYet', { why: failure.sentence }) }
    publish(entry)
  }

  /**
   * Writes the result of a step; nothing is shown before it is stored. A failing disk is reported, and the write
   * retried.
   */
  function storeResult(entry: RunningStep, keep: () => void): Promise<void> {
    return untilStored(
      keep,
      () => options.diskUsable?.(ending.signal),
      (failure) => {
        entry.leftUntilMs = null
        showNotKept(entry, failure)
      }
    )
  }

  /** A step that requires pictures passes only with them. */
  async function askRequiredPhotos(context: CheckContext, { state }: Outcome): Promise<void> {
    const minPhotos = context.plan.requires?.photos ?? 0
    if (!['pass', 'received', 'warn'].includes(state) || photosOfAttempt(context).length >= minPhotos) return
    context.show({ rows: [], inputs: [], conditions: [] })
    await askPhotos(context, { text: message('person.showByPhoto', { n: minPhotos }), purpose: 'other', minPhotos })
  }

  function publish(entry: RunningStep): void {
    const clockMs = clockOf(entry)
    const { isWaiting: _isWaiting, ...live } = entry.live
    entry.live = {
      ...live,
      ...(waitsForDevice(entry) ? { isWaiting: true } : {}),
      elapsedMs: Math.round(clockMs),
      leftMs:
        entry.leftUntilMs === null || entry.pausedSinceMs !== undefined
          ? null
          : Math.max(0, Math.round(entry.leftUntilMs - clockMs))
    }
    options.live(liveStepOf(entry))
  }

  /** While a step waits for the gateway's limit, its hint says so. */
  function liveStepOf(entry: RunningStep): LiveStep {
    const untilMs = waitsForTurn(entry) ? entry.waitsForGateway() : null
    if (untilMs === null) return entry.live
    const turnMs = Math.max(0, untilMs - options.now().getTime())
    const waitS = Math.max(1, Math.ceil(turnMs / 1000))
    return { ...entry.live, turnMs, hint: message('jobs.waitsForTurn', { waitS }) }
  }

  function makeContext(
    step: Step,
    previous: Step['state'],
    attempt: number,
    entry: RunningStep,
    ownGateway: GatewayPort
  ): CheckContext {
    const {
      abort: { signal },
      startedMs
    } = entry
    const job = options.job()
    const plan = job.templateSteps.get(step.id)
    if (!plan) throw new Error(`Step ${step.id} is not in the template of job ${job.id}`)

    return {
      get job() {
        return options.job()
      },
      step: { ...step, attempts: attempt },
      previous,
      plan,
      units: options.units(),
      profile: job.thresholds,
      device: shared.since(startedMs),
      gateway: ownGateway,
      operations: options.operations,
      outputs: {
        controller: options.outputs.of(job.device.imei),
        limits: options.outputs.limits(job.thresholds.output),
        mayBeOn: () =>
          options.outputs.ledger().flatMap(({ imei, output }) => (imei === job.device.imei ? [output] : []))
      },
      // The first attempt may use the readings since the device was connected, a later one only its own.
      lines: {
        ...(ranBefore.has(step.id) ? recorder.since(startedMs) : recorder),
        async next(until) {
          await recorder.next(until)
          await untilDeviceAnswers(entry, until)
        }
      },
      signal,
      monotonicMs,
      now: () => options.now(),
      elapsedMs: () => clockOf(entry),
      show(shown) {
        const { leftMs, say, hint, ...rest } = shown
        if (leftMs !== undefined) entry.leftUntilMs = leftMs === null ? null : clockOf(entry) + leftMs
        const words = {
          ...(say === undefined ? {} : { say: asMessage(say) }),
          ...(hint === undefined ? {} : { hint: messageOrNothing(hint) })
        }
        entry.live = { ...entry.live, ...rest, ...words }
        // A test of an output that has begun no longer waits, and one that is over may wait again.
        followClock(entry, monotonicMs())
      },
      saw({ witness, what, raw, thresholds }) {
        write('evidence', step.id, {
          attempt,
          witness,
          what,
          raw: plainJson(raw),
          thresholds: thresholds ? { profile: `${job.profile.id} ${job.profile.version}`, ...thresholds } : null,
          clocks: clocks.read()
        })
      },
      ask(question) {
        const prompt = { ...question, text: asMessage(question.text) } as Prompt
        entry.question = openQuestion(prompt, signal)
        entry.live = { ...entry.live, prompt }
        followClock(entry, monotonicMs())
        return entry.question.asked
      },
      unask() {
        withdrawQuestion(entry)
        followClock(entry, monotonicMs())
      },
      async pause(ms) {
        await pause(ms, signal)
        await untilDeviceAnswers(entry, signal)
      },
      attach: (photo) => options.attach(step.id, photo),
      recordWrite(data) {
        entry.hasWritten = true
        write('deviceWrite', step.id, data)
      },
      chooseVehicle: (vehicle) => write('vehicleChosen', step.id, vehicle),
      giveNames: (names) => write('namesGiven', step.id, names)
    }
  }

  return {
    recorder,
    run,
    async stop(stepId: string): Promise<void> {
      const entry = running.get(stepId)
      if (!entry) return
      entry.isStopped = true
      entry.abort.abort(new AppError('CANCELLED', message('jobs.stepStopped')))
      await entry.done
    },
    /** No step starts any more: another device answers, or the session ends. */
    isOver: (): boolean => other !== undefined || ending.signal.aborted,
    /** The person looks at this step, or at none. */
    onStage(stepId: string | null): void {
      stage = stepId
      for (const entry of running.values()) followClock(entry, monotonicMs())
    },
    answer(stepId: string, answer: Answer): void {
      const entry = running.get(stepId)
      const question = entry?.question
      if (!question) throw new AppError('INVALID_REQUEST', message('jobs.nothingAsked'))
      question.assertFits(answer)
      write('answered', stepId, { attempt: findStep(stepId).attempts, answer })
      withdrawQuestion(entry)
      question.give(answer)
    },
    /** A picture was stored: the step that asks for pictures shows it. */
    attached({ stepId, attempt, sha256 }: Attachment): void {
      const entry = stepId === null ? undefined : running.get(stepId)
      const prompt = entry?.live.prompt
      if (
        !entry ||
        prompt?.kind !== 'photo' ||
        stepId === null ||
        findStep(stepId).attempts !== attempt ||
        prompt.attached.includes(sha256)
      )
        return
      entry.live = { ...entry.live, prompt: { ...prompt, attached: [...prompt.attached, sha256] } }
      options.live(liveStepOf(entry))
    },
    /** The position of the device; null without a fresh fix. */
    place: (): Promise<PhotoPosition | null> =>
      readDevicePlace({
        device: shared.since(monotonicMs()),
        signal: ending.signal,
        monotonicMs,
        now: () => options.now()
      }),
    live: (): LiveStep[] => [...running.values()].map(liveStepOf),
    lines: (): JobLines => linesSince(null),
    /** Resolves when no step is running. */
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.allSettled([...running.values()].map((entry) => entry.done))
    },
    /** Running steps end without a result, with `why` as their summary. */
    async close(why: Message = stoppedBecause): Promise<void> {
      stoppedBecause = why
      const paused = new AppError('CANCELLED', message('jobs.paused'))
      ending.abort(paused)
      sameDevice.stop()
      for (const entry of running.values()) entry.abort.abort(paused)
      await Promise.allSettled([...running.values()].map((entry) => entry.done))
      recorder.stop()
    }
  }
}

/** The vehicle is parked during a job, so a position that is a minute old is still right. */
const freshFixMs = 60_000

/** The position of the device; null without a fresh fix. */
async function readDevicePlace(context: FixWatchContext): Promise<PhotoPosition | null> {
  const watch = createFixWatch(context)
  try {
    const coords = (await watch.read())?.value.coords
    const isFresh = watch.hasFix() && watch.ageMs() <= freshFixMs
    return isFresh && coords?.latitude !== undefined && coords.longitude !== undefined
      ? { latitude: coords.latitude, longitude: coords.longitude }
      : null
  } catch (error) {
    // The device was disconnected in the meantime: its position is unknown.
    if (error instanceof AppError && error.code === 'CANCELLED') return null
    throw error
  }
}
