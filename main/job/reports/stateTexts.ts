import { asMessage, message, plainMessage, type Message } from '../../../preload/contract/messages.ts'
import type { Job, JobState, Step, StepState } from '../../../preload/contract/job/jobs.ts'
import type { Texts } from '../../base/messages/texts.ts'

/** The shape and the colour of a state, different for each. */
export type Tone = 'pass' | 'warn' | 'fail' | 'live' | 'wait' | 'defer' | 'waive' | 'receive'

export interface StateWords {
  word: Message
  tone: Tone
}

const stepTones: Readonly<Record<StepState, Tone>> = {
  waiting: 'wait',
  running: 'live',
  pass: 'pass',
  received: 'receive',
  warn: 'warn',
  fail: 'fail',
  unreadable: 'fail',
  waived: 'waive',
  deferred: 'defer',
  notApplicable: 'wait'
}

/** Word and shape of a step's state. What was only sent, and cannot be read back, is not called passed. */
export function stepWord(step: Pick<Step, 'state' | 'isSent'>): StateWords {
  if (step.state === 'pass' && step.isSent) return { word: message('report.stepState.sent'), tone: 'wait' }
  return stateWord(step.state)
}

export function stateWord(state: StepState): StateWords {
  return { word: message(`report.stepState.${state}`), tone: stepTones[state] }
}

const jobTones: Readonly<Record<JobState, Tone>> = {
  draft: 'wait',
  running: 'live',
  installedAwaitingGateway: 'defer',
  done: 'pass',
  failed: 'fail',
  cancelled: 'fail'
}

export function jobWord(state: JobState): StateWords {
  return { word: message(`report.jobState.${state}`), tone: jobTones[state] }
}

const operationTones: Readonly<Record<string, Tone>> = {
  draft: 'wait',
  blocked: 'defer',
  pending: 'defer',
  sending: 'live',
  unknown: 'warn',
  verifying: 'live',
  accepted: 'defer',
  done: 'pass',
  failed: 'fail',
  needsAttention: 'warn',
  cancelled: 'waive',
  expired: 'fail',
  superseded: 'wait',
  moved: 'defer'
}

/** Word and shape of an operation's state; one that this version does not know is shown by its own name. */
export function operationWord(state: string, texts: Texts): StateWords {
  const id = `report.operationState.${state}`
  return texts.has(id)
    ? { word: { id, values: {} }, tone: operationTones[state] ?? 'wait' }
    : { word: plainMessage(state), tone: 'wait' }
}

/** What an operation does, in words; one of another version by its own name. */
export function operationKindWord(kind: string, texts: Texts): Message {
  const id = `report.operationKind.${kind}`
  return texts.has(id) ? { id, values: {} } : plainMessage(kind)
}

export interface Verdict {
  tone: Tone
  /** The number of steps by result, such as "10 passed", "2 skipped", "1 not applicable". */
  counts: Message[]
  /** What is confirmed, and what is not. */
  sentences: Message[]
}

const settled = new Set(['done', 'superseded'])

/** A job is a pass only if it is done, every applicable step passed, and nothing was skipped. */
export function judgeJob(job: Job): Verdict {
  const isSent = (step: Step): boolean => step.state === 'pass' && step.isSent === true
  const count = (...states: StepState[]): number =>
    job.steps.filter((step) => states.includes(step.state) && !isSent(step)).length
  const numbers = {
    pass: count('pass'),
    sent: job.steps.filter(isSent).length,
    received: count('received'),
    warn: count('warn'),
    waived: count('waived'),
    fail: count('fail'),
    unreadable: count('unreadable'),
    deferred: count('deferred'),
    open: count('waiting', 'running'),
    notApplicable: count('notApplicable')
  }
  const counts = (Object.keys(numbers) as (keyof typeof numbers)[])
    .filter((name) => numbers[name] > 0)
    .map((name) => message(`report.count.${name}`, { n: numbers[name] }))
  const dropped = job.operations.filter((operation) => operation.state === 'cancelled').length
  const waiting = job.operations.filter((operation) => !settled.has(operation.state)).length - dropped
  const { tone, verdict } = decide(job.state, numbers, { waiting, dropped })
  return {
    tone,
    counts: counts.length > 0 ? counts : [message('report.noSteps')],
    sentences: [
      message(`report.verdict.${verdict}`),
      ...(numbers.received > 0 ? [message('report.receivedOnly', { n: numbers.received })] : []),
      ...(waiting > 0 ? [message('report.gatewayOpen', { n: waiting })] : []),
      ...(dropped > 0 ? [message('report.gatewayDropped', { n: dropped })] : [])
    ]
  }
}

type StepNumbers = Record<'fail' | 'unreadable' | 'waived' | 'deferred' | 'open' | 'warn' | 'sent' | 'received', number>

function decide(state: JobState, steps: StepNumbers, operations: { waiting: number; dropped: number }) {
  if (state === 'failed') return { tone: 'fail', verdict: 'failed' } as const
  if (state === 'cancelled') return { tone: 'fail', verdict: 'cancelled' } as const
  if (state === 'draft' || state === 'running') return { tone: 'warn', verdict: 'interim' } as const
  if (steps.fail + steps.unreadable > 0) return { tone: 'fail', verdict: 'failedSteps' } as const
  if (steps.waived > 0) return { tone: 'waive', verdict: 'skipped' } as const
  if (state === 'installedAwaitingGateway' || steps.deferred + steps.open + operations.waiting > 0)
    return { tone: 'defer', verdict: 'open' } as const
  if (steps.warn + operations.dropped > 0) return { tone: 'warn', verdict: 'warnings' } as const
  if (steps.sent > 0) return { tone: 'warn', verdict: 'sent' } as const
  if (steps.received > 0) return { tone: 'warn', verdict: 'received' } as const
  return { tone: 'pass', verdict: 'passed' } as const
}

export function waivedSteps(job: Job): Step[] {
  return job.steps.filter((step) => step.waiver !== null || step.state === 'waived')
}

/** A text of a job, as it may be stored: a message, or words that are not Fitter's. */
export function sayStored(text: string | Message | null, texts: Texts): string {
  return text === null ? '' : texts.say(asMessage(text))
}
