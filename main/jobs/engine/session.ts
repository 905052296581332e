import { AppError } from '../../../preload/contract/errors.ts'
import type { Answer, JobLines, LiveStep, Prompt, Step } from '../../../preload/contract/jobs/jobs.ts'
import type { Attachment } from '../../../preload/contract/jobs/attachments.ts'
import { askPhotos, photosOfAttempt } from '../photos/askPhotos.ts'
import type { AttachOutcome, AddedPhoto } from '../photos/addedPhoto.ts'
import { type Check, type CheckContext, type Outcome, type MessageOrText, unreadable } from './check.ts'
import { stepKinds } from '../stepKinds.ts'
import { asMessage, message, type Message } from '../../../preload/contract/messages.ts'
import { plainJson, type EntryInput, type EntryType, type LoggedJob } from '../record/journal.ts'
import { startLineRecorder } from '../../device/lineRecorder.ts'
import type { Outputs } from '../../outputs/outputs.ts'
import { takeTurns } from '../gatewayTurn.ts'
import { paceGateway } from './pacedGateway.ts'
import { pause } from '../../time/pause.ts'
import type { PhotoPosition } from '../../photos/preparePhoto.ts'
import type { DevicePort, GatewayPort, OperationsPort } from './ports.ts'
import { completeProfile, type Profile } from './profile.ts'
import { watchClocks } from './clocks.ts'
import { shareDevice } from './sharedDevice.ts'
import { openQuestion, type Question } from './question.ts'
import { keepSameDevice, otherDevice } from './sameDevice.ts'
import { createFixWatch, type FixWatchContext } from '../../device/fixWatch.ts'

export interface SessionOptions {
  job(): LoggedJob
  /** Writes an entry into the job's log; it is on the disk when this returns. */
  write<Type extends EntryType>(type: Type, stepId: string | null, data: EntryInput<Type>): void
  device: DevicePort
  gateway: GatewayPort
  operations: OperationsPort
  outputs: Pick<Outputs, 'of' | 'limits' | 'ledger'>
  /** What a profile of an earlier version lacks comes from this one. */
  standardProfile: Profile
  monotonicMs(): number
  now(): Date
  /** How far the gateway's clock is before this computer's; null while it is not known. */
  clockDifferenceMs(): number | null
  units(): CheckContext['units']
  live(step: LiveStep): void
  attach(stepId: string, photo: AddedPhoto): Promise<AttachOutcome>
  lines(news: JobLines): void
  /** Another device answers: its steps have ended, and nothing more may be asked of it. */
  otherDevice(): void
  /** Resolves when the disk takes what is written again; undefined when it does. */
  diskUsable?: ((signal: AbortSignal) => Promise<void> | undefined) | undefined
  /** Steps wait for a device that fell silent, and for the longest limit of the gateway; without, they end when it stays away. */
  waitsForDevice: boolean
  /** A step that nobody waits for ended with a fault. */
  reportFault(error: unknown): void
}

/** A job that is being worked on: connected to its device, with checks running. */
export type JobSession = ReturnType<typeof openSession>

interface RunningStep {
  startedMs: number
  abort: AbortController
  done: Promise<Outcome | undefined>
  live: LiveStep
  /** On the clock of the step. */
  leftUntilMs: number | null
  question: Question | undefined
  /** The clock of the step: how long it was paused, and since when it is. */
  stoodMs: number
  standsSinceMs: number | undefined
  /** A change was sent to the device: the step is not started again automatically. */
  hasWritten: boolean
  /** When the limit of the gateway allows its call (epoch ms); null while it waits for none. */
  waitsForGateway(): number | null
}

const linesEveryMs = 200
/** The gateway has limits of an hour. */
const longestLimitMs = 3_900_000
/** A terminal command has to end: it waits for its turns in the limits of minutes, never for one of an hour. */
const terminalLimitMs = 600_000

type Ending = Omit<Outcome, 'state'> & { state: Step['state'] }

function notFinished(summary: Message): Ending {
  return { state: 'waiting', summary, remedy: null, witness: [] }
}

/** The log could not be written or read. */
function isAboutData(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'DATA_UNUSABLE' || error.code === 'DATA_LOCKED')
}

function sayOrNothing(hint: MessageOrText | null): Message | null {
  return hint === null || hint === '' ? null : asMessage(hint)
}

export function openSession(options: SessionOptions) {
  const { device, monotonicMs, write } = options
  const running = new Map<string, RunningStep>()
  const ranBefore = new Set<string>()
  const ending = new AbortController()
  let lastLinesMs = -Infinity
  let wasSilent = false
  let isLost = false
  /** Undefined while no screen reports its stage: then every clock runs. */
  let stage: string | null | undefined
  let sentLines: JobLines | null = null
  let stoppedBecause = message('jobs.stoppedBeforeFinished')
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
  const clocks = watchClocks({ device, monotonicMs, now: () => options.now(), clockDifferenceMs: () => options.clockDifferenceMs() })
  const shared = shareDevice(clocks.device, monotonicMs)
  const sameDevice = keepSameDevice({
    device,
    imei: options.job().device.imei,
    reportFault: (error) => options.reportFault(error),
    changed(error) {
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

  function linesSince(earlier: JobLines | null): JobLines {
    return { jobId: options.job().id, ...recorder.news(earlier), lostForMs: recorder.lost()?.forMs ?? null }
  }

  /** The loss of the device is a state of the whole job: running steps pause until it is back. True when that changed. */
  function followLoss(): boolean {
    const loss = recorder.lost()
    if ((loss !== undefined) === isLost) return false
    isLost = loss !== undefined
    for (const entry of running.values()) followClock(entry, loss ? monotonicMs() - loss.forMs : monotonicMs())
    return true
  }

  /** A test of an output that has started is never held up: what it switched on it switches off. */
  function waitsForDevice(entry: RunningStep): boolean {
    return options.waitsForDevice && isLost && !isSwitching(entry)
  }

  function isSwitching({ live }: RunningStep): boolean {
    return live.output !== undefined && live.output.phase !== 'hold'
  }

  /** It needs hands, and the person is at another step. */
  function waitsForPerson(entry: RunningStep): boolean {
    const { prompt, act, stepId } = entry.live
    return stage !== undefined && stage !== stepId && (prompt !== null || (act ?? null) !== null) && !isSwitching(entry)
  }

  /** The limit of the gateway holds its call back. */
  function waitsForTurn(entry: RunningStep): boolean {
    return entry.waitsForGateway() !== null && !isSwitching(entry)
  }

  /** Stops the clock of a step, or lets it run on. */
  function followClock(entry: RunningStep, sinceMs: number): void {
    const stands = waitsForDevice(entry) || waitsForPerson(entry) || waitsForTurn(entry)
    if (stands === (entry.standsSinceMs !== undefined)) return publish(entry)
    if (stands) entry.standsSinceMs = Math.max(sinceMs, entry.startedMs)
    else {
      entry.stoodMs += monotonicMs() - (entry.standsSinceMs ?? sinceMs)
      entry.standsSinceMs = undefined
    }
    publish(entry)
  }

  function clockOf({ startedMs, stoodMs, standsSinceMs }: RunningStep): number {
    return (standsSinceMs ?? monotonicMs()) - startedMs - stoodMs
  }

  function withdrawQuestion(entry: RunningStep): void {
    entry.question = undefined
    entry.live = { ...entry.live, prompt: null }
  }

  /** Resolves at once, or when the device that fell silent answers again. */
  async function whileLost(entry: RunningStep, signal: AbortSignal): Promise<void> {
    while (waitsForDevice(entry)) await recorder.next(signal)
  }

  function findStep(stepId: string): Step {
    const step = options.job().steps.find((candidate) => candidate.id === stepId)
    if (!step) throw new AppError('NOT_FOUND', message('jobs.noSuchStep', { step: stepId }))
    return step
  }

  /** Starts a step that is not running; resolves with its outcome when it ended. Throws what keeps it from beginning. */
  function run(stepId: string): Promise<Outcome | undefined> {
    const present = running.get(stepId)
    if (present) return present.done
    if (ending.signal.aborted) throw new AppError('CANCELLED', message('jobs.paused'))
    const step = findStep(stepId)
    const startedMs = monotonicMs()
    const attempt = step.attempts + 1
    const previous = step.state
    write('stepStarted', stepId, { attempt })
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
    const entry: RunningStep = { startedMs, abort, live, leftUntilMs: null, question: undefined, stoodMs: 0, standsSinceMs: undefined, hasWritten: false, waitsForGateway: () => turn.waitsUntil(), done: Promise.resolve(undefined) }
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
      whenKept(entry, () => write('stepEnded', step.id, { attempt, ...outcome, durationMs: Math.round(monotonicMs() - startedMs) }))
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
        await end(notFinished(stoppedBecause))
        return undefined
      }
      if (isAboutData(error)) {
        // What could not be written cannot be judged either.
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

  /** What only the loss of the device kept from being read is looked at again when it is back, as long as nothing was sent to it. */
  async function judge(step: Step, context: CheckContext, entry: RunningStep): Promise<Outcome> {
    for (;;) {
      let outcome: Outcome | undefined
      let failure: unknown
      try {
        outcome = await sameDevice.believe(await (stepKinds[step.kind].check as Check)(context), entry.abort.signal)
      } catch (error) {
        failure = error
      }
      const isUnread = outcome ? outcome.state === 'unreadable' : failure instanceof AppError && (failure.code === 'TIMEOUT' || failure.code === 'UNREACHABLE')
      if (!isUnread || entry.hasWritten || !waitsForDevice(entry)) {
        if (outcome) return outcome
        throw failure
      }
      withdrawQuestion(entry)
      publish(entry)
      await whileLost(entry, entry.abort.signal)
    }
  }

  /** Writes the result of a step; nothing is shown before it is stored. A failing disk is reported, and the write retried. */
  async function whenKept(entry: RunningStep, keep: () => void): Promise<void> {
    for (;;) {
      try {
        return keep()
      } catch (error) {
        const usable = isAboutData(error) ? options.diskUsable?.(ending.signal) : undefined
        if (!usable || !isAboutData(error)) throw error
        entry.leftUntilMs = null
        withdrawQuestion(entry)
        entry.live = { ...entry.live, hint: message('jobs.notKeptYet', { why: error.sentence }) }
        publish(entry)
        await usable.catch(() => {
          throw error
        })
      }
    }
  }

  /** A pass that is to be seen counts with its pictures alone. */
  async function askRequiredPhotos(context: CheckContext, { state }: Outcome): Promise<void> {
    const minPhotos = context.plan.requires?.photos ?? 0
    if ((state !== 'pass' && state !== 'warn') || photosOfAttempt(context).length >= minPhotos) return
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
      leftMs: entry.leftUntilMs === null || entry.standsSinceMs !== undefined ? null : Math.max(0, Math.round(entry.leftUntilMs - clockMs))
    }
    options.live(shownOf(entry))
  }

  /** What a step waits for goes before what it says itself. */
  function shownOf(entry: RunningStep): LiveStep {
    const untilMs = waitsForTurn(entry) ? entry.waitsForGateway() : null
    return untilMs === null ? entry.live : { ...entry.live, hint: message('jobs.waitsForTurn', { waitS: Math.max(1, Math.ceil((untilMs - options.now().getTime()) / 1000)) }) }
  }

  function makeContext(step: Step, previous: Step['state'], attempt: number, entry: RunningStep, ownGateway: GatewayPort): CheckContext {
    const { abort: { signal }, startedMs } = entry
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
      profile: completeProfile(job.thresholds, options.standardProfile),
      device: shared.since(startedMs),
      gateway: ownGateway,
      operations: options.operations,
      outputs: {
        controller: options.outputs.of(job.device.imei),
        limits: options.outputs.limits(job.thresholds.output),
        mayBeOn: () => options.outputs.ledger().flatMap(({ imei, output }) => (imei === job.device.imei ? [output] : []))
      },
      // A step that is run again starts from nothing; the first time it may use what was seen since the device was connected.
      lines: {
        ...(ranBefore.has(step.id) ? recorder.since(startedMs) : recorder),
        async next(until) {
          await recorder.next(until)
          await whileLost(entry, until)
        }
      },
      signal,
      monotonicMs,
      now: () => options.now(),
      elapsedMs: () => clockOf(entry),
      show(shown) {
        const { leftMs, say, hint, ...rest } = shown
        if (leftMs !== undefined) entry.leftUntilMs = leftMs === null ? null : clockOf(entry) + leftMs
        const words = { ...(say === undefined ? {} : { say: asMessage(say) }), ...(hint === undefined ? {} : { hint: sayOrNothing(hint) }) }
        entry.live = { ...entry.live, ...rest, ...words }
        // A test that begins is held up no more, one that is over may be.
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
        await whileLost(entry, signal)
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
      entry?.abort.abort(new AppError('CANCELLED', message('jobs.stepStopped')))
      await entry?.done
    },
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
    /** A picture was kept: the step that asks for pictures shows it. */
    attached({ stepId, attempt, sha256 }: Attachment): void {
      const entry = stepId === null ? undefined : running.get(stepId)
      const prompt = entry?.live.prompt
      if (!entry || prompt?.kind !== 'photo' || stepId === null || findStep(stepId).attempts !== attempt || prompt.attached.includes(sha256)) return
      entry.live = { ...entry.live, prompt: { ...prompt, attached: [...prompt.attached, sha256] } }
      options.live(shownOf(entry))
    },
    /** Where the device says that it is, while its fix is fresh; null when it does not. */
    place: (): Promise<PhotoPosition | null> => readDevicePlace({ device: shared.since(monotonicMs()), signal: ending.signal, monotonicMs, now: () => options.now() }),
    live: (): LiveStep[] => [...running.values()].map(shownOf),
    lines: (): JobLines => linesSince(null),
    /** Resolves when no step is running. */
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.allSettled([...running.values()].map((entry) => entry.done))
    },
    /** Steps that run end without a result; `why` is said of them. */
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

/** A vehicle that is worked on stands: where it was a minute ago is where it is. */
const freshFixMs = 60_000

/** Where the device says that it is, while its fix is fresh; null when it does not say. */
async function readDevicePlace(context: FixWatchContext): Promise<PhotoPosition | null> {
  const watch = createFixWatch(context)
  try {
    const coords = (await watch.read())?.value.coords
    const isFresh = watch.hasFix() && watch.ageMs() <= freshFixMs
    return isFresh && coords?.latitude !== undefined && coords.longitude !== undefined ? { latitude: coords.latitude, longitude: coords.longitude } : null
  } catch (error) {
    // The device was let go of in the meantime: its place is not known then.
    if (error instanceof AppError && error.code === 'CANCELLED') return null
    throw error
  }
}
