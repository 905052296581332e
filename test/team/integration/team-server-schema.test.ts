import { createHash, randomUUID } from 'node:crypto'
import type { Client, ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrations } from '../../../main/team/server/migrations/index.ts'
import { createSecrets } from '../../../main/base/secrets/keychain.ts'
import { inviteLaptop, makeTeam } from '../../../main/team/admin/members.ts'
import { raiseSchema, readSchema } from '../../../main/team/server/schema.ts'
import { createTeam } from '../../../main/team/team.ts'
import { startPostgres, type PostgresServer } from '../../world/team/postgres/postgresServer.ts'
import { openTestStore } from '../../world/data/storedJobs.ts'
import { chainOf, note, textOf } from '../../world/team/teamServer.ts'
import { tempFolder } from '../../world/tempFolder.ts'

let server: PostgresServer
let owner: Client
const open: Client[] = []
let made = 0

async function connected(config: ClientConfig): Promise<Client> {
  const client = await server.connect(config)
  open.push(client)
  return client
}

/** A database of its own, for an owner of its own who is no superuser. */
async function database(rights = 'createrole', more = ''): Promise<ClientConfig> {
  made += 1
  const name = `company${String(made)}`
  await owner.query(`create role ${name} login password 'x' ${rights}`)
  // Of the roles of laptops there is one of each in a server; on newer ones whoever did not make them needs to be let.
  const { rows } = await owner.query("select 1 from pg_roles where rolname = 'fitter_reads'")
  if (rows.length > 0 && rights !== '')
    await owner.query(`grant fitter_reads, fitter_writes to ${name} with admin option`)
  await owner.query(`create database ${name} owner ${name} ${more}`)
  return { ...server.owner, database: name, user: name, password: 'x' }
}

async function invited(at: ClientConfig, client: Client, name: string): Promise<Client> {
  await makeTeam(client, 'Team')
  const { login, password } = await inviteLaptop(client, { team: 'Team', name, mayWrite: true })
  return connected({ ...at, user: login, password })
}

beforeAll(async () => {
  server = await startPostgres()
  owner = await server.connect()
}, 180_000)

afterAll(async () => {
  for (const client of [...open, owner]) await client?.end()
  await server?.remove()
})

/** What the first release of Fitter asks, word for word: later versions of the schema must answer it. */
const first = {
  isThere: "select to_regclass('fitter.migration') is not null as is_there",
  version: 'select coalesce(max(number), 0)::int as version from fitter.migration',
  join: 'select * from fitter.join_team($1)',
  missing: 'select fitter.missing($1) as missing',
  keepPiece: 'select fitter.keep_piece($1, $2, $3, $4, $5)',
  closeContent: 'select fitter.close_content($1)',
  append: 'select seq, hash, outcome from fitter.append($1, $2, $3)',
  find: 'select * from fitter.list_jobs($1, $2)',
  job: 'select j.month::text as month, l.name as holder from fitter.job j left join fitter.laptop l on l.id = j.holder where j.id = $1',
  entries:
    'select text, hash from fitter.entry where month = $1 and team_id = (select fitter.my_team()) and job_id = $2 and seq > $3 order by seq limit $4',
  content: 'select media_type from fitter.content where sha256 = $1',
  pieces: 'select bytes from fitter.piece where team_id = (select fitter.my_team()) and sha256 = $1 order by number',
  leave: 'select fitter.leave_team()'
}

const foundColumns = [
  'id',
  'kind',
  'state',
  'template',
  'imei',
  'model',
  'vehicle',
  'plate',
  'customer',
  'technician',
  'made_at',
  'changed_at',
  'ended_at',
  'needs_help',
  'shown',
  'holder',
  'is_mine',
  'head_seq',
  'forks'
]

/** As a later version of Fitter has it. */
const later = [
  ...migrations,
  { name: 'later', sql: 'create table fitter.later (id int primary key); alter table fitter.job add column later text' }
]

/** Its whole day: it joins, pushes, pushes again, finds, opens and leaves. */
async function firstLaptopsDay(client: Client, before?: { id: string }): Promise<{ id: string }> {
  expect((await client.query(first.isThere)).rows).toEqual([{ is_there: true }])
  await client.query(first.version)
  if (!before) {
    const { rows } = await client.query(first.join, [randomUUID()])
    expect(rows[0]).toMatchObject({ team: 'Team', may_write: true, is_taken: false })
  }
  const id = before?.id ?? randomUUID()
  const entries = chainOf(id, [note('a'), note('b'), note('c')])
  const summary = JSON.stringify({
    id,
    kind: 'installation',
    state: 'running',
    template: 'standard',
    imei: '356307042441013',
    model: 'FMB120',
    vehicle: 'Van',
    plate: 'B-XY 1',
    customer: 'Customer One',
    technician: 'Technician One',
    madeAt: '2026-11-22T10:00:00.000Z',
    words: ' customer one ',
    shown: { id }
  })
  const push = (from: number, to: number) =>
    client.query(first.append, [
      summary,
      entries.slice(from, to).map(textOf),
      entries.slice(from, to).map(({ hash }) => hash)
    ])
  const gap = before
    ? undefined
    : await push(1, 3).catch((error: { code?: string; detail?: string }) => [error.code, error.detail])
  if (!before) expect(gap).toEqual(['FT004', '0'])
  expect((await push(0, 2)).rows.map(({ seq, outcome }) => `${String(seq)} ${String(outcome)}`)).toEqual(
    before ? ['1 known', '2 known'] : ['1 added', '2 added']
  )
  expect((await push(0, 3)).rows.map(({ hash }) => hash as string)).toEqual(entries.map(({ hash }) => hash))
  const bytes = Buffer.from(`picture ${id}`)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  if (!before) {
    expect((await client.query(first.missing, [[sha256]])).rows).toEqual([{ missing: sha256 }])
    await client.query(first.keepPiece, [sha256, 'image/png', bytes.length, 0, bytes])
    await client.query(first.closeContent, [sha256])
  }
  const found = await client.query(first.find, [JSON.stringify({ words: ['customer'], nearly: false }), 51])
  expect(found.fields.map(({ name }) => name).slice(0, foundColumns.length)).toEqual(foundColumns)
  expect(found.rows.map((row) => row.id as string)).toContain(id)
  const {
    rows: [job]
  } = await client.query(first.job, [id])
  const kept = await client.query(first.entries, [job.month, id, 0, 500])
  expect(kept.rows.map(({ hash }) => hash as string)).toEqual(entries.map(({ hash }) => hash))
  expect((await client.query(first.content, [sha256])).rows).toEqual([{ media_type: 'image/png' }])
  expect(Buffer.concat((await client.query(first.pieces, [sha256])).rows.map((row) => row.bytes as Buffer))).toEqual(
    bytes
  )
  return { id }
}

describe('A laptop of the first release', () => {
  it('continues on a later schema, with what it pushed before and with what is new', async () => {
    const at = await database()
    const company = await connected(at)
    await raiseSchema(company)
    const old = await invited(at, company, 'Old')
    const { id } = await firstLaptopsDay(old)
    expect(await raiseSchema(company, later)).toBe(1)
    expect(await readSchema(old)).toEqual({ kind: 'newer', version: migrations.length + 1 })
    await firstLaptopsDay(old, { id })
    await firstLaptopsDay(await invited(at, company, 'Old as well'))
    await old.query(first.leave)
  })
})

describe('A team log whose contents were not kept apart by laptop', () => {
  it('keeps what is whole, and is given the rest again', async () => {
    const at = await database()
    const company = await connected(at)
    await company.query(
      'create schema fitter; create table fitter.migration (number int primary key, name text not null, at timestamptz not null default now())'
    )
    for (const [n, { name, sql }] of migrations.slice(0, 3).entries()) {
      await company.query(sql)
      await company.query('insert into fitter.migration (number, name) values ($1, $2)', [n + 1, name])
    }
    await company.query("insert into fitter.team (name) values ('Team')")
    const [whole, half] = ['whole', 'half'].map((text) => Buffer.alloc(300_000, text)) as [Buffer, Buffer]
    const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
    const pieces = (bytes: Buffer) => [bytes.subarray(0, 262_144), bytes.subarray(262_144)]
    for (const [bytes, n] of [
      [whole, 2],
      [half, 1]
    ] as const) {
      await company.query(
        "insert into fitter.content (team_id, sha256, media_type, size_bytes, whole_at) select id, $1, 'image/png', $2, $3 from fitter.team",
        [hashOf(bytes), bytes.length, n === 2 ? new Date() : null]
      )
      for (const [number, piece] of pieces(bytes).slice(0, n).entries())
        await company.query(
          'insert into fitter.piece (team_id, sha256, number, bytes) select id, $1, $2, $3 from fitter.team',
          [hashOf(bytes), number, piece]
        )
    }
    expect(await raiseSchema(company)).toBe(migrations.length - 3)
    const laptop = await invited(at, company, 'Laptop 1')
    expect((await laptop.query(first.missing, [[hashOf(whole), hashOf(half)]])).rows).toEqual([
      { missing: hashOf(half) }
    ])
    for (const [number, piece] of pieces(half).entries())
      await laptop.query(first.keepPiece, [hashOf(half), 'image/png', half.length, number, piece])
    await laptop.query(first.closeContent, [hashOf(half)])
    for (const bytes of [whole, half]) {
      expect((await laptop.query(first.content, [hashOf(bytes)])).rows).toEqual([{ media_type: 'image/png' }])
      expect(
        Buffer.concat((await laptop.query(first.pieces, [hashOf(bytes)])).rows.map((row) => row.bytes as Buffer))
      ).toEqual(bytes)
    }
  })
})

describe('A team log from before the first release', () => {
  it('is refused with one sentence by init and by a laptop, and stays as it is', async () => {
    const at = await database()
    const company = await connected(at)
    await company.query(`create schema fitter; create table fitter.migration (number int primary key, name text not null, at timestamptz not null default now());
      insert into fitter.migration (number, name) select n, name from unnest(array['log', 'holding', 'lists', 'assignments', 'counts', 'views', 'retention', 'manyJobs', 'forks', 'form']) with ordinality as one (name, n);
      create table fitter.team (id int primary key); insert into fitter.team values (1)`)
    const all = async () =>
      (
        await company.query(
          "select c.relname, c.relacl::text, (select count(*)::int from fitter.team) as teams, (select count(*)::int from fitter.migration) as migrations from pg_class c where c.relnamespace = 'fitter'::regnamespace order by 1"
        )
      ).rows
    const before = await all()
    const sentence = { code: 'CONFLICT', sentence: { id: 'teamServer.otherSchema' } }
    await expect(raiseSchema(company)).rejects.toMatchObject(sentence)
    await expect(raiseSchema(company, later)).rejects.toMatchObject(sentence)
    expect(await readSchema(company)).toEqual({ kind: 'other' })
    const team = createTeam({ store: openTestStore(tempFolder()), secrets: createSecrets({ inMemory: true }) })
    await expect(
      team.join({
        team: 'Team',
        name: 'Laptop 1',
        password: 'x',
        server: {
          host: '127.0.0.1',
          port: server.port,
          database: String(at.database),
          user: String(at.user),
          authority: null
        }
      })
    ).rejects.toMatchObject(sentence)
    expect(team.isMember()).toBe(false)
    expect(await all()).toEqual(before)
  })
})

describe('Setting up', () => {
  it('by an owner who is no superuser is enough, with several at the same moment and again', async () => {
    const at = await database()
    const three = await Promise.all([connected(at), connected(at), connected(at)])
    const notices: string[] = []
    for (const client of three) client.on('notice', ({ message }) => notices.push(message ?? ''))
    const applied = await Promise.all(three.map((client) => raiseSchema(client)))
    expect(applied.sort((a, b) => a - b)).toEqual([0, 0, migrations.length])
    expect(await Promise.all(three.map((client) => raiseSchema(client)))).toEqual([0, 0, 0])
    // Each of them is a line in the log of the server as well.
    expect(notices).toEqual([])
    await firstLaptopsDay(await invited(at, three[0] as Client, 'Laptop 1'))
    const { rows } = await owner.query('select datname from pg_database where datname = $1', [at.database])
    expect(rows).toHaveLength(1)
    const strange = await (three[0] as Client).query(
      "select c.relname from pg_class c where c.relnamespace = 'fitter'::regnamespace and c.relowner <> current_user::regrole"
    )
    expect(strange.rows).toEqual([])
  })

  it('is done whole or not at all: a connection that breaks in the middle leaves nothing half', async () => {
    const at = await database()
    for (const version of [0, 1]) {
      const breaking = await connected(at)
      let asked = 0
      const real = breaking.query.bind(breaking) as (...given: unknown[]) => unknown
      const {
        rows: [{ pid }]
      } = await breaking.query('select pg_backend_pid() as pid')
      breaking.query = (async (...given: unknown[]) => {
        if (String(given[0]).startsWith('insert into fitter.migration') && ++asked === 1 + version)
          await owner.query('select pg_terminate_backend($1)', [pid])
        return real(...given)
      }) as never
      await expect(raiseSchema(breaking, later)).rejects.toThrow()
      const after = await connected(at)
      expect(await readSchema(after)).toEqual({ kind: 'none' })
      expect((await after.query("select 1 from pg_namespace where nspname = 'fitter'")).rows).toEqual([])
    }
    expect(await raiseSchema(await connected(at))).toBe(migrations.length)
  })

  it('by a member of the owner makes what belongs to the owner', async () => {
    const at = await database()
    const company = await connected(at)
    await raiseSchema(company)
    await owner.query(`create role administrator login password 'x'; grant ${String(at.user)} to administrator`)
    const administrator = await connected({ ...at, user: 'administrator' })
    expect(await raiseSchema(administrator, later)).toBe(1)
    const { rows } = await company.query(
      "select count(*)::int as n from pg_class c where c.relnamespace = 'fitter'::regnamespace and c.relowner <> $1::regrole",
      [at.user]
    )
    expect(rows).toEqual([{ n: 0 }])
    await firstLaptopsDay(await invited(at, company, 'Laptop 1'))
  })

  it('by whoever may not is one sentence, and changes nothing', async () => {
    const at = await database('')
    const poor = await connected(at)
    await expect(raiseSchema(poor)).rejects.toMatchObject({
      code: 'NOT_PERMITTED',
      sentence: { id: 'teamServer.mayNotSetUp', values: { role: at.user } }
    })
    expect(await readSchema(poor)).toEqual({ kind: 'none' })
    const theirs = await database()
    await raiseSchema(await connected(theirs))
    const stranger = await connected({ ...at, database: theirs.database })
    await expect(raiseSchema(stranger)).rejects.toMatchObject({
      code: 'NOT_PERMITTED',
      sentence: { id: 'teamServer.notOwner', values: { role: at.user, owner: theirs.user } }
    })
    const laptop = await invited(theirs, await connected(theirs), 'Laptop 1')
    await expect(raiseSchema(laptop)).rejects.toMatchObject({
      code: 'NOT_PERMITTED',
      sentence: { id: 'teamServer.notOwner' }
    })
  })

  it('on a server that is too old, or keeps texts in another way, is one sentence', async () => {
    const latin = await connected(await database('createrole', "encoding 'LATIN1' template template0 locale 'C'"))
    await expect(raiseSchema(latin)).rejects.toMatchObject({
      code: 'CONFLICT',
      sentence: { id: 'teamServer.encoding', values: { encoding: 'LATIN1' } }
    })
    const client = await connected(await database())
    // The least version has no package here: what it says of itself is put in its place.
    const real = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>
    client.query = ((text: string, ...given: unknown[]) =>
      real(
        text.replace(
          "current_setting('server_version_num')::int as number, current_setting('server_version')",
          "140012 as number, '14.12'"
        ),
        ...given
      )) as never
    await expect(raiseSchema(client)).rejects.toMatchObject({
      code: 'CONFLICT',
      sentence: { id: 'teamServer.tooOld', values: { version: '14.12', least: '15' } }
    })
    expect(await readSchema(client)).toEqual({ kind: 'none' })
  })

  it('does not wait for ever for somebody who reads', async () => {
    const at = await database()
    const company = await connected(at)
    await raiseSchema(company)
    const reads = await invited(at, company, 'Reads')
    await reads.query('begin; select * from fitter.job')
    const real = company.query.bind(company) as (...given: unknown[]) => Promise<unknown>
    company.query = ((text: string, ...given: unknown[]) =>
      real(text.replace(/lock_timeout = \d+/, 'lock_timeout = 50'), ...given)) as never
    await expect(raiseSchema(company, later)).rejects.toMatchObject({ code: '55P03' })
    expect(await readSchema(reads)).toMatchObject({ version: migrations.length })
    await reads.query('rollback')
    expect(await raiseSchema(company, later)).toBe(1)
  })
})
