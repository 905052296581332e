import { AppError } from '../../preload/contract/errors.ts'
import type { JobState, Step } from '../../preload/contract/jobs.ts'
import { message } from '../../preload/contract/messages.ts'
import { isSettled, type LoggedJob } from './journal.ts'

/** What can be finished for a signed job without its device: the gateway alone can vouch for it. */
export const gatewayKinds: ReadonlySet<Step['kind']> = new Set(['identity', 'delivered', 'samePlace', 'vehicle', 'link'])

export function isSigned(job: LoggedJob): boolean {
  return job.steps.some((step) => step.kind === 'signOff' && step.state === 'pass')
}

/** Throws INVALID_REQUEST for a job that takes nothing any more. */
export function assertOpen({ state }: LoggedJob): void {
  if (state === 'done' || state === 'cancelled') throw new AppError('INVALID_REQUEST', message('jobs.closed'))
}

/** Throws INVALID_REQUEST for a job whose log is sealed by a signature, or closed without one. */
export function assertUnsigned(job: LoggedJob): void {
  assertOpen(job)
  if (isSigned(job)) throw new AppError('INVALID_REQUEST', message('jobs.signedLog'))
}

/** Throws INVALID_REQUEST when a signature already stands for how this step ended. */
export function assertStepOpen(job: LoggedJob, step: Step): void {
  if (!isSigned(job)) return
  if (step.state !== 'deferred' && isSettled(step.state)) {
    throw new AppError('INVALID_REQUEST', message('jobs.signedStep'))
  }
}

/** How a signed job stands by its steps; undefined while one runs, or while nobody has signed. */
export function stateWhenSigned(job: LoggedJob): JobState | undefined {
  const states = job.steps.map((step) => step.state)
  if (!isSigned(job) || states.includes('running')) return undefined
  if (!states.every(isSettled)) return 'failed'
  return states.includes('deferred') ? 'installedAwaitingGateway' : 'done'
}
