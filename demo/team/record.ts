import type { PostgresServer } from '../../test/world/team/postgres/postgresServer.ts'

export interface RecordOfJob {
  id: string
  holder: string
  hashes: string[]
}

/** What the company's server has, read by plain SQL past everything of ours. */
export async function readRecord(server: PostgresServer): Promise<{ jobs: RecordOfJob[]; forks: number }> {
  const client = await server.connect()
  try {
    const jobs = await client.query<RecordOfJob>(
      `select j.id, coalesce(l.name, '') as holder, coalesce((select array_agg(e.hash order by e.seq) from fitter.entry e where e.team_id = j.team_id and e.job_id = j.id), '{}') as hashes
       from fitter.job j left join fitter.laptop l on l.id = j.holder order by j.id`
    )
    const forks = await client.query<{ n: number }>('select count(*)::int as n from fitter.fork')
    return { jobs: jobs.rows, forks: forks.rows[0]?.n ?? 0 }
  } finally {
    await client.end()
  }
}

/**
 * What is wrong with the logs at the server, as SQL finds it: an entry that does not fit its hash, a gap, something
 * doubled, a job that says another end than its log has. The hash is taken anew over the one before and the text.
 */
export async function findFaults(server: PostgresServer): Promise<string[]> {
  const client = await server.connect()
  try {
    const { rows } = await client.query<{ fault: string }>(`
      with chained as (
        select job_id, seq, text, hash, lag(hash, 1, encode(sha256(convert_to(job_id, 'UTF8')), 'hex')) over log as before, row_number() over log as place
        from fitter.entry window log as (partition by team_id, job_id order by seq))
      select 'entry ' || seq || ' of ' || job_id || ' does not fit its hash' as fault from chained where hash <> encode(sha256(convert_to(before || text, 'UTF8')), 'hex')
      union all select 'a gap before entry ' || seq || ' of ' || job_id from chained where seq <> place
      union all select 'the text of entry ' || seq || ' of ' || job_id || ' has another number' from chained where (text::jsonb ->> 'seq')::bigint <> seq
      union all select 'an entry of ' || job_id || ' is there twice' from chained group by job_id, hash having count(*) > 1
      union all select 'job ' || j.id || ' says another end than its log has' from fitter.job j
        left join lateral (select e.seq, e.hash from fitter.entry e where e.team_id = j.team_id and e.job_id = j.id order by e.seq desc limit 1) last on true
        where (last.seq, last.hash) is distinct from (j.head_seq, j.head_hash)`)
    return rows.map(({ fault }) => fault)
  } finally {
    await client.end()
  }
}
