import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import type { LoggedJob } from '../record/journal.ts'
import type { GatewayPort } from '../engine/ports.ts'

/** Times of a job by the gateway's clock, epoch ms: this computer's clock may be changed at any time. */
export interface GatewayTimes {
  jobBeganMs: number
  askedMs: number
  nowMs(): number
}

interface TimesQuestion {
  job: Pick<LoggedJob, 'createdAt' | 'steps'>
  gateway: Pick<GatewayPort, 'readClock'>
  signal: AbortSignal
  now(): Date
  /** A monotonic clock; without it, the times are only valid for one reading. */
  monotonicMs?(): number
}

/** Asks the gateway for its time. Throws AppError if the gateway cannot be asked or sends no time. */
export async function readGatewayTimes({
  job,
  gateway,
  signal,
  now,
  monotonicMs = () => 0
}: TimesQuestion): Promise<GatewayTimes> {
  const { aheadS } = await gateway.readClock(signal)
  if (aheadS === null) throw new AppError('UNREADABLE', message('removed.gatewayTimeNotSent'), { retryable: true })
  const askedMs = now().getTime() + aheadS * 1000
  const beganMs = monotonicMs()
  return {
    jobBeganMs: Date.parse(job.createdAt) + (aheadThenMs(job) ?? aheadS * 1000),
    askedMs,
    nowMs: () => askedMs + monotonicMs() - beganMs
  }
}

/** The gateway's clock minus this computer's, as first noted in the job: the latter may have changed since. */
function aheadThenMs({ steps }: Pick<LoggedJob, 'steps'>): number | undefined {
  const dated = steps
    .flatMap(({ evidence }) => evidence)
    .flatMap(({ at, clocks }) =>
      clocks?.gateway ? [{ atMs: Date.parse(at), gatewayMs: Date.parse(clocks.gateway) }] : []
    )
  const [first] = dated.toSorted((a, b) => a.atMs - b.atMs)
  return first && first.gatewayMs - first.atMs
}
