import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Client, ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import { canonicalJson, sealEntry, startHash } from '../../../main/data/store/jobs/seal.ts'
import { startPostgres, type PostgresServer } from '../../world/team/postgres/postgresServer.ts'
import { append, appendJobs, chainOf, invited, leaves, note, refusal, textOf } from '../../world/team/teamServer.ts'

const secret = 'Customer-of-North'
let server: PostgresServer
let owner: Client
const open: Client[] = []
const logins = new Map<string, ClientConfig>()
let writer: Client
let reader: Client
let gone: Client
let foreign: Client
/** A job of North with everything that there is: entries, a fork, a picture, an offer. */
let jobId: string
let picture: string

async function laptop(team: string, name: string, mayWrite = true): Promise<Client> {
  const login = await invited(server, owner, { team, name, mayWrite })
  logins.set(name, login)
  const client = await server.connect(login)
  open.push(client)
  return client
}

const everybody = (): [string, Client][] => [
  ['writer', writer],
  ['reader', reader],
  ['left', gone],
  ['foreign', foreign]
]
const run = (client: Client, sql: string, values: unknown[] = []) => client.query(sql, values)

async function keepPicture(client: Client, bytes: Buffer): Promise<string> {
  const hash = createHash('sha256').update(bytes).digest('hex')
  await run(client, 'select fitter.keep_piece($1, $2, $3, 0, $4)', [hash, 'image/png', bytes.length, bytes])
  await run(client, 'select fitter.close_content($1)', [hash])
  return hash
}

beforeAll(async () => {
  server = await startPostgres()
  owner = await server.connect()
  await raiseSchema(owner)
  writer = await laptop('North', 'Writer')
  reader = await laptop('North', 'Reader', false)
  gone = await laptop('North', 'Left')
  foreign = await laptop('South', 'Foreign')
  await run(gone, 'select fitter.leave_team()')
  jobId = randomUUID()
  const handover = randomUUID()
  const entries = chainOf(jobId, [note(secret), note('b'), leaves(handover)])
  const [first, , last] = entries as [(typeof entries)[0], (typeof entries)[0], (typeof entries)[0]]
  await append(writer, jobId, entries, {
    customer: secret,
    words: ` ${secret} `,
    shown: { customer: secret },
    work: [{ title: secret }]
  })
  await append(writer, jobId, [first, ...chainOf(jobId, [note(`another ${secret}`)], first)])
  picture = await keepPicture(writer, Buffer.from(secret))
  await run(writer, "select fitter.offer($1, '', $2, $3)", [
    handover,
    JSON.stringify([{ id: jobId, seq: 3, hash: last.hash }]),
    picture
  ])
  await owner.query('analyze')
}, 180_000)

afterAll(async () => {
  for (const client of [...open, owner]) await client?.end()
  await server?.remove()
})

const relations = async (kinds: string) =>
  (
    await owner.query<{ name: string; kind: string; rls: boolean; options: string | null; has_team: boolean }>(
      `select c.relname as name, c.relkind as kind, c.relrowsecurity as rls, c.reloptions::text as options,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'team_id') as has_team
     from pg_class c where c.relnamespace = 'fitter'::regnamespace and c.relkind = any ($1) order by c.relname`,
      [kinds.split('')]
    )
  ).rows

describe('Whatever the schema has, now and later', () => {
  it('nobody but its owner may change a table', async () => {
    const { rows } = await owner.query(`
      select c.relname, a.grantee::regrole::text as who, a.privilege_type as may from pg_class c, aclexplode(c.relacl) a
      where c.relnamespace = 'fitter'::regnamespace and a.grantee <> c.relowner and a.privilege_type <> 'SELECT'
      union all select c.relname || '.' || t.attname, a.grantee::regrole::text, a.privilege_type from pg_attribute t join pg_class c on c.oid = t.attrelid, aclexplode(t.attacl) a
      where c.relnamespace = 'fitter'::regnamespace and a.grantee <> c.relowner and a.privilege_type <> 'SELECT'`)
    expect(rows).toEqual([])
    const tables = await relations('rp')
    expect(tables.length).toBeGreaterThan(8)
    for (const { name } of tables) {
      for (const [who, client] of everybody()) {
        for (const sql of [
          `delete from fitter.${name}`,
          `truncate fitter.${name}`,
          `insert into fitter.${name} default values`,
          `begin; lock table fitter.${name} in row exclusive mode`,
          `alter table fitter.${name} disable row level security`,
          `drop table fitter.${name}`
        ]) {
          expect([name, who, sql, await refusal(run(client, sql))]).toEqual([name, who, sql, '42501'])
          if (sql.startsWith('begin')) await run(client, 'rollback')
        }
      }
    }
    const { rows: columns } = await owner.query<{ name: string; one: string }>(
      "select c.relname as name, min(a.attname) as one from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped where c.relnamespace = 'fitter'::regnamespace and c.relkind in ('r', 'p') group by 1"
    )
    for (const { name, one } of columns)
      expect([name, await refusal(run(writer, `update fitter.${name} set ${one} = ${one}`))]).toEqual([name, '42501'])
  })

  it('every table keeps teams apart, every view is one that does, and nothing is open to everybody', async () => {
    expect((await relations('rp')).filter(({ name, rls }) => !rls && name !== 'migration')).toEqual([])
    expect(
      (await relations('vm')).filter(({ options }) => !/security_(barrier|invoker)=(true|on)/.test(options ?? ''))
    ).toEqual([])
    const { rows: open } = await owner.query(
      "select c.relname from pg_class c, aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) a where c.relnamespace = 'fitter'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S') and a.grantee = 0"
    )
    expect(open).toEqual([])
  })

  it('every function that works for its owner has its own search path, and none is open to everybody', async () => {
    const { rows } = await owner.query(`
      select p.oid::regprocedure::text as name from pg_proc p where p.pronamespace = 'fitter'::regnamespace and p.prosecdef
        and not exists (select from unnest(p.proconfig) one where one ~ '^search_path=pg_catalog, (fitter, )?pg_temp$')`)
    expect(rows).toEqual([])
    const { rows: everybodys } = await owner.query(
      "select p.oid::regprocedure::text as name from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where p.pronamespace = 'fitter'::regnamespace and a.grantee = 0"
    )
    expect(everybodys).toEqual([])
  })

  it('no row of a team is seen by another one, nor by who has left', async () => {
    const {
      rows: [north]
    } = await owner.query<{ id: string }>("select id from fitter.team where name = 'North'")
    for (const { name, has_team } of await relations('rpvm')) {
      if (!has_team && name !== 'team') continue
      const sql = `select count(*)::int as n from fitter.${name} where ${name === 'team' ? 'id' : 'team_id'} = $1`
      for (const client of [foreign, gone]) {
        const seen = await run(client, sql, [north?.id]).then(
          ({ rows }) => rows[0].n as number,
          (error: { code?: string }) => error.code
        )
        expect([name, seen]).toEqual([name, seen === 0 ? 0 : '42501'])
      }
    }
    for (const name of ['team', 'laptop', 'job', 'entry', 'fork', 'content', 'piece', 'handover']) {
      expect([name, (await run(reader, `select count(*)::int as n from fitter.${name}`)).rows[0].n > 0]).toEqual([
        name,
        true
      ])
    }
  })

  it('no function tells another team anything, whatever it is asked', async () => {
    const { rows } = await owner.query<{ name: string; types: string[]; is_open: boolean }>(`
      select p.proname as name, array(select t::regtype::text from unnest(p.proargtypes) t) as types,
        has_function_privilege('fitter_writes', p.oid, 'execute') as is_open
      from pg_proc p where p.pronamespace = 'fitter'::regnamespace and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`)
    const texts = [jobId, picture, secret, '%', '']
    const given: Record<string, unknown[]> = {
      text: texts,
      'text[]': [[picture, jobId]],
      uuid: [randomUUID()],
      integer: [1, 100],
      bigint: [1],
      bytea: [Buffer.from('x')],
      date: ['2026-11-01'],
      boolean: [true],
      'timestamp with time zone': ['2000-01-01'],
      jsonb: [
        '{}',
        JSON.stringify({ words: [secret.toLowerCase()] }),
        JSON.stringify({ customer: secret, id: jobId, ids: [jobId], holder: 'Writer', either: { imei: secret } })
      ]
    }
    let asked = 0
    for (const { name, types, is_open } of rows) {
      if (name === 'leave_team') continue
      const call = `select to_json(told)::text as told from fitter.${name}(${types.map((type, n) => `$${String(n + 1)}::${type}`).join(', ')}) told`
      for (let n = 0; n < 5; n++) {
        const values = types.map((type) => given[type]?.at(n % (given[type]?.length ?? 1)) ?? null)
        for (const client of [foreign, gone]) {
          const told = await run(client, call, values).then(
            ({ rows: all }) => JSON.stringify(all),
            (error: { code?: string; message: string; detail?: string }) =>
              is_open ? `${error.message} ${error.detail ?? ''}` : String(error.code)
          )
          if (!is_open) expect([name, told]).toEqual([name, '42501'])
          expect([name, told.replaceAll('%', '').includes(secret) && !JSON.stringify(values).includes(secret)]).toEqual(
            [name, false]
          )
          asked += 1
        }
      }
    }
    expect(asked).toBeGreaterThan(100)
  })
})

describe('A fork', () => {
  it('is settled by a writer of its team alone, for itself, once, and only where there is one', async () => {
    const job = randomUUID()
    const log = chainOf(job, [note('a'), note('b'), note('c')])
    const [first] = log as [(typeof log)[0]]
    const other = chainOf(job, [note('other'), note('more'), note('end')], first)
    await append(writer, job, log)
    await append(writer, job, [first, ...other.slice(0, 1)])
    const keep = (client: Client, entries: typeof log, change: (text: string) => string = (text) => text) =>
      run(client, 'select fitter.keep_fork($1, $2, $3)', [
        job,
        entries.map((entry) => change(textOf(entry))),
        entries.map(({ hash }) => hash)
      ])
    const settle = (client: Client, hash: string, why = 'The other one is right', of: string = job) =>
      run(client, 'select * from fitter.settle_fork($1, $2, $3)', [of, hash, why])
    const [begun = '', end = ''] = [other[0]?.hash, other.at(-1)?.hash]

    for (const client of [reader, gone, foreign]) {
      expect(['FT001', '42501', 'FT009']).toContain(await refusal(keep(client, other)))
      expect(['FT001', '42501', 'FT009']).toContain(await refusal(settle(client, begun)))
    }
    // What is no fork: the team's own log, its continuation, a changed text, what nothing goes before.
    expect(await refusal(keep(writer, log.slice(1)))).toBe('FT006')
    expect(await refusal(keep(writer, chainOf(job, [note('d')], log.at(-1))))).toBe('FT004')
    expect(await refusal(keep(writer, other, (text) => text.replace('other', 'forged')))).toBe('FT003')
    expect(await refusal(keep(writer, other.slice(2)))).toBe('FT004')
    expect(await refusal(keep(writer, chainOf(job, [note('x'), note('y')], other.at(-1))))).toBe('FT004')
    for (const hash of [log.at(-1)?.hash ?? '', end, '', 'f'.repeat(64)])
      expect(await refusal(settle(writer, hash))).toBe('FT009')
    expect(await refusal(settle(writer, begun, 'The other one is right', jobId))).toBe('FT009')
    for (const why of ['', '  ', 'no', ' no  ', 'x'.repeat(501)])
      expect(await refusal(settle(writer, begun, why))).toBe('FT006')
    expect(await refusal(run(writer, 'select fitter.settle_fork($1, $2, null)', [job, begun]))).toBe('FT006')
    expect(await refusal(run(writer, 'select fitter.keep_fork($1, null, null)', [job]))).toBe('FT006')
    expect(await refusal(run(writer, "select fitter.keep_fork($1, array[null::text], array['x'])", [job]))).toBe(
      'FT006'
    )
    expect(
      await refusal(run(writer, "select fitter.keep_fork($1, '[0:0]={x}'::text[], '[0:0]={x}'::text[])", [job]))
    ).toBe('FT006')

    // Whole, in pieces, and again: nothing twice.
    await keep(writer, other.slice(1, 2))
    await keep(writer, other)
    await keep(writer, other.slice(2))
    const { rows: kept } = await owner.query<{ hash: string }>(
      'select hash from fitter.fork where job_id = $1 order by seq',
      [job]
    )
    expect(kept.map(({ hash }) => hash)).toEqual(other.map(({ hash }) => hash))
    const said = await settle(writer, end)
    expect(said.rows).toMatchObject([{ reason: 'The other one is right' }])
    // The second time it says what was said first; a colleague speaks for itself alone.
    expect((await settle(writer, end, 'Somebody else did it')).rows).toEqual(said.rows)
    const colleague = await laptop('North', 'Colleague')
    await settle(colleague, end, 'I say so')
    const { rows: words } = await owner.query(
      'select l.name, s.reason from fitter.settlement s join fitter.laptop l on l.id = s.settled_by where s.job_id = $1 order by s.settled_at',
      [job]
    )
    expect(words).toEqual([
      { name: 'Writer', reason: 'The other one is right' },
      { name: 'Colleague', reason: 'I say so' }
    ])
    expect(
      (await run(reader, 'select count(*)::int as n from fitter.settlement where job_id = $1', [job])).rows
    ).toEqual([{ n: 2 }])
    expect((await run(foreign, 'select count(*)::int as n from fitter.settlement')).rows).toEqual([{ n: 0 }])
    // The log of the team is what it was, and its holder holds it.
    const {
      rows: [after]
    } = await owner.query(
      'select j.head_seq, l.name from fitter.job j join fitter.laptop l on l.id = j.holder where j.id = $1',
      [job]
    )
    expect(after).toEqual({ head_seq: '3', name: 'Writer' })
  })
})

describe('A login of a laptop cannot become more than it is', () => {
  it.each([
    ['the owner', 'set role owner'],
    ['somebody else', 'set session authorization owner'],
    ['a superuser', 'alter role current_user superuser'],
    ['who makes roles', 'alter role current_user createrole'],
    ['who sees all rows', 'alter role current_user bypassrls'],
    ['who connects as often as it likes', 'alter role current_user connection limit 100'],
    ['who never ends', "alter role current_user valid until 'infinity'"],
    ['a colleague', "alter role fitter_reads login password 'x'"],
    ['who grants', 'grant fitter_writes to owner'],
    ['who gives itself tables', 'grant all on all tables in schema fitter to current_user'],
    ['who owns functions', 'alter function fitter.append(jsonb, text[], text[]) security invoker'],
    [
      'who replaces functions',
      "create or replace function fitter.my_team() returns uuid language sql as 'select null::uuid'"
    ],
    ['who adds a policy', 'create policy mine on fitter.job for select using (true)'],
    ['who makes tables in the schema', 'create table fitter.own (n int)'],
    ['who makes types in the schema', 'create type fitter.own as (n int)'],
    ['who makes a schema', 'create schema mine'],
    ['who makes tables beside it', 'create table public.job (n int)'],
    [
      'who makes functions beside it',
      "create function public.sha256(bytea) returns bytea language sql as 'select null::bytea'"
    ],
    ['who makes rules', 'create rule r as on insert to fitter.entry do instead nothing'],
    ['who watches tables', 'create publication p for table fitter.entry'],
    ['who watches the log of the server', "select pg_create_logical_replication_slot('x', 'pgoutput')"],
    ['who reads files', "select pg_read_file('PG_VERSION')"],
    ['who lists folders', "select pg_ls_dir('.')"],
    ['who brings files in', "select lo_import('/etc/passwd')"],
    ['who writes files', "copy fitter.job to '/tmp/fitter-attack'"],
    ['who runs programs', "copy fitter.job to program 'true'"],
    ['who reads passwords', 'select rolpassword from pg_authid'],
    ['who reads passwords elsewhere', 'select passwd from pg_shadow'],
    ['who ends others', "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'owner'"],
    ['who sets the server', "alter system set log_statement = 'all'"],
    ['who sees all rows for a while', 'set row_security = off; select * from fitter.job'],
    ['who reads the logins of colleagues', 'select login from fitter.laptop'],
    ['who reads what folders prove themselves with', 'select data_folder from fitter.laptop']
  ])('%s', async (_, sql) => {
    for (const [who, client] of everybody()) {
      expect([who, await refusal(run(client, sql))]).toEqual([who, '42501'])
      await run(client, 'reset row_security')
    }
  })

  it('with tables, functions and operators of its own in the way', async () => {
    await run(
      writer,
      `
      create temp table laptop (like pg_class); create temp table job (n int);
      create function pg_temp.sha256(bytea) returns bytea language sql as 'select ''\\x00''::bytea';
      create function pg_temp.encode(bytea, text) returns text language sql as 'select repeat(''f'', 64)';
      create function pg_temp.same(text, text) returns boolean language sql as 'select true';
      create operator pg_temp.= (leftarg = text, rightarg = text, function = pg_temp.same);
      set search_path = pg_temp, fitter, pg_catalog`
    )
    const id = randomUUID()
    const [first] = chainOf(id, [note('a')]) as [ReturnType<typeof sealEntry>]
    expect(await refusal(append(writer, id, [{ ...first, hash: 'f'.repeat(64) }]))).toBe('FT003')
    expect(await append(writer, id, [first])).toEqual(['1 added'])
    await run(writer, 'reset search_path; discard temp')
  })

  it('nor does it see a row of others with a function that tells what it is asked about', async () => {
    const told: string[] = []
    const hear = ({ message }: { message?: string | undefined }) => void told.push(message ?? '')
    foreign.on('notice', hear)
    await run(
      foreign,
      "create function pg_temp.leak(text) returns boolean language plpgsql cost 0.0000001 as $$ begin raise notice '%', $1; return true; end $$"
    )
    for (const sql of [
      'select id from fitter.job where pg_temp.leak(words)',
      'select job_id from fitter.entry where pg_temp.leak(text)',
      'select name from fitter.team where pg_temp.leak(name)'
    ])
      expect(JSON.stringify((await run(foreign, sql)).rows)).not.toContain(jobId)
    foreign.off('notice', hear)
    expect(told.filter((one) => one.includes(secret) || one.includes('North'))).toEqual([])
    expect(
      (
        await run(
          foreign,
          "select * from pg_stats where schemaname = 'fitter' and (most_common_vals::text like '%North%' or histogram_bounds::text like '%North%')"
        )
      ).rows
    ).toEqual([])
  })

  it('nor what others do, and on which channel their news come', async () => {
    const {
      rows: [north]
    } = await run(reader, 'select channel from fitter.team')
    await run(reader, `listen ${String(north.channel)}`)
    expect(String(north.channel)).toMatch(/^fitter_[0-9a-f]{32}$/)
    const seen =
      JSON.stringify((await run(foreign, 'select query from pg_stat_activity')).rows) +
      JSON.stringify((await run(foreign, 'select channel from fitter.team')).rows)
    expect(seen).not.toContain(north.channel)
    await run(reader, 'unlisten *')
  })
})

describe('What a call carries is held against its form', () => {
  const entry = (data: unknown, seq: unknown = 1) => {
    const id = randomUUID()
    const text = `{"at":"2026-11-22T10:00:00.000Z","data":${typeof data === 'string' ? data : JSON.stringify(data)},"seq":${String(seq)},"stepId":null,"type":"note"}`
    return {
      id,
      text,
      hash: createHash('sha256')
        .update(startHash(id) + text)
        .digest('hex')
    }
  }
  const give = ({ id, text, hash }: ReturnType<typeof entry>, summary: object = {}) =>
    run(writer, 'select fitter.append($1, $2, $3)', [JSON.stringify({ id, ...summary }), [text], [hash]])

  it.each<[string, string, () => Promise<unknown>]>([
    ['a number below one', 'FT006', () => give(entry('1', 0))],
    ['a number below zero', 'FT006', () => give(entry('1', -9223372036854775808n))],
    ['a number above all', 'FT006', () => give(entry('1', '1e400'))],
    ['the highest number', 'FT006', () => give(entry('1', 9223372036854775807n))],
    ['a number that is SQL', 'FT006', () => give(entry('1', '"1; drop table fitter.job"'))],
    ['JSON as deep as it fits', 'FT006', () => give(entry('['.repeat(200_000) + ']'.repeat(200_000)))],
    [
      'a summary as deep',
      '54001',
      () =>
        run(writer, 'select fitter.append($1, $2, $3)', [
          `{"id":"x","shown":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
          ['{}'],
          ['x']
        ])
    ],
    [
      'a summary of two megabytes',
      'FT005',
      () => give(entry('1'), { shown: { text: Array.from({ length: 60_000 }, () => randomUUID()).join('') } })
    ],
    ['a zero in the summary', '22P05', () => give(entry('1'), { customer: 'a\u0000b' })],
    [
      'bytes that are no text',
      '22021',
      () => run(writer, "select fitter.append('{}', array[convert_from('\\xff', 'UTF8')], array['x'])")
    ],
    ['no summary', 'FT006', () => run(writer, "select fitter.append(null, array['{}'], array['x'])")],
    ['no entries', 'FT006', () => run(writer, 'select fitter.append(\'{"id":"x"}\', null, null)')],
    [
      'an entry that is nothing',
      'FT006',
      () => run(writer, 'select fitter.append(\'{"id":"x"}\', array[null]::text[], array[null]::text[])')
    ],
    [
      'a hash that is nothing',
      'FT003',
      () => run(writer, 'select fitter.append(\'{"id":"x"}\', array[$1], array[null]::text[])', [entry('1').text])
    ],
    [
      'entries that begin elsewhere',
      'FT006',
      () =>
        run(writer, 'select fitter.append(\'{"id":"x"}\', \'[5:5]={"{\\"seq\\":1}"}\'::text[], \'[5:5]={x}\'::text[])')
    ],
    [
      'entries in rows and columns',
      'FT006',
      () => run(writer, 'select fitter.append(\'{"id":"x"}\', array[array[\'{"seq":1}\']], array[array[\'x\']])')
    ],
    ['a summary that is a list', 'FT006', () => run(writer, "select fitter.append('[1]', array['{}'], array['x'])")],
    [
      'a picture of another kind',
      'FT006',
      () => run(writer, "select fitter.keep_piece($1, 'text/html', 1, 0, 'x')", ['a'.repeat(64)])
    ],
    [
      'a picture without a name',
      'FT006',
      () => run(writer, "select fitter.keep_piece('../x', 'image/png', 1, 0, 'x')")
    ],
    [
      'a picture larger than any',
      'FT006',
      () => run(writer, "select fitter.keep_piece($1, 'image/png', 99999999999, 0, 'x')", ['a'.repeat(64)])
    ],
    [
      'a piece larger than one',
      'FT005',
      () =>
        run(writer, "select fitter.keep_piece($1, 'image/png', 300000, 0, $2)", ['a'.repeat(64), Buffer.alloc(262_145)])
    ],
    [
      'a piece of nothing',
      'FT006',
      () => run(writer, "select fitter.keep_piece($1, 'image/png', 1, 0, '')", ['a'.repeat(64)])
    ],
    [
      'a piece before the first',
      'FT005',
      () => run(writer, "select fitter.keep_piece($1, 'image/png', 1, -1, 'x')", ['a'.repeat(64)])
    ],
    [
      'an offer that is no list',
      'FT006',
      () => run(writer, "select fitter.offer('x', '', '{}', $1)", ['a'.repeat(64)])
    ],
    [
      'an offer of a number that is none',
      'FT006',
      () => run(writer, `select fitter.offer('x', '', '[{"id":"x","seq":"y","hash":"z"}]', $1)`, ['a'.repeat(64)])
    ],
    ['a hand-over whose id is a path', 'FT006', () => run(writer, "select fitter.withdraw_offer('../x')")],
    ['a question for all there is', 'FT006', () => run(writer, "select fitter.list_jobs('{}', 2000000000)")],
    ['a question that is none', 'FT006', () => run(writer, "select fitter.list_jobs('[]', 10)")]
  ])('%s: %s', async (_, state, attack) => {
    expect(await refusal(attack())).toBe(state)
  })

  it.each<[string, string]>([
    ['spaces', '{ "at":"2026-11-22T10:00:00.000Z","data":1,"seq":1,"stepId":null,"type":"note" }'],
    ['nothing but a number', '{ "seq" : 1 }'],
    ['a key twice', '{"at":"2026-11-22T10:00:00.000Z","data":1,"seq":2,"seq":1,"stepId":null,"type":"note"}'],
    ['a key more', '{"at":"2026-11-22T10:00:00.000Z","data":1,"seq":1,"stepId":null,"type":"note","x":1}'],
    [
      'a key in another spelling',
      '{"at":"2026-11-22T10:00:00.000Z","d\\u0061ta":1,"seq":1,"stepId":null,"type":"note"}'
    ],
    [
      'a number in another spelling',
      '{"at":"2026-11-22T10:00:00.000Z","data":1,"seq":1.0,"stepId":null,"type":"note"}'
    ],
    ['no type', '{"at":"2026-11-22T10:00:00.000Z","data":1,"seq":1,"stepId":null}']
  ])('an entry with %s is not taken, alone or among others', async (_, text) => {
    const own = { ...entry('1'), text }
    const hash = createHash('sha256')
      .update(startHash(own.id) + text)
      .digest('hex')
    expect(await refusal(give({ ...own, hash }))).toBe('FT006')
    expect(
      (
        await run(writer, 'select outcome, code from fitter.append_jobs($1, $2, $3, $4)', [
          [JSON.stringify({ id: own.id })],
          [1],
          [text],
          [hash]
        ])
      ).rows
    ).toEqual([{ outcome: 'refused', code: 'FT006' }])
  })

  it.each([
    '{"b":1,"a":1}',
    '{"a":1,"a":1}',
    '{"\\u0061":1}',
    '[1, 2]',
    '1.0',
    '1e5',
    '-0',
    '0.10000000000000001',
    '12345678901234567890',
    '"\\/"',
    '"\\u000a"',
    '"\\ud83d\\ude00"',
    '1e400'
  ])('an entry whose data is %s is not taken: Fitter would write it otherwise', async (data) => {
    expect(await refusal(give(entry(data)))).toBe('FT006')
  })

  it('whatever Fitter writes is taken', async () => {
    const values = [
      1e21,
      1e-7,
      123456789012345680000,
      0.000001,
      -5.5e-9,
      Number.MAX_VALUE,
      Number.MIN_VALUE,
      0,
      -1,
      0.1,
      1e15,
      1e16,
      9007199254740991,
      {},
      [],
      { a: { b: [{}] } },
      'C:\\users\\u0041',
      '\u0000\ud800 \b\n\t\f\r\u007f\u2028 "q" \u001f',
      { Z: 1, a: 1, é: 2, _: 3, 'A b': 4 },
      'x\\',
      null,
      true,
      ' , : ',
      '😀'
    ]
    for (const value of values)
      expect(await refusal(give(entry(canonicalJson(value)))), canonicalJson(value)).toBeUndefined()
  })

  it('texts stay texts: none of them is run', async () => {
    const evil = [
      `'; drop table fitter.job; --`,
      `%' or true or j.words like '%`,
      `$$; select 1; $$`,
      `\\'; select 1 --`,
      `' union select null --`
    ]
    for (const one of evil) {
      const own = entry(JSON.stringify(one))
      await give(own, {
        kind: one,
        state: one,
        template: one,
        imei: one,
        model: one,
        vehicle: one,
        plate: one,
        customer: one,
        technician: one,
        madeAt: one,
        words: one,
        shown: { vehicle: { id: one }, endedAt: one }
      })
      for (const client of [writer, foreign]) {
        for (const question of [
          { words: [one] },
          { words: [one], nearly: true },
          { customer: one },
          { state: one },
          { since: one, until: one, after: one },
          { holder: one, vehicleId: one, either: { imei: one, plate: one } },
          { group: one, ids: [one], endedSince: one }
        ]) {
          const { rows } = await run(client, 'select id from fitter.list_jobs($1, 100)', [
            JSON.stringify(question)
          ]).catch((error: { code?: string }) => ({ rows: [String(error.code)] }))
          expect(rows.filter((row) => client === foreign && JSON.stringify(row).includes(own.id))).toEqual([])
          expect(rows.filter((row) => typeof row === 'string' && row !== 'FT006')).toEqual([])
        }
      }
    }
    expect((await owner.query("select to_regclass('fitter.job') is not null as is_there")).rows).toEqual([
      { is_there: true }
    ])
  })

  it('clocks and counts of others make no partitions and no order that lasts', async () => {
    const months = async () =>
      (await owner.query("select count(*)::int as n from pg_inherits where inhparent = 'fitter.entry'::regclass"))
        .rows[0].n as number
    const before = await months()
    for (const madeAt of ['9999-12-31T00:00:00Z', '-4000-01-01T00:00:00Z', 'infinity', '1066-10-14', 'never'])
      await give(entry('1'), { madeAt, shown: { endedAt: madeAt }, state: 'done' })
    expect(await months()).toBe(before)
    expect(
      (await owner.query("select count(*)::int as n from fitter.job where made_at > now() + interval '2 days'")).rows
    ).toEqual([{ n: 0 }])
  })
})

describe('What one login may use up', () => {
  it('four connections, and the time that its statements are given', async () => {
    const login = logins.get('Foreign') as ClientConfig
    const more = await Promise.all([1, 2, 3].map(() => server.connect(login)))
    expect(await refusal(server.connect(login))).toBe('53300')
    for (const client of more) await client.end()
    const { rows } = await run(
      foreign,
      "select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle"
    )
    expect(rows).toEqual([{ statement: '30s', lock: '5s', idle: '15s' }])
  })

  it('so much in one day: entries, forks, pictures and offers count', async () => {
    const full = await laptop('East', 'Full')
    const id = randomUUID()
    const [first] = chainOf(id, [note('a')]) as [ReturnType<typeof sealEntry>]
    await append(full, id, [first])
    await owner.query("update fitter.team set most_bytes_a_day = 100000 where name = 'East'")
    const large = chainOf(id, [note('x'.repeat(200_000))], first)
    expect(await refusal(append(full, id, large))).toBe('FT010')
    expect(await refusal(keepPicture(full, randomBytes(150_000)))).toBe('FT010')
    expect(await refusal(append(full, id, chainOf(id, [note('y'.repeat(200_000))])))).toBe('FT010')
    const withdrawals = await Promise.all(
      Array.from({ length: 8 }, () => refusal(run(full, 'select fitter.withdraw_offer($1)', [randomUUID()])))
    )
    expect(withdrawals).toContain('FT010')
    // Another one of the team goes on, and so does this one tomorrow.
    const other = await laptop('East', 'Other')
    const another = randomUUID()
    expect(await append(other, another, chainOf(another, [note('a')]))).toEqual(['1 added'])
    await owner.query("update fitter.team set most_bytes_a_day = 1000000 where name = 'East'")
    expect(await append(full, id, large)).toEqual(['2 added'])
    await owner.query("update fitter.laptop set given_bytes = 900000 where name = 'Full'")
    expect(await refusal(append(full, id, chainOf(id, [note('z'.repeat(200_000))], large[0])))).toBe('FT010')
    await owner.query("update fitter.laptop set given_on = given_on - 1 where name = 'Full'")
    expect(await append(full, id, chainOf(id, [note('z'.repeat(200_000))], large[0]))).toEqual(['3 added'])
  })

  it('ten thousand entries of forks in a job, and none of the room of a colleague; what is not kept is refused aloud', async () => {
    const id = randomUUID()
    const log = chainOf(
      id,
      Array.from({ length: 2_000 }, (_, n) => note(n))
    )
    const fork = (name: string) =>
      chainOf(
        id,
        Array.from({ length: 2_000 }, (_, m) => note(`${name} ${String(m)}`))
      )
    await append(writer, id, log.slice(0, 1))
    for (let n = 0; n < 5; n++) expect((await append(writer, id, fork(String(n)))).at(-1)).toBe('2000 fork')
    // Given again it is there.
    expect((await append(writer, id, fork('0'))).at(-1)).toBe('2000 fork')
    expect(await refusal(append(writer, id, fork('one more')))).toBe('FT012')
    expect(await appendJobs(writer, [{ id, entries: fork('one more').slice(0, 5) }])).toEqual(['1 refused FT012'])
    expect(
      await refusal(
        writer.query('select fitter.keep_fork($1, $2, $3)', [
          id,
          fork('one more').map(textOf),
          fork('one more').map(({ hash }) => hash)
        ])
      )
    ).toBe('FT012')
    const colleague = await laptop('North', 'Colleague with a fork')
    expect((await append(colleague, id, fork('colleague'))).at(-1)).toBe('2000 fork')
    const { rows } = await owner.query('select count(*)::int as n from fitter.fork where job_id = $1', [id])
    expect(rows[0].n).toBe(12_000)
  })

  it('no lock that others need: neither those of the schema nor those of a new month', async () => {
    await run(foreign, 'begin')
    await run(foreign, "select pg_advisory_lock(4211608), pg_advisory_lock(hashtext('fitter.entry_200101'))")
    await run(foreign, 'select * from fitter.entry')
    expect(await raiseSchema(owner)).toBe(0)
    await owner.query("set lock_timeout = '2s'")
    await owner.query('select fitter.keep_month($1)', ['2001-01-01'])
    await owner.query('reset lock_timeout')
    await run(foreign, 'rollback')
    await run(foreign, 'select pg_advisory_unlock_all()')
  })

  it('the months of a year are there before anybody pushes: whoever pushes first keeps no other team waiting', async () => {
    await owner.query('create database fresh')
    const own = await server.connect({ ...server.owner, database: 'fresh' })
    open.push(own)
    await raiseSchema(own)
    const first = async (team: string) =>
      server.connect({ ...(await invited(server, own, { team, name: 'First' })), database: 'fresh' })
    const [slow, other] = [await first('South'), await first('North')] as const
    open.push(slow, other)
    await run(slow, 'begin')
    await append(slow, 'job-1', chainOf('job-1', [note('a')]))
    expect(await append(other, 'job-2', chainOf('job-2', [note('a')]))).toEqual(['1 added'])
    await run(slow, 'rollback')
    const { rows } = await own.query(
      "select to_regclass('fitter.entry_' || to_char(now() at time zone 'UTC' + n * interval '1 month', 'YYYYMM')) is not null as there from generate_series(0, 12) n"
    )
    expect(rows).toEqual(Array(13).fill({ there: true }))
  })
})

describe('A login that is taken back', () => {
  it('reads nothing and gives nothing from then on, also over a connection that was open', async () => {
    const taken = await laptop('North', 'Taken back')
    const id = randomUUID()
    await append(taken, id, chainOf(id, [note('a')]))
    await owner.query("update fitter.laptop set left_at = now() where name = 'Taken back'")
    expect(await refusal(append(taken, id, chainOf(id, [note('a'), note('b')])))).toBe('FT001')
    expect((await run(taken, 'select * from fitter.job')).rows).toEqual([])
    expect((await run(taken, "select * from fitter.list_jobs('{}', 10)")).rows).toEqual([])
    const login = logins.get('Taken back') as ClientConfig
    await owner.query(`alter role ${String(login.user)} nologin`)
    expect(await refusal(server.connect(login))).toBe('28000')
  })

  it('may give itself another password, and shuts out nobody but itself', async () => {
    const own = await laptop('North', 'Own password')
    await run(own, `alter role current_user password 'another-password'`)
    expect(await refusal(server.connect(logins.get('Own password') as ClientConfig))).toBe('28P01')
  })
})
