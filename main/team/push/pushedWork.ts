import type { HandedOverOperation } from '../../gateway/waitingWork/handover/handedOver.ts'
import { hasEnded } from '../../gateway/waitingWork/transitions.ts'
import { asHandedOver } from '../../job/jobs/handover/collect.ts'
import { keptContent } from '../../job/jobs/handover/content.ts'
import type { HandoverStore } from '../../data/store/jobs/handovers.ts'
import type { OperationStore } from '../../data/store/work/operations.ts'

const mostBytes = 500_000
const mostEvidence = 5

export interface WorkParts {
  operations: Pick<OperationStore, 'ofJob' | 'get' | 'needsOf'>
  handovers: Pick<HandoverStore, 'attemptsOf' | 'away' | 'isHere'>
}

/**
 * The open gateway work of a job, for a later take-over: nobody executes it from the server. For a job that left, it is
 * what went along. What does not fit is left out, and the holder knows which.
 */
export function pushedWork(
  { operations, handovers }: WorkParts,
  jobId: string,
  leftWith: string | null
): HandedOverOperation[] {
  const told: HandedOverOperation[] = []
  let bytes = 0
  for (const operation of leftWith === null
    ? openOf(operations, handovers, jobId)
    : wentAlong(handovers, leftWith, jobId)) {
    const short = { ...operation, evidence: operation.evidence.slice(-mostEvidence) }
    bytes += Buffer.byteLength(JSON.stringify(short))
    if (bytes > mostBytes) break
    if (short.needs.every(({ id }) => told.some((one) => one.id === id))) told.push(short)
  }
  return told
}

/** Its own, oldest first, after their dependencies. An operation that depends on another job stays with that job. */
function openOf(
  operations: WorkParts['operations'],
  handovers: WorkParts['handovers'],
  jobId: string
): HandedOverOperation[] {
  const rows = new Map(
    operations
      .ofJob(jobId)
      .filter(({ state, isLive }) => !hasEnded(state) && !isLive)
      .map((row) => [row.id, row])
  )
  for (const row of rows.values()) {
    for (const { id } of operations.needsOf(row.id)) {
      const needed = operations.get(id)
      if (needed && (needed.jobId === jobId || needed.jobId === null || hasEnded(needed.state))) rows.set(id, needed)
    }
  }
  return [...rows.values()]
    .sort((a, b) => a.sequence - b.sequence)
    .map((row) => asHandedOver(row, [jobId], operations, handovers))
}

function wentAlong(handovers: WorkParts['handovers'], id: string, jobId: string): HandedOverOperation[] {
  const read = keptContent.safeParse(handovers.away(id)?.given)
  const all = read.success ? read.data.operations : []
  const ofJob = new Set(all.filter((operation) => operation.jobId === jobId).map((operation) => operation.id))
  for (const operation of all.toReversed())
    if (ofJob.has(operation.id)) for (const need of operation.needs) ofJob.add(need.id)
  return all.filter((operation) => ofJob.has(operation.id))
}
