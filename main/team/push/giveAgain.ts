import type { ClientBase } from 'pg'
import { startHash } from '../../data/store/jobs/seal.ts'
import type { TeamAcknowledgedStore } from '../../data/store/team/teamAcknowledged.ts'
import type { TeamPushStore } from '../../data/store/team/teamPush.ts'

const atOnce = 100

/**
 * Marks jobs as waiting if the server no longer has what it acknowledged: a standby with less data was promoted, or a
 * backup was restored. Without new entries nothing else would notice. A server always loses its last writes: going back
 * from the newest acknowledgement, a page that is complete ends the search.
 */
export async function giveAgainWhatIsLost(
  client: ClientBase,
  { teamPush, teamAcknowledged }: { teamPush: TeamPushStore; teamAcknowledged: TeamAcknowledgedStore }
): Promise<void> {
  const lost: { jobId: string; seq: number; hash: string }[] = []
  for (
    let page = teamAcknowledged.before(null, atOnce);
    page.length > 0;
    page = teamAcknowledged.before(page.at(-1)?.ordinal ?? 0, atOnce)
  ) {
    const { rows } = await client.query<{ id: string; head_seq: string; head_hash: string }>(
      'select id, head_seq, head_hash from fitter.job where id = any($1) union all select id, head_seq, head_hash from fitter.dropped where id = any($1)',
      [page.map(({ jobId }) => jobId)]
    )
    const there = new Map(rows.map((row) => [row.id, { seq: Number(row.head_seq), hash: row.head_hash }]))
    const found = page.filter(({ jobId, seq, hash }) => {
      const head = there.get(jobId)
      return !head || head.seq < seq || (head.seq === seq && head.hash !== hash)
    })
    for (const { jobId, seq } of found) {
      const head = there.get(jobId)
      // If the server has a different log, this one is sent from its beginning: the server reports the first
      // difference.
      const isOurs = head !== undefined && head.seq < seq && teamPush.hashAt(jobId, head.seq) === head.hash
      lost.push(isOurs ? { jobId, ...head } : { jobId, seq: 0, hash: startHash(jobId) })
    }
    if (found.length === 0) break
  }
  if (lost.length > 0) teamAcknowledged.setBack(lost)
  await giveForksAgain(client, teamAcknowledged)
}

/** Of a fork both logs are stored: also entries added here later, and what a server lost of it. */
async function giveForksAgain(client: ClientBase, teamAcknowledged: TeamAcknowledgedStore): Promise<void> {
  const forked = teamAcknowledged.forked()
  if (forked.length === 0) return
  const { rows } = await client.query<{ hash: string }>(
    'select hash from fitter.fork where job_id = any($1) and hash = any($2)',
    [forked.map(({ jobId }) => jobId), forked.map(({ lastHash }) => lastHash)]
  )
  const there = new Set(rows.map(({ hash }) => hash))
  const missing = forked.filter(({ lastHash }) => !there.has(lastHash))
  if (missing.length > 0) teamAcknowledged.goOn(missing.map(({ jobId }) => jobId))
}
