import { AppError } from '../../../../preload/contract/errors.ts'
import { needsAcceptance } from '../../../../preload/job/acceptance.ts'
import type { JobState, Step } from '../../../../preload/contract/job/jobs.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import { sayTakenOver } from '../../../data/store/jobs/jobs.ts'
import { isSettled, type LoggedJob } from '../record/journal.ts'

export function isSigned(job: LoggedJob): boolean {
  return job.steps.some((step) => step.kind === 'signOff' && step.state === 'pass')
}

/** Throws CONFLICT for a job that was handed over, INVALID_REQUEST for a closed one. */
export function assertOpen({ state, handedOver }: LoggedJob): void {
  if (handedOver) throw new AppError('CONFLICT', sayWhere(handedOver))
  if (state === 'done' || state === 'cancelled') throw new AppError('INVALID_REQUEST', message('jobs.closed'))
}

function sayWhere({ id, to, through, takenOver }: NonNullable<LoggedJob['handedOver']>): Message {
  if (takenOver) return sayTakenOver(takenOver)
  return message(through === 'team' ? 'teamHolding.offeredTo' : 'jobs.handedOverTo', {
    named: to === '' ? 'no' : 'yes',
    to,
    id
  })
}

/** Throws INVALID_REQUEST for a job that is signed or closed, CONFLICT for one that was handed over. */
export function assertUnsigned(job: LoggedJob): void {
  assertOpen(job)
  if (isSigned(job)) throw new AppError('INVALID_REQUEST', message('jobs.signedLog'))
}

/** Throws INVALID_REQUEST when a signature already confirms the result of this step. */
export function assertStepOpen(job: LoggedJob, step: Step): void {
  if (!isSigned(job)) return
  if (step.state !== 'deferred' && isSettled(step.state)) {
    throw new AppError('INVALID_REQUEST', message('jobs.signedStep'))
  }
}

/** The state of a signed job by its steps; undefined while a step runs, or while nobody has signed. */
export function stateWhenSigned(job: LoggedJob): JobState | undefined {
  const states = job.steps.map((step) => step.state)
  if (!isSigned(job) || states.includes('running')) return undefined
  if (!states.every(isSettled)) return 'failed'
  return states.includes('deferred') ? 'installedAwaitingGateway' : 'done'
}

/** Throws INVALID_REQUEST for a step without a warning, or with one that was accepted already. */
export function assertAcceptable(job: LoggedJob, step: Step): void {
  assertUnsigned(job)
  if (!needsAcceptance(step)) throw new AppError('INVALID_REQUEST', message('jobs.nothingToAccept'))
}

/** Throws INVALID_REQUEST for a step that cannot be skipped, whatever the reason. */
export function assertWaivable(job: LoggedJob, step: Step): void {
  assertOpen(job)
  assertStepOpen(job, step)
  if (step.kind === 'signOff') throw new AppError('INVALID_REQUEST', message('jobs.signOffNotWaived'))
  const { lastResult } = step
  // A reason does not turn one device into another. Logs of earlier versions do not say what kind of failure it was:
  // each failed identity is another device.
  if (lastResult?.isMismatch || (step.kind === 'identity' && lastResult?.state === 'fail')) {
    throw new AppError('INVALID_REQUEST', message('jobs.otherDeviceNotWaived'))
  }
}
