import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plainMessage } from '../../../preload/contract/messages.ts'
import type { JournalEntry } from '../../../main/data/store/jobs/seal.ts'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import { startPostgres, type PostgresServer } from '../../world/team/postgres/postgresServer.ts'
import {
  append,
  appendJobs,
  chainOf,
  laptopOf,
  leaves,
  note,
  refusal,
  textOf,
  type GivenJob,
  type Said
} from '../../world/team/teamServer.ts'

let server: PostgresServer
let owner: Client
let one: Client
let other: Client
let foreign: Client
let reader: Client

beforeAll(async () => {
  server = await startPostgres()
  owner = await server.connect()
  await raiseSchema(owner)
  one = await laptopOf(server, owner, { team: 'North', name: 'One' })
  other = await laptopOf(server, owner, { team: 'North', name: 'Other' })
  reader = await laptopOf(server, owner, { team: 'North', name: 'Reader', mayWrite: false })
  foreign = await laptopOf(server, owner, { team: 'South', name: 'Foreign' })
}, 180_000)
afterAll(async () => {
  for (const client of [one, other, reader, foreign, owner]) await client?.end()
  await server?.remove()
})

const said = ['a', 'b', 'c'].map(note)
function jobOf(saying: readonly Said[] = said, summary: object = {}): GivenJob {
  const id = randomUUID()
  return { id, entries: chainOf(id, saying), summary }
}
const forged = ({ id, entries }: GivenJob, at: number): GivenJob => ({
  id,
  entries: entries.map((entry, n) => (n === at ? { ...entry, hash: 'f'.repeat(64) } : entry))
})
const part = ({ entries, ...rest }: GivenJob, from: number, to?: number): GivenJob => ({
  ...rest,
  entries: entries.slice(from, to)
})

async function there(id: string, team = 'North'): Promise<string[]> {
  const { rows } = await owner.query<{ text: string; hash: string }>(
    'select e.text, e.hash from fitter.entry e join fitter.team t on t.id = e.team_id where t.name = $2 and e.job_id = $1 order by e.seq',
    [id, team]
  )
  return rows.map(({ text, hash }) => `${text} ${hash}`)
}
const asGiven = (entries: readonly JournalEntry[]): string[] => entries.map((entry) => `${textOf(entry)} ${entry.hash}`)

describe('Many jobs in one call', () => {
  it('are there, each with its log and its row', async () => {
    const jobs = [
      jobOf(said, {
        customer: 'Customer One',
        kind: 'installation',
        state: 'running',
        words: ' customer one ',
        shown: { counts: { waived: 2 } },
        madeAt: '2026-03-01T10:00:00.000Z'
      }),
      jobOf([note('alone')]),
      jobOf()
    ]
    expect(await appendJobs(one, jobs)).toEqual(['1 added 3', '2 added 1', '3 added 3'])
    for (const { id, entries } of jobs) expect(await there(id)).toEqual(asGiven(entries))
    const { rows } = await owner.query(
      'select customer, kind, state, skipped, made_at, head_seq::int, head_hash, head_type, words from fitter.job where id = $1',
      [jobs[0]?.id]
    )
    expect(rows).toEqual([
      {
        customer: 'Customer One',
        kind: 'installation',
        state: 'running',
        skipped: 2,
        made_at: new Date('2026-03-01T10:00:00.000Z'),
        head_seq: 3,
        head_hash: jobs[0]?.entries[2]?.hash,
        head_type: 'note',
        words: ' customer one '
      }
    ])
    expect((await owner.query("select word from fitter.word where word = 'customer'")).rows).toHaveLength(1)
  })

  it('come again, go on, and begin, all at once', async () => {
    const [known, grows, fresh] = [jobOf(), jobOf(), jobOf()]
    await appendJobs(one, [known, part(grows, 0, 2)])
    expect(await appendJobs(one, [known, part(grows, 2), fresh])).toEqual(['1 known 3', '2 added 3', '3 added 3'])
    expect(await appendJobs(one, [known, grows, fresh])).toEqual(['1 known 3', '2 known 3', '3 known 3'])
    for (const { id, entries } of [known, grows, fresh]) expect(await there(id)).toEqual(asGiven(entries))
  })

  it('are answered each for itself: one that is refused keeps none of the others back', async () => {
    const [theirs, forks, gap, wrong, first, last, dropped] = [
      jobOf(),
      jobOf(),
      jobOf(),
      jobOf(),
      jobOf(),
      jobOf(),
      jobOf()
    ]
    await append(other, theirs.id, theirs.entries.slice(0, 2))
    await append(one, forks.id, forks.entries)
    const {
      rows: [team]
    } = await owner.query<{ id: string }>("select id from fitter.team where name = 'North'")
    await owner.query("insert into fitter.dropped (team_id, id, head_seq, head_hash) values ($1, $2, 1, 'x')", [
      team?.id,
      dropped.id
    ])
    const another = { id: forks.id, entries: chainOf(forks.id, [note('another')]) }
    const given = [
      first,
      theirs,
      another,
      part(gap, 1),
      forged(wrong, 1),
      { id: '../x', entries: jobOf().entries },
      dropped,
      { id: randomUUID(), entries: [] },
      last
    ]
    expect(await appendJobs(one, given)).toEqual([
      '1 added 3',
      '2 refused FT002',
      '3 fork 1',
      '4 refused FT004',
      '5 refused FT003',
      '6 refused FT006',
      '7 refused FT011',
      '8 refused FT006',
      '9 added 3'
    ])
    for (const { id, entries } of [first, last, forks]) expect(await there(id)).toEqual(asGiven(entries))
    for (const { id } of [gap, wrong, dropped]) expect(await there(id)).toEqual([])
    expect(await there(theirs.id)).toHaveLength(2)
    expect((await owner.query('select hash from fitter.fork where job_id = $1', [forks.id])).rows).toEqual([
      { hash: another.entries[0]?.hash }
    ])
    expect(
      (
        await owner.query('select count(*)::int as n from fitter.job where id = any ($1)', [
          [gap.id, wrong.id, dropped.id]
        ])
      ).rows
    ).toEqual([{ n: 0 }])
  })

  it('tell where the server stands, and whose a job is that is known', async () => {
    const [gap, theirs] = [jobOf(), jobOf()]
    await append(one, gap.id, gap.entries.slice(0, 1))
    await append(other, theirs.id, theirs.entries)
    const jobs = [part(gap, 2), theirs]
    const { rows } = await one.query(
      'select number, detail, hash, is_of_other from fitter.append_jobs($1, $2, $3, $4) order by number',
      [
        jobs.map(({ id }) => JSON.stringify({ id })),
        [1, 2, 2, 2],
        jobs.flatMap(({ entries }) => entries.map(textOf)),
        jobs.flatMap(({ entries }) => entries.map(({ hash }) => hash))
      ]
    )
    expect(rows).toEqual([
      { number: 1, detail: '1', hash: null, is_of_other: false },
      { number: 2, detail: null, hash: theirs.entries[2]?.hash, is_of_other: true }
    ])
  })

  it('the same job twice is one log: in order it goes on, against each other it is a fork', async () => {
    const [twice, split, parted] = [jobOf(), jobOf(), jobOf()]
    const another = { id: parted.id, entries: chainOf(parted.id, [note('x'), note('y')]) }
    expect(await appendJobs(one, [twice, twice, part(split, 0, 1), part(split, 1), parted, another])).toEqual([
      '1 added 3',
      '2 known 3',
      '3 added 1',
      '4 added 3',
      '5 added 3',
      '6 fork 2'
    ])
    for (const { id, entries } of [twice, split, parted]) expect(await there(id)).toEqual(asGiven(entries))
  })

  it("one that left is nobody's from then on", async () => {
    const gone = jobOf([note('a'), leaves('given-away')])
    expect(await appendJobs(one, [gone])).toEqual(['1 added 2'])
    expect(
      (await owner.query('select holder, left_in, head_type from fitter.job where id = $1', [gone.id])).rows
    ).toEqual([{ holder: null, left_in: 'given-away', head_type: 'movedAway' }])
  })

  it('what is no JSON spoils itself alone', async () => {
    const [whole, broken, deep, zero] = [jobOf(), jobOf(), jobOf(), jobOf()]
    const jobs = [whole, broken, deep, zero]
    const texts = jobs.flatMap(({ entries }) => entries.map(textOf))
    texts[4] = '{"seq":2'
    const summaries = jobs.map(({ id }) => JSON.stringify({ id }))
    summaries[2] = `{"id":"${deep.id}","shown":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
    summaries[3] = `{"id":"${zero.id}","customer":"a\\u0000b"}`
    const { rows } = await one.query(
      'select number, outcome, code from fitter.append_jobs($1, $2, $3, $4) order by number',
      [
        summaries,
        [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4],
        texts,
        jobs.flatMap(({ entries }) => entries.map(({ hash }) => hash))
      ]
    )
    expect(rows).toEqual([
      { number: 1, outcome: 'added', code: null },
      { number: 2, outcome: 'refused', code: 'FT006' },
      { number: 3, outcome: 'refused', code: '54001' },
      { number: 4, outcome: 'refused', code: '22P05' }
    ])
    expect(await there(whole.id)).toEqual(asGiven(whole.entries))
  })

  it('none is called added that was undone, whatever it is that fails at the end of it', async () => {
    const [whole, fails] = [
      jobOf(),
      jobOf([note('a'), { type: 'stepEnded', stepId: 'ignition', data: { attempt: 1, state: 'pass' } }])
    ]
    await owner.query(`create function fitter.fails() returns trigger language plpgsql as $$ begin raise exception 'no number' using errcode = '22P02'; end $$;
      create trigger fails after insert on fitter.step for each row when (new.job_id = '${fails.id}') execute function fitter.fails()`)
    expect(await appendJobs(one, [whole, fails])).toEqual(['1 added 3', '2 refused 22P02'])
    await owner.query('drop trigger fails on fitter.step; drop function fitter.fails')
    expect(await there(whole.id)).toEqual(asGiven(whole.entries))
    expect(await there(fails.id)).toEqual([])
    expect((await owner.query('select id from fitter.job where id = $1', [fails.id])).rows).toEqual([])
  })

  it('two laptops that bring the same jobs at the same moment: each job is one of theirs', async () => {
    const jobs = Array.from({ length: 30 }, () => jobOf())
    const [here, theirs] = await Promise.all([appendJobs(one, jobs), appendJobs(other, jobs.toReversed())])
    for (const [n, { id, entries }] of jobs.entries()) {
      expect([here[n], theirs[29 - n]].map((line) => line?.split(' ')[1]).sort()).toEqual(['added', 'known'])
      expect(await there(id)).toEqual(asGiven(entries))
    }
  })
})

describe('What many jobs in one call cannot do', () => {
  it('add to what others hold, hidden among own jobs', async () => {
    const [mine, theirs] = [jobOf(), jobOf()]
    await append(other, theirs.id, theirs.entries.slice(0, 1))
    expect(await appendJobs(one, [mine, theirs, part(theirs, 1)])).toEqual([
      '1 added 3',
      '2 refused FT002',
      '3 refused FT002'
    ])
    expect(await there(theirs.id)).toEqual(asGiven(theirs.entries.slice(0, 1)))
  })

  it('reach another team: the same ids are jobs of their own', async () => {
    const jobs = [jobOf(), jobOf()]
    await appendJobs(one, jobs)
    expect(
      await appendJobs(
        foreign,
        jobs.map(({ id }) => ({ id, entries: chainOf(id, [note('theirs')]) }))
      )
    ).toEqual(['1 added 1', '2 added 1'])
    for (const { id, entries } of jobs) {
      expect(await there(id)).toEqual(asGiven(entries))
      expect(await there(id, 'South')).toHaveLength(1)
    }
  })

  it('put entries of one job into another', async () => {
    const [a, b] = [jobOf(), jobOf()]
    const texts = [a, b].flatMap(({ entries }) => entries.map(textOf))
    const hashes = [a, b].flatMap(({ entries }) => entries.map(({ hash }) => hash))
    const { rows } = await one.query(
      'select number, outcome, code from fitter.append_jobs($1, $2, $3, $4) order by number',
      [[a, b].map(({ id }) => JSON.stringify({ id })), [1, 1, 2, 2, 1, 2], texts, hashes]
    )
    expect(rows.map(({ outcome }) => outcome as string)).toEqual(['refused', 'refused'])
    for (const { id } of [a, b]) expect(await there(id)).toEqual([])
  })

  it.each<[string, string, () => Promise<unknown>]>([
    ['as a login that only reads', '42501', () => appendJobs(reader, [jobOf()])],
    [
      'more jobs than one call may carry',
      'FT005',
      () => one.query('select fitter.append_jobs($1, $2, $3, $4)', [Array(1_001).fill('{}'), [1], ['x'], ['x']])
    ],
    [
      'more entries than one call may carry',
      'FT005',
      () =>
        one.query('select fitter.append_jobs($1, $2, $3, $4)', [
          ['{}'],
          Array(5_001).fill(1),
          Array(5_001).fill('x'),
          Array(5_001).fill('x')
        ])
    ],
    [
      'more bytes than one call may carry',
      'FT005',
      () =>
        one.query('select fitter.append_jobs($1, $2, $3, $4)', [['{"id":"x"}'], [1], ['x'.repeat(16_100_000)], ['x']])
    ],
    ['nothing', 'FT006', () => one.query('select fitter.append_jobs(null, null, null, null)')],
    ['jobs without any entry', 'FT006', () => one.query("select fitter.append_jobs(array['{}'], '{}', '{}', '{}')")],
    [
      'entries of no job',
      'FT006',
      () => one.query("select fitter.append_jobs(array['{}'], array[2], array['{}'], array['x'])")
    ],
    [
      'entries of nothing',
      'FT006',
      () => one.query("select fitter.append_jobs(array['{}'], array[null]::int[], array['{}'], array['x'])")
    ],
    [
      'fewer hashes than entries',
      'FT006',
      () => one.query("select fitter.append_jobs(array['{}'], array[1, 1], array['{}', '{}'], array['x'])")
    ]
  ])('be called %s: %s', async (_, state, attack) => {
    expect(await refusal(attack())).toBe(state)
  })

  it.each([
    ['summaries and entries of nothing', 'array[null]::text[], array[1], array[null]::text[], array[null]::text[]'],
    ['a summary that is a list', `array['[1]'], array[1], array['{"seq":1}'], array['x']`],
    [
      'arrays that begin elsewhere',
      `'[5:5]={"{\\"id\\":\\"x\\"}"}'::text[], '[7:7]={1}'::int[], '[5:5]={"{\\"seq\\":1}"}'::text[], '[5:5]={x}'::text[]`
    ],
    [
      'arrays in rows and columns',
      `array[array['{"id":"x"}']], array[array[1]], array[array['{"seq":1}']], array[array['x']]`
    ]
  ])('%s are refused, and nothing is there of them', async (_, given) => {
    const { rows } = await one.query(`select outcome from fitter.append_jobs(${given})`)
    expect(rows).toEqual([{ outcome: 'refused' }])
  })

  it('give more in one day than a laptop may: nothing of the call is there', async () => {
    const full = await laptopOf(server, owner, { team: 'East', name: 'Full' })
    await owner.query("update fitter.team set most_bytes_a_day = 100000 where name = 'East'")
    const jobs = [jobOf([note('a')]), jobOf([note('x'.repeat(200_000))])]
    expect(await refusal(appendJobs(full, jobs))).toBe('FT010')
    expect(await there(jobs[0]?.id ?? '', 'East')).toEqual([])
    await full.end()
  })
})

describe('What reports have of jobs that come many at once', () => {
  const ended = (step: string, attempt: number, state: string) => ({
    type: 'stepEnded',
    stepId: step,
    data: {
      attempt,
      state,
      summary: plainMessage(`Seen ${String(attempt)}.`),
      remedy: null,
      witness: ['device'],
      durationMs: attempt * 1_000
    }
  })
  const skipped = (step: string) => ({
    type: 'waived',
    stepId: step,
    data: { reason: 'No key at hand', by: 'Technician One' }
  })
  const all: Said[] = [
    ended('ignition', 1, 'waiting'),
    ended('ignition', 1, 'fail'),
    ended('ignition', 2, 'pass'),
    ended('power', 1, 'unreadable'),
    skipped('power'),
    skipped('position'),
    ended('position', 1, 'pass'),
    skipped('network'),
    ended('link', 1, 'warn'),
    { type: 'attached', stepId: 'link', data: { sha256: 'a'.repeat(64) } },
    note('last')
  ]

  it('is the same as of one that comes entry by entry', async () => {
    const [whole, slowly] = [jobOf(all), jobOf(all)]
    await appendJobs(one, [whole, jobOf()])
    for (const entry of slowly.entries) await append(one, slowly.id, [entry])
    const of = async (id: string) => ({
      steps: (
        await owner.query(
          'select step, attempts, failed_attempts, first_state, state, reason, reason_values, waived_by, waived_because, ended_at, duration_ms from fitter.step where job_id = $1 order by step',
          [id]
        )
      ).rows,
      failures: (
        await owner.query(
          'select seq, step, attempt, state, reason_values from fitter.failure where job_id = $1 order by seq',
          [id]
        )
      ).rows,
      contents: (await owner.query('select sha256 from fitter.job_content where job_id = $1', [id])).rows
    })
    const expected = await of(slowly.id)
    expect(expected.steps).toMatchObject([
      { step: 'ignition', attempts: 2, failed_attempts: 1, first_state: 'fail', state: 'pass' },
      { step: 'link', attempts: 1, state: 'warn' },
      { step: 'network', attempts: 0, first_state: null, state: 'waived', waived_by: 'Technician One' },
      { step: 'position', attempts: 1, state: 'pass', waived_by: null },
      {
        step: 'power',
        attempts: 1,
        failed_attempts: 1,
        first_state: 'unreadable',
        state: 'waived',
        waived_because: 'No key at hand'
      }
    ])
    expect(await of(whole.id)).toEqual(expected)
  })
})

it('no function that forbids a plan is compiled for what that makes of its cost: servers with a compiler would take a second for each call', async () => {
  const { rows } = await owner.query(
    "select proname from pg_proc where pronamespace = 'fitter'::regnamespace and proconfig::text like '%enable_%' and proconfig::text not like '%jit=off%'"
  )
  expect(rows).toEqual([])
})

it('a job that is added to a hundred times leaves hardly a dead row, neither of its own nor in the lists', async () => {
  const laptop = await laptopOf(server, owner, { team: 'Busy', name: 'Laptop 1' })
  const id = randomUUID()
  const entries = chainOf(
    id,
    Array.from({ length: 101 }, (_, n) => note(n))
  )
  await owner.query('alter table fitter.job set (autovacuum_enabled = off)')
  const read = async () => {
    await laptop.query('select pg_stat_force_next_flush()')
    const { rows } = await owner.query<{ name: string; updated: number; in_place: number }>(
      "select relname as name, n_tup_upd::int as updated, n_tup_hot_upd::int as in_place from pg_stat_user_tables where schemaname = 'fitter' and relname in ('job', 'listed') order by 1"
    )
    return rows
  }
  const before = await read()
  for (const entry of entries) await append(laptop, id, [entry], { words: ' customer one ', shown: { id } })
  const after = await read()
  const of = (name: string, key: 'updated' | 'in_place') =>
    (after.find((row) => row.name === name)?.[key] ?? 0) - (before.find((row) => row.name === name)?.[key] ?? 0)
  expect(of('job', 'updated')).toBe(101)
  // A row that is changed in place is cleared away by the next change of its page.
  expect(of('job', 'in_place')).toBeGreaterThan(90)
  expect(of('listed', 'updated')).toBeLessThan(3)
  await laptop.end()
})
