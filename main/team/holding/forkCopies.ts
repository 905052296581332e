import type { ClientBase } from 'pg'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { JournalEntry } from '../../data/store/jobs/seal.ts'
import type { TeamForkStore } from '../../data/store/team/teamForks.ts'
import type { TeamPushStore } from '../../data/store/team/teamPush.ts'
import { hashedText } from '../push/sendParts.ts'
import { orRefusal } from '../server/failures.ts'

const atOnce = { entries: 500, bytes: 4_000_000 }
const mostLooked = 200

/** Sends a whole log from its first difference on. Throws CONFLICT when the team log does not store all of it. */
export async function keepBranch(
  client: ClientBase,
  jobId: string,
  branch: readonly JournalEntry[],
  signal?: AbortSignal
): Promise<void> {
  if (await isKept(client, jobId, branch)) return
  for (const entries of inBatches(branch)) {
    signal?.throwIfAborted()
    const { refusal } = await orRefusal(keep(client, jobId, entries))
    if (refusal !== null)
      throw new AppError(
        'CONFLICT',
        message(refusal === 'tooMuch' || refusal === 'forkFull' ? 'teamForks.tooMuch' : 'teamForks.notKept')
      )
  }
  if (!(await isKept(client, jobId, branch))) throw new AppError('CONFLICT', message('teamForks.notKept'))
}

/**
 * The entries after one that the team log has just stored as part of a fork. If it stores no more, that is reported.
 */
export async function keepRest(
  client: ClientBase,
  teamPush: Pick<TeamPushStore, 'entriesAfter' | 'stop'>,
  jobId: string,
  last: JournalEntry
): Promise<void> {
  for (let after = last.seq; ;) {
    const entries = teamPush.entriesAfter(jobId, after, atOnce)
    const end = entries.at(-1)
    if (!end) return
    const { refusal } = await orRefusal(keep(client, jobId, entries))
    if (refusal === 'forkFull') teamPush.stop(jobId, message('teamForks.tooMuch'))
    if (refusal !== null) return
    after = end.seq
  }
}

function keep(client: ClientBase, jobId: string, entries: readonly JournalEntry[]): Promise<unknown> {
  return client.query('select fitter.keep_fork($1, $2, $3)', [
    jobId,
    entries.map(hashedText),
    entries.map(({ hash }) => hash)
  ])
}

async function isKept(client: ClientBase, jobId: string, branch: readonly JournalEntry[]): Promise<boolean> {
  const { rows } = await client.query<{ n: number }>(
    'select count(*)::int as n from fitter.fork where job_id = $1 and hash = any ($2)',
    [jobId, branch.map(({ hash }) => hash)]
  )
  return rows[0]?.n === branch.length
}

function* inBatches(entries: readonly JournalEntry[]): Generator<JournalEntry[]> {
  let batch: JournalEntry[] = []
  let bytes = 0
  for (const entry of entries) {
    const size = Buffer.byteLength(hashedText(entry))
    if (batch.length > 0 && (batch.length >= atOnce.entries || bytes + size > atOnce.bytes)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(entry)
    bytes += size
  }
  if (batch.length > 0) yield batch
}

/** Reports which logs were set aside here, and sends again the parts that a restored server lost. */
export async function tellSettled(client: ClientBase, { teamForks }: { teamForks: TeamForkStore }): Promise<void> {
  const asides = teamForks.newest(mostLooked)
  if (asides.length === 0) return
  // A data folder that joined again has already reported it under its earlier name.
  const { rows } = await client.query<{ hash: string; is_told: boolean }>(
    `select f.hash, exists (
       select from fitter.settlement s join fitter.laptop l on l.id = s.settled_by where s.job_id = f.job_id and s.hash = f.hash and (l.id = fitter.my_laptop() or l.left_at is not null)
     ) as is_told from fitter.fork f where f.job_id = any ($1) and f.hash = any ($2)`,
    [asides.map(({ jobId }) => jobId), asides.map(({ lastHash }) => lastHash)]
  )
  const told = new Map(rows.map((row) => [row.hash, row.is_told]))
  for (const { jobId, number, seq, lastHash, reason } of asides) {
    if (told.get(lastHash) === true) continue
    // If the team's log is the set-aside one, or the team does not know the job, there is no fork.
    if (
      !told.has(lastHash) &&
      !(await giveAgain(
        client,
        jobId,
        teamForks.entries(jobId, number).filter((entry) => entry.seq >= seq)
      ))
    )
      continue
    await orRefusal(client.query('select fitter.settle_fork($1, $2, $3)', [jobId, lastHash, reason]))
  }
}

async function giveAgain(client: ClientBase, jobId: string, branch: readonly JournalEntry[]): Promise<boolean> {
  try {
    await keepBranch(client, jobId, branch)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') return false
    throw error
  }
}
