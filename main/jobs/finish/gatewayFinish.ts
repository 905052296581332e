import type { JobSummary, Step } from '../../../preload/contract/jobs/jobs.ts'
import { finishDeferredSteps, finishStepNow } from './deferred.ts'
import type { DeferredOptions } from './finish.ts'
import type { JobLogs } from '../record/jobLogs.ts'
import type { GatewayPort, JobLog, OperationsPort } from '../engine/ports.ts'
import type { Profile } from '../engine/profile.ts'

export interface GatewayFinishOptions {
  log: JobLog
  logs: JobLogs
  gateway: GatewayPort
  operations: OperationsPort
  standardProfile: Profile
  now(): Date
  canRead(id: string): boolean
  /** Closes a signed job when its steps allow it. */
  settleSigned(id: string): Promise<void>
}

/** What jobs have left for the gateway: signed off and waiting, or still being worked on. */
export interface GatewayFinish {
  hasAny(): boolean
  finishAll(signal: AbortSignal): Promise<void>
  /** Throws what keeps the gateway from answering. */
  finishStep(id: string, step: Step, signal: AbortSignal): Promise<void>
}

export function createGatewayFinish({ log, logs, gateway, operations, standardProfile, now, canRead, settleSigned }: GatewayFinishOptions): GatewayFinish {
  const { load } = logs

  function ids(): string[] {
    const hasSteps = ({ id, counts }: JobSummary) => (counts ? counts.deferred > 0 : canRead(id) && load(id).steps.some((step) => step.state === 'deferred'))
    return [...log.inState('installedAwaitingGateway'), ...[...log.inState('running')].filter(hasSteps)].filter(({ handedOver }) => !handedOver).map(({ id }) => id)
  }

  function optionsFor(id: string, signal: AbortSignal): DeferredOptions {
    return { job: () => load(id), write: (entries) => logs.writeAll(id, entries), gateway, operations, standardProfile, now, signal }
  }

  return {
    hasAny: () => ids().length > 0,
    async finishAll(signal) {
      for (const id of ids()) {
        if (!canRead(id)) continue
        await finishDeferredSteps(optionsFor(id, signal))
        await settleSigned(id)
      }
    },
    async finishStep(id, step, signal) {
      await finishStepNow(step, optionsFor(id, signal))
      await settleSigned(id)
    }
  }
}
