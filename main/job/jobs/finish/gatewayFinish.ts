import type { JobSummary, Step } from '../../../../preload/contract/job/jobs.ts'
import type { StepKind } from '../../../../preload/contract/job/steps/index.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { asMessage } from '../../../../preload/contract/messages.ts'
import { deferred } from '../engine/check.ts'
import { stepKinds } from '../stepKinds.ts'
import type { DeferredOptions, Finish, Finished, Finisher } from './finish.ts'
import { newEntry, plainJson } from '../record/journal.ts'
import type { JobLogs } from '../record/jobLogs.ts'
import type { GatewayPort, JobLog, OperationsPort } from '../engine/ports.ts'
import type { LimitsOf, Profile } from '../engine/profile.ts'

export interface GatewayFinishOptions {
  log: JobLog
  logs: JobLogs
  gateway: GatewayPort
  operations: OperationsPort
  now(): Date
  canRead(id: string): boolean
  /** Closes a signed job when its steps allow it. */
  settleSigned(id: string): Promise<void>
}

/** Deferred steps of jobs that are signed off and waiting, or still open. */
export function createGatewayFinish({
  log,
  logs,
  gateway,
  operations,
  now,
  canRead,
  settleSigned
}: GatewayFinishOptions) {
  const { load } = logs

  function* ids(): Generator<string> {
    const hasSteps = ({ id, counts }: JobSummary) =>
      counts ? counts.deferred > 0 : canRead(id) && load(id).steps.some((step) => step.state === 'deferred')
    for (const { id, handedOver } of log.inState('installedAwaitingGateway')) if (!handedOver) yield id
    for (const summary of log.runningWith('deferred')) if (!summary.handedOver && hasSteps(summary)) yield summary.id
  }

  function optionsFor(id: string, signal: AbortSignal): DeferredOptions {
    return {
      job: () => load(id),
      write: (entries) => logs.writeAll(id, entries),
      gateway,
      operations,
      now,
      signal
    }
  }

  return {
    /** Called every few seconds: stops at the first one. */
    hasAny: (): boolean => ids().next().done !== true,
    async finishAll(signal: AbortSignal): Promise<void> {
      for (const id of [...ids()]) {
        if (!canRead(id)) continue
        await finishDeferredSteps(optionsFor(id, signal))
        await settleSigned(id)
      }
    },
    /** Throws UNREACHABLE if the gateway does not answer. */
    async finishStep(id: string, step: Step, signal: AbortSignal): Promise<void> {
      await finishStepNow(step, optionsFor(id, signal))
      await settleSigned(id)
    }
  }
}

/** Finishes what only the gateway can confirm, for a job that ran without it, from the evidence of that day. */
async function finishDeferredSteps(options: DeferredOptions): Promise<void> {
  for (const { id } of options.job().steps.filter((step) => step.state === 'deferred')) {
    const step = options.job().steps.find((candidate) => candidate.id === id)
    if (!step) continue
    const finished = await finish(step, options)
    // Otherwise nothing is written, and it stays deferred.
    if (finished.kind === 'ended') keep(step, finished, options)
  }
}

/** Asks the gateway about one step now, at a person's request. Throws UNREACHABLE if the gateway does not answer. */
async function finishStepNow(step: Step, options: DeferredOptions): Promise<void> {
  const finished = await finish(step, options)
  if (finished.kind === 'away') throw new AppError('UNREACHABLE', asMessage(finished.why), { retryable: true })
  keep(
    step,
    finished.kind === 'ended' ? finished : { kind: 'ended', seen: [], result: deferred(finished.why) },
    options
  )
}

function keep(before: Step, finished: Finished, options: DeferredOptions): void {
  const step = options.job().steps.find((candidate) => candidate.id === before.id)
  // In the meantime, the person may have started it anew, waived it, or cancelled the job.
  if (
    !step ||
    step.state !== before.state ||
    step.attempts !== before.attempts ||
    options.job().state === 'cancelled' ||
    options.job().handedOver
  )
    return
  const attempt = step.attempts + 1
  const { result } = finished
  // In one transaction: a step that was only started would never be continued.
  options.write([
    newEntry('stepStarted', step.id, { attempt }),
    ...finished.seen.map((seen) =>
      newEntry('evidence', step.id, {
        attempt,
        witness: 'gateway',
        what: seen.what,
        raw: plainJson(seen.raw),
        thresholds: null
      })
    ),
    ...(finished.vehicle ? [newEntry('vehicleChosen', step.id, finished.vehicle)] : []),
    newEntry('stepEnded', step.id, { attempt, ...result, durationMs: 0 })
  ])
}

function finish(step: Step, options: DeferredOptions): Finish | Promise<Finish> {
  const { finish: finishKind, limits } = stepKinds[step.kind]
  if (!finishKind) return { kind: 'open', why: step.summary ?? step.title }
  const own = limits && options.job().thresholds[limits]
  return (finishKind as Finisher<StepKind>)(step, { ...options, limits: own as Profile[LimitsOf<StepKind>] })
}
