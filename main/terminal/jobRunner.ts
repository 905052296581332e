import type { Answer, AnswersFile, Job, LiveStep, Prompt, StepHead, StepKind } from '../../preload/contract/job/jobs.ts'
import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'
import type { Events } from '../../preload/contract/events.ts'
import type { Core } from '../app/core.ts'
import { stepKinds } from '../job/jobs/stepKinds.ts'
import { isSettled } from '../job/jobs/record/journal.ts'
import { answerFromFile, stepInFile } from './input/answers.ts'
import { askAtTerminal } from './input/askAtTerminal.ts'
import type { CommandContext } from './context.ts'
import { exitCodes } from './output/exitCodes.ts'
import { givePhotos } from './input/givePhotos.ts'
import type { Terminal } from './output/terminal.ts'

/** Asked once: the same answer to the same question would only be refused again. */
const askedOnce: ReadonlySet<Prompt['kind']> = new Set([
  'imei',
  'value',
  'text',
  'choice',
  'choose',
  'photo',
  'signOff'
])

/** Only the gateway is asked: nothing in the vehicle waits for such a step. */
function isLeftToGateway(kind: StepKind): boolean {
  const { watches, needs, act } = stepKinds[kind]
  return watches === true && needs === 'gateway' && act === null
}

/**
 * Runs a checklist in the terminal: steps that only watch in parallel, the others in order; a step without an answer is
 * stopped and named.
 */
export async function runChecklist(
  context: Pick<CommandContext, 'terminal' | 'signal'>,
  core: Core,
  id: string,
  answers: AnswersFile | undefined
): Promise<{ job: Job; code: number }> {
  const { jobs } = core
  const { terminal, signal } = context
  const { text } = terminal
  /** Why an answer was refused; empty without one. */
  const unanswered = new Map<string, string>()
  const answered = new Set<string>()
  const shown = new Map<string, string>()
  let asking: Promise<void> = Promise.resolve()
  let fault: unknown

  const stopEvents = core.events.onEvent((name, payload) => {
    if (name === 'jobs.live') follow(payload as LiveStep)
    if (name === 'jobs.step') tellEnded(payload as Events['jobs.step'])
  })
  let pausing: Promise<void> | undefined
  /** Disconnects from the device, outputs off first. */
  const pause = () => (pausing ??= jobs.pause(id))
  const interrupt = () => void pause().catch((error: unknown) => (fault ??= error))

  function follow(live: LiveStep): void {
    if (live.jobId !== id) return
    const [say, hint] = [terminal.text(live.say), terminal.text(live.hint)]
    const words = `${say} ${hint}`
    if (say && shown.get(live.stepId) !== words) {
      shown.set(live.stepId, words)
      terminal.say(`  … ${text(titleOf(live.stepId))}: ${say}${hint ? ` (${hint})` : ''}`)
    }
    const { prompt } = live
    if (!prompt) return
    const key = `${live.stepId} ${prompt.kind}`
    if (answered.has(key) && askedOnce.has(prompt.kind)) return void giveUp(live.stepId, hint)
    if (pending.has(key)) return
    pending.add(key)
    asking = asking
      .then(() => reply(live.stepId, prompt, key))
      .catch((error: unknown) => {
        fault ??= error
      })
  }

  const pending = new Set<string>()

  async function reply(stepId: string, prompt: Prompt, key: string): Promise<void> {
    try {
      const answer = await findAnswer(stepId, prompt)
      const isStillAsked = jobs
        .live(id)
        .steps.some((live) => live.stepId === stepId && live.prompt?.kind === prompt.kind)
      if (!isStillAsked) return
      if (!answer) return giveUp(stepId)
      const { photo, ...rest } = answer
      if (prompt.kind === 'photo' && photo !== undefined) {
        const refusal = await givePhotos(jobs, { jobId: id, stepId, purpose: prompt.purpose }, [photo].flat())
        if (refusal && answers) return giveUp(stepId, text(refusal))
        if (refusal) terminal.warn(refusal)
        // A person types one after the other, and ends with an empty line.
        if (!answers) return await reply(stepId, prompt, key)
      }
      answered.add(key)
      jobs.answer(id, stepId, rest)
    } finally {
      pending.delete(key)
    }
  }

  async function findAnswer(stepId: string, prompt: Prompt): Promise<Answer | undefined> {
    if (answers) return answerFromFile(answers, stepId, prompt)
    return terminal.canAsk ? askAtTerminal(terminal, titleOf(stepId), prompt, signal) : undefined
  }

  function giveUp(stepId: string, refusal = ''): void {
    unanswered.set(stepId, refusal)
    jobs.stopStep(id, stepId).catch((error: unknown) => (fault ??= error))
  }

  function titleOf(stepId: string): string {
    return terminal.text(jobs.show(id).steps.find((step) => step.id === stepId)?.title ?? stepId)
  }

  const ended = new Map<string, string>()
  function tellEnded({ jobId, step }: Events['jobs.step']): void {
    const key = `${step.state} ${step.attempts}`
    if (jobId !== id || step.state === 'running' || step.state === 'waiting' || ended.get(step.id) === key) return
    ended.set(step.id, key)
    terminal.say(describeStep(step, text))
  }

  async function waiveFromFile(): Promise<void> {
    const { steps } = jobs.show(id)
    const isSigned = steps.some((step) => step.kind === 'signOff' && step.state === 'pass')
    for (const step of steps) {
      const reason = answers && stepInFile(answers, step.id)?.waive
      // After a signature nothing that it covers can be skipped.
      if (isSigned && step.state !== 'deferred' && isSettled(step.state)) continue
      if (reason !== undefined && step.kind !== 'signOff' && step.state !== 'waived') {
        await jobs.waive(id, step.id, reason, answers?.technician ?? '')
      }
    }
  }

  /** The vehicle comes from the file even if the job was created for another one. */
  function chooseFromFile(): void {
    for (const { id: stepId, kind } of jobs.show(id).steps) {
      const choose = answers && stepInFile(answers, stepId)?.choose?.trim()
      if (kind === 'vehicle' && choose) jobs.chooseBefore(id, stepId, choose)
    }
  }

  function isDeviceSilent(): boolean {
    return (jobs.live(id).lines?.problem ?? null) !== null
  }

  async function runSteps(): Promise<void> {
    for (const { id: stepId, kind, state } of jobs.show(id).steps) {
      if (signal.aborted) return
      // The identity is checked first and alone: nothing may be tested on the wrong device.
      if (kind === 'signOff') await Promise.race([jobs.idle(id), aborted(signal)])
      const now = jobs.show(id).steps.find((step) => step.id === stepId)?.state ?? state
      if (isSettled(now) || isLeftToGateway(kind)) continue
      await Promise.race([jobs.runStep(id, stepId), aborted(signal)])
      const after = jobs.show(id).steps.find((step) => step.id === stepId)
      if (kind === 'identity' && after && !isSettled(after.state)) return
      // Further steps would only wait in vain; the job continues from here when the device is back.
      if (after?.state === 'unreadable' && isDeviceSilent()) return
    }
  }

  /** A signed job waits only for the gateway: it is finished without its device. */
  async function finishSigned(): Promise<void> {
    for (const step of jobs.show(id).steps) {
      if (step.state === 'deferred' || !isSettled(step.state)) await jobs.runStep(id, step.id)
    }
  }

  async function work(): Promise<void> {
    const isSigned = jobs.show(id).steps.some((step) => step.kind === 'signOff' && step.state === 'pass')
    if (isSigned && jobs.show(id).state !== 'done') return finishSigned()
    chooseFromFile()
    await jobs.start(id, signal)
    signal.addEventListener('abort', interrupt)
    await runSteps()
  }

  try {
    ended.clear()
    for (const step of jobs.show(id).steps) ended.set(step.id, `${step.state} ${step.attempts}`)
    await waiveFromFile()
    await work()
    await asking
    const isDeviceLost = isDeviceSilent()
    await pause()
    if (fault && !(fault instanceof AppError && fault.code === 'CANCELLED')) throw fault
    for (const [stepId, refusal] of unanswered) {
      const about = { title: titleOf(stepId), step: stepId }
      terminal.warn(
        refusal === ''
          ? message('terminal.stepNoAnswer', about)
          : message('terminal.stepRefused', { ...about, refusal })
      )
    }
    const job = jobs.show(id)
    const isGood = job.state === 'done' || job.state === 'installedAwaitingGateway'
    if (!isGood)
      terminal.warn(
        message('terminal.jobNotFinished', {
          steps: job.steps.filter((step) => !isSettled(step.state)).map((step) => step.title)
        })
      )
    return { job, code: isGood ? exitCodes.done : isDeviceLost ? exitCodes.notReachable : exitCodes.attention }
  } finally {
    signal.removeEventListener('abort', interrupt)
    // Also after a fault: an output that is on goes off before anything else is closed.
    await pause()
    stopEvents()
  }
}

function describeStep(step: StepHead, text: Terminal['text']): string {
  const witness = text(
    step.witness.length > 0
      ? message('terminal.witnesses', { witness: step.witness.join(', ') })
      : message('terminal.noWitness')
  )
  const remedy = step.remedy && step.state !== 'pass' ? `\n      ${text(step.remedy)}` : ''
  const state = text(message('terminal.stepState', { state: step.state })).toUpperCase()
  return `${state.padEnd(8)} ${text(step.title)}: ${text(step.summary)} (${witness})${remedy}`
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
