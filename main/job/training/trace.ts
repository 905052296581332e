import type { Danger, Deed } from '../../../preload/contract/app/exercises.ts'
import type { Message } from '../../../preload/contract/messages.ts'
import { countNeedless } from './points.ts'

/** One job of the training log, as its entries and its steps tell it. */
export interface TracedJob {
  entries: readonly { type: string; stepId: string | null; at: string; data: unknown }[]
  titleOf(stepId: string): Message | null
}

/** What a job shows about an exercise since its start. */
export interface Trace {
  /** Steps that came to a result. */
  tests: number
  needlessSteps: number
  deeds: Deed[]
  dangers: Danger[]
}

const stoppedWhileCounting = 'output.countdownStoppedSeen'

/** Failed steps, and outputs that were to go on although a condition broke. */
export function traceJob({ entries, titleOf }: TracedJob, since: string): Trace {
  const deeds: Deed[] = []
  const dangers: Danger[] = []
  let tests = 0
  for (const { type, stepId, at, data } of entries) {
    if (at < since || stepId === null) continue
    const state = type === 'stepEnded' ? (data as { state?: unknown }).state : undefined
    if (state !== undefined && state !== 'waiting') tests += 1
    if (state === 'fail') deeds.push({ kind: 'stepFailed', at, about: titleOf(stepId) })
    if (type === 'evidence' && (data as { what?: { id?: unknown } }).what?.id === stoppedWhileCounting)
      dangers.push({ kind: 'armedUnsafe', at })
  }
  return { tests, needlessSteps: countNeedless(entries, since), deeds, dangers }
}

const someChecks = 3

/**
 * The steps of the guided tour that these jobs contain: find a device, run the checks, read a failure, switch an
 * output, sign off.
 */
export function tourOf(jobs: readonly Pick<TracedJob, 'entries'>[]): boolean[] {
  const ended = jobs
    .flatMap(({ entries }) => entries)
    .filter(({ type }) => type === 'stepEnded')
    .map(({ stepId, data }) => ({ stepId: stepId ?? '', state: (data as { state?: unknown }).state }))
  const isDone = (isSo: (one: (typeof ended)[number]) => boolean): boolean => ended.some(isSo)
  return [
    jobs.length > 0,
    ended.filter(({ state }) => state === 'pass').length >= someChecks,
    isDone(({ state }) => state === 'fail'),
    isDone(({ stepId, state }) => stepId.startsWith('output') && state === 'pass'),
    isDone(({ stepId, state }) => stepId.startsWith('sign') && state === 'pass')
  ]
}
