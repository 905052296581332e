import { AppError } from '../../preload/contract/errors.ts'
import type { Answer, LineTrace, LiveStep, Prompt, Step } from '../../preload/contract/jobs.ts'
import { type Asked, type CheckContext, type Outcome, unreadable } from './check.ts'
import { checks, watchingKinds } from './checks/index.ts'
import { isSettled, plainJson, type EntryData, type EntryType, type LoggedJob } from './journal.ts'
import { startLineRecorder, type LineRecorder } from './lines.ts'
import { switchOff } from './outputSwitch.ts'
import type { DevicePort, GatewayPort, OperationsPort } from './ports.ts'

export interface SessionOptions {
  job(): LoggedJob
  /** Writes an entry into the job's log; it is on the disk when this returns. */
  write<Type extends EntryType>(type: Type, stepId: string | null, data: EntryData<Type>): void
  device: DevicePort
  gateway: GatewayPort
  operations: OperationsPort
  monotonicMs(): number
  now(): Date
  live(step: LiveStep): void
  lines(trace: LineTrace): void
  /** A step that nobody waits for ended with a fault. */
  reportFault(error: unknown): void
}

/** A job that is being worked on: connected to its device, with checks running. */
export interface JobSession {
  readonly recorder: LineRecorder
  /** Starts a step that is not running; resolves with its outcome when it ended. */
  run(stepId: string): Promise<Outcome | undefined>
  runWatching(): void
  stop(stepId: string): Promise<void>
  answer(stepId: string, answer: Answer): void
  live(): LiveStep[]
  trace(): LineTrace
  /** Resolves when no step is running. */
  idle(): Promise<void>
  close(): Promise<void>
}

interface RunningStep {
  abort: AbortController
  done: Promise<Outcome | undefined>
  live: LiveStep
  leftUntilMs: number | null
  question: { resolve(answer: Answer): void; asked: { given: Answer | undefined } } | undefined
}

const linesEveryMs = 200

export function openSession(options: SessionOptions): JobSession {
  const { device, monotonicMs, write } = options
  const running = new Map<string, RunningStep>()
  const ranBefore = new Set<string>()
  let lastLinesMs = -Infinity
  const recorder = startLineRecorder({
    device,
    monotonicMs,
    changed() {
      if (monotonicMs() - lastLinesMs < linesEveryMs) return
      lastLinesMs = monotonicMs()
      options.lines(recorder.trace(options.job().id))
    }
  })

  function findStep(stepId: string): Step {
    const step = options.job().steps.find((candidate) => candidate.id === stepId)
    if (!step) throw new AppError('NOT_FOUND', `This job has no step ${stepId}.`)
    return step
  }

  function run(stepId: string): Promise<Outcome | undefined> {
    const present = running.get(stepId)
    if (present) return present.done
    const step = findStep(stepId)
    const startedMs = monotonicMs()
    const attempt = step.attempts + 1
    write('stepStarted', stepId, { attempt })
    const abort = new AbortController()
    const live: LiveStep = {
      jobId: options.job().id,
      stepId,
      say: step.instruction,
      hint: '',
      meters: [],
      elapsedMs: 0,
      leftMs: null,
      prompt: null
    }
    const entry: RunningStep = { abort, live, leftUntilMs: null, question: undefined, done: Promise.resolve(undefined) }
    running.set(stepId, entry)
    entry.done = perform(step, attempt, startedMs, entry).finally(() => {
      running.delete(stepId)
      ranBefore.add(stepId)
      publish(entry, startedMs)
    })
    publish(entry, startedMs)
    return entry.done
  }

  async function perform(step: Step, attempt: number, startedMs: number, entry: RunningStep): Promise<Outcome | undefined> {
    const context = makeContext(step, attempt, startedMs, entry)
    let outcome: Outcome
    try {
      outcome = await checks[step.kind](context)
    } catch (error) {
      if (entry.abort.signal.aborted) {
        end(step.id, attempt, startedMs, { state: 'waiting', summary: 'Stopped before it was finished', remedy: '', witness: [] })
        return undefined
      }
      // What cannot be written cannot be judged either: the step stays as the log has it.
      if (error instanceof AppError && (error.code === 'DATA_UNUSABLE' || error.code === 'DATA_LOCKED')) throw error
      if (!(error instanceof AppError)) {
        end(step.id, attempt, startedMs, unreadable('A fault in Fitter ended this check', 'Run the step again; if it happens again, send the job as a support bundle.'))
        throw error
      }
      outcome = unreadable(error.message, 'Run the step again.')
    }
    end(step.id, attempt, startedMs, outcome)
    return outcome
  }

  function end(stepId: string, attempt: number, startedMs: number, outcome: Omit<Outcome, 'state'> & { state: Step['state'] }): void {
    write('stepEnded', stepId, { attempt, ...outcome, durationMs: Math.round(monotonicMs() - startedMs) })
  }

  function publish(entry: RunningStep, startedMs: number): void {
    const nowMs = monotonicMs()
    entry.live = {
      ...entry.live,
      elapsedMs: Math.round(nowMs - startedMs),
      leftMs: entry.leftUntilMs === null ? null : Math.max(0, Math.round(entry.leftUntilMs - nowMs))
    }
    options.live(entry.live)
  }

  function makeContext(step: Step, attempt: number, startedMs: number, entry: RunningStep): CheckContext {
    const { signal } = entry.abort
    const job = options.job()
    const plan = job.templateSteps.get(step.id)
    if (!plan) throw new Error(`Step ${step.id} is not in the template of job ${job.id}`)

    return {
      get job() {
        return options.job()
      },
      step: { ...step, attempts: attempt },
      plan,
      profile: job.thresholds,
      device,
      gateway: options.gateway,
      operations: options.operations,
      // A step that is run again starts from nothing; the first time it may use what was seen since the device was connected.
      lines: ranBefore.has(step.id) ? recorder.since(startedMs) : recorder,
      signal,
      monotonicMs,
      now: () => options.now(),
      elapsedMs: () => monotonicMs() - startedMs,
      show(shown) {
        const { leftMs, ...rest } = shown
        if (leftMs !== undefined) entry.leftUntilMs = leftMs === null ? null : monotonicMs() + leftMs
        entry.live = { ...entry.live, ...rest }
        publish(entry, startedMs)
      },
      saw({ witness, what, raw, thresholds }) {
        write('evidence', step.id, {
          attempt,
          witness,
          what,
          raw: plainJson(raw),
          thresholds: thresholds ? { profile: `${job.profile.id} ${job.profile.version}`, ...thresholds } : null
        })
      },
      ask: (prompt) => ask(prompt, entry, startedMs, signal),
      unask() {
        entry.question = undefined
        entry.live = { ...entry.live, prompt: null }
        publish(entry, startedMs)
      },
      pause: (ms) => pause(ms, signal),
      recordWrite: (data) => write('deviceWrite', step.id, data),
      chooseVehicle: (vehicle) => write('vehicleChosen', step.id, vehicle),
      giveNames: (names) => write('namesGiven', step.id, names)
    }
  }

  function ask(prompt: Prompt, entry: RunningStep, startedMs: number, signal: AbortSignal): Asked {
    const asked: { given: Answer | undefined } = { given: undefined }
    const answered = new Promise<Answer>((resolve, reject) => {
      entry.question = { resolve, asked }
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    })
    // A check may poll `given` and never look at the promise: its rejection on stop is no fault then.
    answered.catch(() => undefined)
    entry.live = { ...entry.live, prompt }
    publish(entry, startedMs)
    return {
      get given() {
        return asked.given
      },
      answered
    }
  }

  return {
    recorder,
    run,
    runWatching() {
      for (const step of options.job().steps) {
        if (watchingKinds.has(step.kind) && !isSettled(step.state) && !running.has(step.id)) run(step.id).catch(options.reportFault)
      }
    },
    async stop(stepId) {
      const entry = running.get(stepId)
      entry?.abort.abort(new AppError('CANCELLED', 'The step was stopped.'))
      await entry?.done
    },
    answer(stepId, answer) {
      const entry = running.get(stepId)
      if (!entry?.question) throw new AppError('INVALID_REQUEST', 'This step does not ask for anything now.')
      const step = findStep(stepId)
      write('answered', stepId, { attempt: step.attempts, answer })
      const { question } = entry
      question.asked.given = answer
      entry.question = undefined
      entry.live = { ...entry.live, prompt: null }
      question.resolve(answer)
    },
    live: () => [...running.values()].map((entry) => entry.live),
    trace: () => recorder.trace(options.job().id),
    async idle() {
      while (running.size > 0) await Promise.allSettled([...running.values()].map((entry) => entry.done))
    },
    async close() {
      for (const entry of running.values()) entry.abort.abort(new AppError('CANCELLED', 'The job was paused.'))
      await Promise.allSettled([...running.values()].map((entry) => entry.done))
      recorder.stop()
    }
  }
}

/**
 * Switches off what an earlier session left on: it ended (a crash, a pulled plug) between "on" and the proof of "off".
 */
export async function switchOffLeftovers(
  options: Pick<SessionOptions, 'job' | 'write' | 'device' | 'monotonicMs'>
): Promise<void> {
  for (const out of options.job().outputsLeftOn) {
    if (out !== 'OUT1' && out !== 'OUT2' && out !== 'OUT3' && out !== 'OUT4') continue
    await switchOff(
      {
        device: options.device,
        record: (entry) => options.write('deviceWrite', null, entry),
        monotonicMs: () => options.monotonicMs(),
        pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms))
      },
      out,
      5_000
    )
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    const stopped = () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stopped)
      resolve()
    }, ms)
    signal.addEventListener('abort', stopped, { once: true })
  })
}
