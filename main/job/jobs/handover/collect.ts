import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import type { Operations } from '../../../gateway/waitingWork/engine.ts'
import { hashOfPayload, type HandedOverOperation } from '../../../gateway/waitingWork/handover/handedOver.ts'
import type { StoredOperation } from '../../../data/store/work/operations.ts'
import { hasEnded } from '../../../gateway/waitingWork/transitions.ts'
import type { HandoverStore } from '../../../data/store/jobs/handovers.ts'

/**
 * All gateway work that is handed over with jobs, oldest first. Throws CONFLICT if a job that stays would lose its
 * work.
 */
export function collectWork({
  jobIds,
  operations,
  handovers
}: {
  jobIds: readonly string[]
  operations: Pick<Operations, 'ofJob' | 'get' | 'needsOf'>
  handovers: HandoverStore
}): { given: HandedOverOperation[]; left: string[] } {
  const rows = new Map<string, StoredOperation>()
  const queue = jobIds.flatMap((id) => operations.ofJob(id))
  for (let row = queue.pop(); row; row = queue.pop()) {
    if (rows.has(row.id)) continue
    rows.set(row.id, row)
    const near = [
      ...operations.needsOf(row.id).map(({ id }) => id),
      ...(hasEnded(row.state) ? [] : handovers.neededBy(row.id))
    ]
    for (const other of near.map((id) => operations.get(id))) {
      // Ended work is included only because other work needs it; its own links are not followed.
      if (other && (!hasEnded(other.state) || operations.needsOf(row.id).some(({ id }) => id === other.id)))
        queue.push(other)
    }
  }
  const all = [...rows.values()].sort((a, b) => a.sequence - b.sequence)
  const stays = all.find(({ jobId, state }) => jobId !== null && !jobIds.includes(jobId) && !hasEnded(state))
  if (stays?.jobId)
    throw new AppError('CONFLICT', message('transfer.otherJobToo', { job: stays.jobId, title: stays.title }))
  return {
    given: all.map((row) => asHandedOver(row, jobIds, operations, handovers)),
    left: all.filter(({ state }) => !hasEnded(state)).map(({ id }) => id)
  }
}

export function asHandedOver(
  row: StoredOperation,
  jobIds: readonly string[],
  operations: Pick<Operations, 'needsOf'>,
  handovers: Pick<HandoverStore, 'attemptsOf'>
): HandedOverOperation {
  const {
    id,
    kind,
    key,
    state,
    jobId,
    title,
    payload,
    baseline,
    result,
    isLive,
    claim,
    reason,
    evidence,
    createdAt,
    updatedAt
  } = row
  return {
    id,
    kind,
    key,
    state,
    jobId: jobId !== null && jobIds.includes(jobId) ? jobId : null,
    title,
    payload,
    payloadHash: hashOfPayload(payload),
    baseline,
    result,
    isLive,
    // What was never sent goes on like work of its own: the log of the job says so again.
    claim:
      claim === null || claim.isUnsent === true
        ? null
        : { sinceMs: claim.sinceMs, waitMs: claim.waitMs, whenAbsent: claim.whenAbsent, isReadBack: claim.isReadBack },
    reason,
    evidence: evidence.map(({ at, what, raw }) => ({ at, what, raw })),
    createdAt,
    updatedAt,
    needs: operations.needsOf(id).map(({ id: needed, part }) => ({ id: needed, part })),
    attempts: handovers.attemptsOf(id)
  }
}
