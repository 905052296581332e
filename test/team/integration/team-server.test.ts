import { randomUUID } from 'node:crypto'
import type { Client, DatabaseError } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canonicalJson, sealEntry, startHash, type JournalEntry } from '../../../main/data/store/jobs/seal.ts'
import { inviteLaptop, makeTeam } from '../../../main/team/admin/members.ts'
import { migrations } from '../../../main/team/server/migrations/index.ts'
import { raiseSchema, readSchema } from '../../../main/team/server/schema.ts'
import { startPostgres, type PostgresServer } from '../../world/team/postgres/postgresServer.ts'

let server: PostgresServer
let owner: Client
let [one, two, reader, stranger]: Client[] = []
const logins: string[] = []

beforeAll(async () => {
  server = await startPostgres()
  owner = await server.connect()
  await raiseSchema(owner)
  for (const name of ['North', 'South']) await makeTeam(owner, name)
  const open = async (team: string, name: string, mayWrite = true): Promise<Client> => {
    const { login, password } = await inviteLaptop(owner, { team, name, mayWrite })
    logins.push(login)
    return server.connect({ ...server.owner, user: login, password })
  }
  one = await open('North', 'Laptop 1')
  two = await open('North', 'Laptop 2')
  reader = await open('North', 'Back office', false)
  stranger = await open('South', 'Laptop 1')
}, 180_000)

afterAll(async () => {
  for (const client of [one, two, reader, stranger, owner]) await client?.end()
  await server?.remove()
})

function chainOf(jobId: string, data: readonly unknown[], after?: JournalEntry): JournalEntry[] {
  const entries: JournalEntry[] = []
  for (const [index, one] of data.entries()) {
    const last = entries.at(-1) ?? after
    entries.push(
      sealEntry(last?.hash ?? startHash(jobId), {
        seq: (after?.seq ?? 0) + index + 1,
        at: '2026-11-22T10:00:00.000Z',
        type: 'note',
        stepId: null,
        data: one as never
      })
    )
  }
  return entries
}

const textOf = ({ hash: _, ...entry }: JournalEntry): string => canonicalJson(entry)

async function append(
  client: Client | undefined,
  jobId: string,
  entries: readonly JournalEntry[],
  job: object = {}
): Promise<string[]> {
  const { rows } = await (client as Client).query<{ seq: string; outcome: string }>(
    'select seq, outcome from fitter.append($1, $2, $3)',
    [JSON.stringify({ id: jobId, ...job }), entries.map(textOf), entries.map(({ hash }) => hash)]
  )
  return rows.map(({ seq, outcome }) => `${seq} ${outcome}`)
}

/** How the server refuses it: the state of the error. */
async function refusal(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => (error as DatabaseError).code
  )
}
const run = (client: Client | undefined, sql: string, values: unknown[] = []) => (client as Client).query(sql, values)
const jobId = () => randomUUID()

describe('The one door of the team log', () => {
  it('takes entries in order, and acknowledges again what is there', async () => {
    const id = jobId()
    const entries = chainOf(id, ['a', { b: 'ñ \u0001 \ud83d\ude9a' }, [1.5, null]])
    expect(await append(one, id, entries.slice(0, 2), { customer: 'Customer One' })).toEqual(['1 added', '2 added'])
    expect(await append(one, id, entries)).toEqual(['1 known', '2 known', '3 added'])
    expect(await append(one, id, entries)).toEqual(['1 known', '2 known', '3 known'])
    const { rows } = await run(two, 'select seq::int, text, hash from fitter.entry where job_id = $1 order by seq', [
      id
    ])
    expect(rows).toEqual(entries.map((entry) => ({ seq: entry.seq, text: textOf(entry), hash: entry.hash })))
  })

  it('keeps both where another entry stands at the same place, and goes on with neither', async () => {
    const id = jobId()
    const [first, second] = chainOf(id, ['a', 'b']) as [JournalEntry, JournalEntry]
    const [other] = chainOf(id, ['another'], first) as [JournalEntry]
    await append(one, id, [first, second])
    expect(await append(one, id, [first, other])).toEqual(['1 known', '2 fork'])
    expect(await append(one, id, [other])).toEqual(['2 fork'])
    const forks = await run(two, 'select seq::int, hash from fitter.fork where job_id = $1', [id])
    expect(forks.rows).toEqual([{ seq: 2, hash: other.hash }])
    expect(await append(one, id, chainOf(id, ['c'], second))).toEqual(['3 added'])
  })

  it('tells its listeners which job has news', async () => {
    const id = jobId()
    const { rows } = await run(reader, 'select channel from fitter.team')
    const told = new Promise((resolve) => reader?.once('notification', ({ payload }) => resolve(payload)))
    await run(reader, `listen ${rows[0].channel}`)
    await append(one, id, chainOf(id, ['a']))
    expect(await told).toBe(id)
  })

  it('gives every entry to one of two laptops that push at once, and nothing twice', async () => {
    const id = jobId()
    const entries = chainOf(
      id,
      Array.from({ length: 50 }, (_, n) => n)
    )
    await append(one, id, entries.slice(0, 1))
    const again = await server.connect({
      ...server.owner,
      user: logins[0],
      password: (one as unknown as { password: string }).password
    })
    await Promise.all(entries.map((_, n) => append(n % 2 === 0 ? one : again, id, entries.slice(0, n + 1))))
    await again.end()
    const { rows } = await run(
      one,
      'select count(*)::int as n, max(seq)::int as last from fitter.entry where job_id = $1',
      [id]
    )
    expect(rows).toEqual([{ n: 50, last: 50 }])
  })
})

describe('A hostile laptop is refused by the server itself', () => {
  it.each<[string, (id: string, entries: JournalEntry[]) => Promise<unknown>, string]>([
    [
      'a forged hash',
      (id, [a, b]) => append(one, id, [a as JournalEntry, { ...(b as JournalEntry), hash: 'f'.repeat(64) }]),
      'FT003'
    ],
    [
      'a changed entry under its old hash',
      (id, [a, b]) => append(one, id, [a as JournalEntry, { ...(b as JournalEntry), data: 'changed' }]),
      'FT003'
    ],
    ['a missing entry', (id, [a, , c]) => append(one, id, [a as JournalEntry, c as JournalEntry]), 'FT004'],
    ['a log without its beginning', (id, [, b, c]) => append(one, id, [b as JournalEntry, c as JournalEntry]), 'FT004'],
    ['entries in another order', (id, [a, b]) => append(one, id, [b as JournalEntry, a as JournalEntry]), 'FT004'],
    ['the chain of another job', (_, entries) => append(one, jobId(), entries), 'FT003'],
    [
      'more entries than a call may carry',
      (id) =>
        append(
          one,
          id,
          chainOf(
            id,
            Array.from({ length: 2_001 }, (_, n) => n)
          )
        ),
      'FT005'
    ],
    [
      'more bytes than a call may carry',
      (id) =>
        append(
          one,
          id,
          chainOf(
            id,
            Array.from({ length: 17 }, () => randomUUID().repeat(30_000))
          )
        ),
      'FT005'
    ],
    [
      'what is no JSON',
      (id) => run(one, 'select fitter.append($1, $2, $3)', [JSON.stringify({ id }), ['{"seq":1'], ['0'.repeat(64)]]),
      'FT006'
    ],
    [
      'an entry without a number',
      (id) => run(one, 'select fitter.append($1, $2, $3)', [JSON.stringify({ id }), ['{}'], ['0'.repeat(64)]]),
      'FT006'
    ],
    ['an id that is a path', (_, entries) => append(one, '../../x', entries), 'FT006'],
    ['nothing at all', (id) => append(one, id, []), 'FT006']
  ])('%s', async (_, attack, state) => {
    const id = jobId()
    const entries = chainOf(id, ['a', 'b', 'c'])
    expect(await refusal(attack(id, entries))).toBe(state)
    const { rows } = await owner.query('select count(*)::int as n from fitter.entry where job_id = $1', [id])
    expect(rows).toEqual([{ n: 0 }])
  })

  it('an entry in a job that somebody else holds', async () => {
    const id = jobId()
    const entries = chainOf(id, ['a', 'b'])
    await append(one, id, entries.slice(0, 1))
    expect(await refusal(append(two, id, entries))).toBe('FT002')
  })

  it.each([
    ['an update', "update fitter.entry set text = '{}'"],
    ['a removal', 'delete from fitter.entry'],
    ['emptying the log', 'truncate fitter.entry'],
    [
      'writing past the door',
      "insert into fitter.entry (team_id, month, job_id, seq, text, hash, pushed_by) select team_id, month, job_id, 99, '{}', '', pushed_by from fitter.entry limit 1"
    ],
    ['another holder', 'update fitter.job set holder = null'],
    ['more rights for itself', 'update fitter.laptop set may_write = true'],
    ['a fork made up', 'delete from fitter.fork'],
    ['a partition of its own', 'create table fitter.own (n int)'],
    [
      'a trigger',
      'create trigger t before insert on fitter.entry execute function pg_catalog.suppress_redundant_updates_trigger()'
    ],
    ['dropping the schema', 'drop schema fitter cascade'],
    ['switching the rows of others on', 'alter table fitter.job disable row level security'],
    ['the owner of the schema', 'set role owner'],
    ['inner functions', 'select fitter.keep_month(current_date)'],
    ['a file of the server', "select pg_read_file('PG_VERSION')"],
    ['a program of the server', "copy fitter.team to program 'true'"],
    ['passwords of others', 'select rolpassword from pg_authid']
  ])('%s', async (_, sql) => {
    expect(await refusal(run(one, sql))).toBe('42501')
    expect(await refusal(run(reader, sql))).toBe('42501')
  })

  it('rows of another team', async () => {
    const id = jobId()
    await append(one, id, chainOf(id, ['secret']))
    for (const table of ['team', 'laptop', 'job', 'entry', 'fork', 'content', 'piece']) {
      const own = (await run(one, `select count(*)::int as n from fitter.${table}`)).rows[0].n as number
      const strange = (
        await run(
          stranger,
          `select count(*)::int as n from fitter.${table} where ${table === 'team' ? 'id' : 'team_id'} = (select id from fitter.team where name = 'North')`
        )
      ).rows[0].n as number
      expect([table, strange, own >= 0]).toEqual([table, 0, true])
    }
    const { rows } = await run(stranger, 'select text from fitter.entry')
    expect(rows.filter(({ text }) => String(text).includes('secret'))).toEqual([])
    // The same id in another team is another job.
    expect(await append(stranger, id, chainOf(id, ['own']))).toEqual(['1 added'])
  })

  it('a login that only reads', async () => {
    const id = jobId()
    expect(await refusal(append(reader, id, chainOf(id, ['a'])))).toBe('42501')
    expect(
      await refusal(
        run(reader, 'select fitter.keep_piece($1, $2, 1, 0, $3)', ['a'.repeat(64), 'image/png', Buffer.from('x')])
      )
    ).toBe('42501')
  })

  it('a login that has left', async () => {
    const { login, password } = await inviteLaptop(owner, { team: 'North', name: 'Laptop 9', mayWrite: true })
    const gone = await server.connect({ ...server.owner, user: login, password })
    await run(gone, 'select fitter.leave_team()')
    const id = jobId()
    expect(await refusal(append(gone, id, chainOf(id, ['a'])))).toBe('FT001')
    expect((await run(gone, 'select * from fitter.job')).rows).toEqual([])
    await gone.end()
  })

  it('a picture that is not what its hash says, which can then be given again', async () => {
    const { createHash } = await import('node:crypto')
    const bytes = Buffer.alloc(300_000, 'a picture')
    const hash = createHash('sha256').update(bytes).digest('hex')
    const keep = (number: number, piece: Buffer) =>
      run(one, 'select fitter.keep_piece($1, $2, $3, $4, $5)', [hash, 'image/png', bytes.length, number, piece])
    const close = async () =>
      (await run(one, 'select fitter.close_content($1) as whole', [hash])).rows[0].whole as boolean
    await keep(0, Buffer.from('another'))
    expect(await close()).toBe(false)
    expect((await run(two, 'select fitter.missing($1) as hash', [[hash]])).rows).toEqual([{ hash }])
    await keep(0, bytes.subarray(0, 262_144))
    await keep(1, bytes.subarray(262_144))
    expect(await close()).toBe(true)
    await keep(0, Buffer.from('evil'))
    const { rows } = await run(two, 'select bytes from fitter.piece where sha256 = $1 order by number', [hash])
    expect(Buffer.concat(rows.map(({ bytes: piece }) => piece as Buffer))).toEqual(bytes)
    expect(await refusal(keep(9_999, bytes.subarray(0, 9)))).toBe('FT005')
  })
})

describe('The schema', () => {
  it('is made again without harm, by two at once as well', async () => {
    const other = await server.connect()
    expect(await Promise.all([raiseSchema(owner), raiseSchema(other)])).toEqual([0, 0])
    await other.end()
    expect(await readSchema(one as Client)).toEqual({ kind: 'same', version: migrations.length })
  })

  it('of a newer Fitter is left alone', async () => {
    await owner.query("insert into fitter.migration (number, name) values (1000, 'later')")
    await expect(raiseSchema(owner)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await readSchema(one as Client)).toEqual({ kind: 'newer', version: 1000 })
    await owner.query('delete from fitter.migration where number = 1000')
  })

  it('keeps no password of a laptop', async () => {
    const { rows } = await owner.query<{ rolpassword: string }>(
      'select rolpassword from pg_authid where rolname = $1',
      [logins[0]]
    )
    expect(rows[0]?.rolpassword).toMatch(/^SCRAM-SHA-256\$4096:/)
  })
})
