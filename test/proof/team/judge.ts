import { verifyChain, type JournalEntry } from '../../../main/data/store/jobs/seal.ts'
import { findFaults } from '../../../demo/team/record.ts'
import type { World } from './world.ts'

/** What is wrong at the server after everybody has pushed; nothing of it may ever be there. */
export interface Verdict {
  /** Kept on a laptop, and not there. */
  lost: string[]
  /** There, and on no laptop; or there twice. */
  doubled: string[]
  /** A gap, or a hash that does not hold, by SQL or by us. */
  broken: string[]
  /** Another log of a job that was not told, or one that is none. */
  forks: string[]
}

/** The record as plain SQL reads it, held against what the laptops have kept. */
export async function judge({ server, ledger, members }: World, { isWhole }: { isWhole: boolean }): Promise<Verdict> {
  const verdict: Verdict = { lost: [], doubled: [], broken: [], forks: [] }
  for (const { at, laptop } of members) {
    const { waiting } = laptop.team.status()
    if (waiting > 0) verdict.lost.push(`${at.name} still has ${String(waiting)} jobs that wait`)
  }
  for (const fault of await findFaults(server)) (fault.includes('twice') ? verdict.doubled : verdict.broken).push(fault)
  const client = await server.connect()
  try {
    const { rows } = await client.query<{ id: string; hashes: string[] }>(
      'select job_id as id, array_agg(hash order by seq) as hashes from fitter.entry group by job_id'
    )
    const there = new Map(rows.map(({ id, hashes }) => [id, hashes]))
    for (const [jobId, kept] of ledger.logs) {
      const hashes = there.get(jobId) ?? []
      const missing = kept.filter((hash, at) => hashes[at] !== hash).length
      if (missing > 0) verdict.lost.push(`${String(missing)} of ${String(kept.length)} entries of ${jobId}`)
      if (hashes.length > kept.length)
        verdict.doubled.push(`${jobId} has ${String(hashes.length - kept.length)} entries that no laptop has`)
    }
    for (const id of there.keys()) if (!ledger.logs.has(id)) verdict.doubled.push(`${id} is of no laptop`)
    const forked = await client.query<{ hash: string }>('select hash from fitter.fork')
    const found = new Set(forked.rows.map(({ hash }) => hash))
    for (const hash of ledger.forks)
      if (!found.has(hash)) verdict.forks.push(`an entry of another log was not kept: ${hash}`)
    for (const hash of found) if (!ledger.forks.has(hash)) verdict.forks.push(`no fork, and told as one: ${hash}`)
    const pictures = await client.query<{ sha256: string }>(
      "select c.sha256 from fitter.content c where c.whole_at is not null and c.sha256 = (select encode(sha256(string_agg(p.bytes, ''::bytea order by p.number)), 'hex') from fitter.piece p where p.team_id = c.team_id and p.sha256 = c.sha256 and p.laptop_id = c.laptop_id)"
    )
    const whole = new Set(pictures.rows.map(({ sha256 }) => sha256))
    for (const picture of ledger.pictures) if (!whole.has(picture)) verdict.lost.push(`the picture ${picture}`)
    if (isWhole) {
      for (const jobId of there.keys()) {
        const entries = await client.query<{ text: string; hash: string }>(
          'select text, hash from fitter.entry where job_id = $1 order by seq',
          [jobId]
        )
        const chain = verifyChain(
          jobId,
          entries.rows.map(({ text, hash }) => ({ ...(JSON.parse(text) as Omit<JournalEntry, 'hash'>), hash }))
        )
        if (!chain.ok) verdict.broken.push(`${jobId}: ${chain.why}`)
      }
    }
  } finally {
    await client.end()
  }
  return verdict
}
