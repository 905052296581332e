import type { Job, JobState, Step, StepState, Witness } from '../../preload/contract/jobs.ts'

/** How a state is drawn: one shape and one colour each, so that none can be taken for another. */
export type Tone = 'pass' | 'warn' | 'fail' | 'live' | 'wait' | 'defer' | 'waive'

export interface StateWords {
  word: string
  tone: Tone
}

export const stepWords: Record<StepState, StateWords> = {
  waiting: { word: 'Not done', tone: 'wait' },
  running: { word: 'Running', tone: 'live' },
  pass: { word: 'Passed', tone: 'pass' },
  warn: { word: 'Warning', tone: 'warn' },
  fail: { word: 'Failed', tone: 'fail' },
  unreadable: { word: 'Unreadable', tone: 'fail' },
  waived: { word: 'Waived', tone: 'waive' },
  deferred: { word: 'Deferred', tone: 'defer' },
  notApplicable: { word: 'Not applicable', tone: 'wait' }
}

export const jobWords: Record<JobState, StateWords> = {
  draft: { word: 'Draft', tone: 'wait' },
  running: { word: 'In progress', tone: 'live' },
  installedAwaitingGateway: { word: 'Awaiting gateway', tone: 'defer' },
  done: { word: 'Done', tone: 'pass' },
  failed: { word: 'Failed', tone: 'fail' },
  cancelled: { word: 'Cancelled', tone: 'fail' }
}

export const kindWords: Record<Job['kind'], string> = {
  installation: 'Installation',
  service: 'Service visit',
  removal: 'Removal',
  diagnosis: 'Diagnosis'
}

export const witnessWords: Record<Witness, string> = { device: 'Device', gateway: 'Gateway', person: 'Person' }

const operationWords: Record<string, StateWords> = {
  draft: { word: 'Draft', tone: 'wait' },
  blocked: { word: 'Waits for another', tone: 'defer' },
  pending: { word: 'Waiting to be sent', tone: 'defer' },
  sending: { word: 'Being sent', tone: 'live' },
  unknown: { word: 'Outcome unknown', tone: 'warn' },
  verifying: { word: 'Being read back', tone: 'live' },
  accepted: { word: 'Accepted, not yet in effect', tone: 'defer' },
  done: { word: 'Done', tone: 'pass' },
  failed: { word: 'Failed', tone: 'fail' },
  needsAttention: { word: 'Needs attention', tone: 'warn' },
  cancelled: { word: 'Dropped', tone: 'waive' },
  expired: { word: 'Expired', tone: 'fail' },
  superseded: { word: 'Replaced by a newer one', tone: 'wait' }
}

/** Word and shape of an operation's state; one that this version does not know is shown by its own name. */
export function operationWord(state: string): StateWords {
  return Object.hasOwn(operationWords, state) ? operationWords[state]! : { word: state, tone: 'wait' }
}

export interface Verdict {
  tone: Tone
  /** Two or three words. */
  headline: string
  /** What holds and what does not. */
  sentence: string
}

const settled = new Set(['done', 'superseded'])

/**
 * What a job proves, in one sentence. Only a job that is done, with every step that applies passed and nothing waived,
 * reads as a pass.
 */
export function judgeJob(job: Job): Verdict {
  const count = (...states: StepState[]): number => job.steps.filter((step) => states.includes(step.state)).length
  const applies = job.steps.length - count('notApplicable')
  const open: string[] = []
  const name = (states: StepState[], words: string): void => {
    const found = count(...states)
    if (found > 0) open.push(`${found} ${words}`)
  }
  name(['fail'], 'failed')
  name(['unreadable'], 'unreadable')
  name(['waived'], 'waived without proof')
  name(['warn'], 'passed with a warning')
  name(['deferred'], 'deferred until the gateway answers')
  name(['waiting', 'running'], 'not done')
  const dropped = job.operations.filter((operation) => operation.state === 'cancelled').length
  const waiting = job.operations.filter((operation) => !settled.has(operation.state)).length - dropped
  const steps = `${count('pass')} of ${plural(applies, 'step')} passed${open.length > 0 ? `; ${open.join(', ')}` : ''}.`
  const gateway = waiting > 0 ? ` ${plural(waiting, 'gateway operation')} not done.` : ''
  const given = dropped > 0 ? ` ${plural(dropped, 'gateway operation')} dropped.` : ''
  const sentence = `${steps}${gateway}${given}`

  if (job.state === 'failed') return { tone: 'fail', headline: 'Failed', sentence }
  if (job.state === 'cancelled') return { tone: 'fail', headline: 'Cancelled, not completed', sentence }
  if (job.state === 'draft' || job.state === 'running') return { tone: 'warn', headline: 'Not finished: interim report', sentence }
  if (count('fail', 'unreadable') > 0) return { tone: 'fail', headline: 'Signed off with failed steps', sentence }
  if (count('waived') > 0) return { tone: 'waive', headline: 'Signed off with waivers', sentence }
  if (job.state === 'installedAwaitingGateway' || count('deferred', 'waiting', 'running') > 0 || waiting > 0) {
    return { tone: 'defer', headline: 'Installed, gateway work still open', sentence }
  }
  if (count('warn') > 0 || dropped > 0) return { tone: 'warn', headline: 'Passed with warnings', sentence }
  return { tone: 'pass', headline: 'Passed', sentence }
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Steps that were waived, with their reasons. */
export function waivedSteps(job: Job): Step[] {
  return job.steps.filter((step) => step.waiver !== null || step.state === 'waived')
}
