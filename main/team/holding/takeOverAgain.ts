import type { ClientBase } from 'pg'
import { movedHereType } from '../../data/store/jobs/signature.ts'
import type { TeamPushStore } from '../../data/store/team/teamPush.ts'
import { orRefusal, type TeamRefusal } from '../server/failures.ts'
import { hashedText } from '../push/sendParts.ts'
import type { WorkParts } from '../push/pushedWork.ts'

interface TakenOver {
  id: string
  reason: string
  isTakenOver: true
}

/**
 * Repeats an earlier take-over of this laptop with the same reason, because a restored server names the old holder, who
 * may already know that the job was taken. Not if the server knows the take-over, or its log does not end right before
 * it: then someone else has the job since. Returns whether it was taken over again.
 */
export async function takeOverAgain(
  client: ClientBase,
  { teamPush, handovers }: { teamPush: TeamPushStore } & Pick<WorkParts, 'handovers'>,
  jobId: string
): Promise<boolean> {
  // Lost here since, by what the server said before it was restored.
  if (teamPush.summary(jobId)?.handedOver?.takenOver) return false
  const { rows } = await client.query<{ head_seq: string; head_hash: string; is_known: boolean }>(
    `select head_seq, head_hash, exists (
       select from fitter.handover h where h.kind = 'takenOver' and h.taken_by = fitter.my_laptop() and h.jobs @> jsonb_build_array(jsonb_build_object('id', job.id, 'hash', job.head_hash))
     ) as is_known from fitter.job where id = $1`,
    [jobId]
  )
  const [head] = rows
  if (!head || head.is_known || teamPush.hashAt(jobId, Number(head.head_seq)) !== head.head_hash) return false
  const [next] = teamPush.entriesAfter(jobId, Number(head.head_seq), { entries: 1, bytes: 1 })
  const { id, reason, isTakenOver } = (next?.type === movedHereType ? next.data : {}) as Partial<TakenOver>
  if (isTakenOver !== true || id === undefined || reason === undefined || !handovers.isHere(id)) return false
  return (
    (await takeOverThere(client, { jobId, reason, moved: next && hashedText(next) }, (hash) => hash === head.head_hash))
      .refusal === null
  )
}

/**
 * Makes this laptop the holder at the server of a job whose log is here, and only if the server's log is the beginning
 * of it: `isOurs` checks its last entry. `moved` is the text of the earlier take-over entry, if any. Returns from whom
 * it was taken, or why it was not: `forked` when the logs differ.
 */
export async function takeOverThere(
  client: ClientBase,
  { jobId, reason, moved }: { jobId: string; reason: string; moved?: string | undefined },
  isOurs: (headHash: string) => boolean
): Promise<{ refusal: null; from: string } | { refusal: TeamRefusal | 'forked'; detail: string }> {
  // In one transaction, so that a push in between is respected.
  await client.query('begin')
  try {
    const answer = await orRefusal(
      client.query<{ head_hash: string; from_name: string }>(
        'select head_hash, from_name from fitter.take_over($1, $2, $3)',
        [jobId, reason, moved ?? null]
      )
    )
    const row = answer.refusal === null ? answer.value.rows[0] : undefined
    const isTaken = row !== undefined && isOurs(row.head_hash)
    await client.query(isTaken ? 'commit' : 'rollback')
    if (isTaken) return { refusal: null, from: row.from_name }
    return answer.refusal === null ? { refusal: 'forked', detail: '' } : answer
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}
