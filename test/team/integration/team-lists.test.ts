import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Client } from 'pg'
import { canonicalJson } from '../../../main/data/store/jobs/seal.ts'
import { createSecrets } from '../../../main/base/secrets/keychain.ts'
import { inviteLaptop, makeTeam } from '../../../main/team/admin/members.ts'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import { createTeam, type Team } from '../../../main/team/team.ts'
import type { JobSummary } from '../../../preload/contract/job/jobs.ts'
import { summaryOf } from '../../world/data/jobSummary.ts'
import { openTestStore } from '../../world/data/storedJobs.ts'
import { tempFolder } from '../../world/tempFolder.ts'
import { startPostgres, type PostgresServer } from '../../world/team/postgres/postgresServer.ts'

let server: PostgresServer
let owner: Client
const signal = new AbortController().signal

beforeAll(async () => {
  server = await startPostgres()
  owner = await server.connect()
  await raiseSchema(owner)
}, 180_000)
afterAll(async () => {
  await owner?.end()
  await server?.remove()
})

async function laptop(teamName: string, name: string) {
  await makeTeam(owner, teamName)
  const { login, password } = await inviteLaptop(owner, { team: teamName, name, mayWrite: true })
  const store = openTestStore(tempFolder())
  const team = createTeam({
    store,
    secrets: createSecrets({ inMemory: true }),
    limits: { connectMs: 5_000, queryMs: 5_000 }
  })
  await team.join({
    team: teamName,
    name,
    server: { host: '127.0.0.1', port: server.port, database: 'postgres', user: login, authority: null },
    password
  })
  const put = (id: string, more: Partial<JobSummary> = {}, times = 1) => {
    for (let n = 0; n < times; n++)
      store.jobs.append(
        id,
        [
          { type: 'evidence', stepId: 'ignition', data: { text: `entry ${String(n)}` }, at: '2026-03-01T10:00:00.000Z' }
        ],
        () => summaryOf(id, more)
      )
  }
  return { store, team, put, login, password }
}

const counts = {
  waiting: 0,
  running: 0,
  pass: 3,
  sent: 0,
  warn: 0,
  fail: 0,
  unreadable: 0,
  waived: 0,
  deferred: 0,
  notApplicable: 0
}
const found = async (team: Team, request: Partial<Parameters<Team['jobs']>[0]>) =>
  (await team.jobs({ limit: 50, ...request })).jobs.map(({ id }) => id)

it('lists are narrowed by how a job stands, whose it is, what it is about and when it was made or ended', async () => {
  const { team, put } = await laptop('Groups', 'Laptop 1')
  const other = await laptop('Groups', 'Laptop 2')
  put('fresh', {
    state: 'draft',
    createdAt: '2026-03-01T08:00:00.000Z',
    customer: 'Customer One',
    technician: 'Technician One'
  })
  put('stuck', {
    state: 'running',
    counts: { ...counts, fail: 1 },
    createdAt: '2026-03-01T08:01:00.000Z',
    device: { imei: '867698040023098', model: 'FM', address: '' }
  })
  put('waits', {
    state: 'installedAwaitingGateway',
    createdAt: '2026-03-01T08:02:00.000Z',
    vehicle: { id: 31, name: 'Unit 0031', plate: 'KRT428' }
  })
  put('whole', { state: 'done', counts, createdAt: '2026-03-01T08:03:00.000Z', updatedAt: '2026-03-02T09:00:00.000Z' })
  put('partly', {
    state: 'done',
    counts: { ...counts, waived: 2 },
    createdAt: '2026-03-01T08:04:00.000Z',
    updatedAt: '2026-03-03T09:00:00.000Z'
  })
  await team.push(signal)
  other.put('theirs', {
    state: 'cancelled',
    createdAt: '2026-03-01T08:05:00.000Z',
    updatedAt: '2026-03-03T10:00:00.000Z'
  })
  await other.team.push(signal)

  expect(await found(team, {})).toEqual(['theirs', 'partly', 'whole', 'waits', 'stuck', 'fresh'])
  expect(await found(team, { group: 'inWork' })).toEqual(['stuck', 'fresh'])
  expect(await found(team, { group: 'needHelp' })).toEqual(['stuck'])
  expect(await found(team, { group: 'waiting' })).toEqual(['waits'])
  expect(await found(team, { group: 'ended' })).toEqual(['theirs', 'partly', 'whole'])
  expect(await found(team, { group: 'skipped' })).toEqual(['partly'])
  expect(await found(team, { technician: 'Technician One', customer: 'Customer One' })).toContain('fresh')
  expect(await found(team, { imei: '867698040023098' })).toEqual(['stuck'])
  expect(await found(team, { vehicleId: 31 })).toEqual(['waits'])
  expect(await found(team, { plate: 'KRT428' })).toEqual(['waits'])
  expect(await found(team, { either: { imei: '867698040023098', vehicleId: 31 } })).toEqual(['waits', 'stuck'])
  expect(await found(team, { either: {} })).toEqual([])
  expect(await found(team, { holder: 'Laptop 2' })).toEqual(['theirs'])
  expect(await found(team, { mine: true, open: true })).toEqual(['waits', 'stuck', 'fresh'])
  expect(await found(team, { ids: ['fresh', 'theirs'] })).toEqual(['theirs', 'fresh'])
  expect(await found(team, { endedSince: '2026-03-03T00:00:00.000Z' })).toEqual([
    'theirs',
    'partly',
    'waits',
    'stuck',
    'fresh'
  ])
  expect(
    await found(team, {
      endedSince: '2026-03-02T00:00:00.000Z',
      endedUntil: '2026-03-03T00:00:00.000Z',
      group: 'ended'
    })
  ).toEqual(['whole'])
  expect(await found(team, { since: '2026-03-01T08:01:00.000Z', until: '2026-03-01T08:03:00.000Z' })).toEqual([
    'waits',
    'stuck'
  ])
  const page = await team.jobs({ limit: 2 })
  expect(await found(team, { limit: 2, after: page.next ?? '' })).toEqual(['whole', 'waits'])
  const [theirs] = (await team.jobs({ limit: 1 })).jobs
  expect(theirs).toMatchObject({
    holder: 'Laptop 2',
    isMine: false,
    needsHelp: false,
    endedAt: '2026-03-03T10:00:00.000Z',
    keptAt: null
  })
  expect((await team.jobs({ group: 'needHelp', limit: 1 })).jobs).toMatchObject([
    { isMine: true, needsHelp: true, endedAt: null }
  ])
})

it('the work of the team is counted: what is open however old, and what ended today', async () => {
  const { team, put } = await laptop('Counted', 'Laptop 1')
  const now = Date.now()
  const at = (hoursAgo: number) => new Date(now - hoursAgo * 3_600_000).toISOString()
  put('old-and-open', {
    state: 'draft',
    createdAt: at(9_000),
    updatedAt: at(9_000),
    customer: 'Customer One',
    technician: 'Technician One'
  })
  put('stuck', {
    state: 'running',
    counts: { ...counts, unreadable: 1, waived: 1 },
    updatedAt: at(1),
    customer: 'Customer One',
    technician: 'Technician Two'
  })
  put('waits', {
    state: 'installedAwaitingGateway',
    updatedAt: at(30),
    customer: 'Customer Two',
    technician: 'Technician One'
  })
  put('done', { state: 'done', updatedAt: at(1), customer: 'Customer One', technician: 'Technician One' })
  put('cancelled', { state: 'cancelled', updatedAt: at(2), customer: 'Customer One' })
  put('yesterday', { state: 'done', updatedAt: at(30), customer: 'Customer One' })
  await team.push(signal)
  const asked = { since: at(12), monthSince: at(500) }
  expect(await team.counts(asked)).toEqual({
    all: 5,
    needHelp: 1,
    inWork: 2,
    waiting: 1,
    skipped: 1,
    ended: 2,
    assigned: 0,
    technicianCount: 2,
    technicians: [
      { technician: 'Technician One', jobs: 3 },
      { technician: 'Technician Two', jobs: 1 }
    ],
    customers: [
      { customer: 'Customer One', done: 1, of: 4, late: 0 },
      { customer: 'Customer Two', done: 0, of: 1, late: 0 }
    ],
    firstTimeRightPercent: null
  })
  expect(await team.counts({ ...asked, technician: 'Technician Two' })).toMatchObject({
    all: 1,
    needHelp: 1,
    ended: 0,
    technicianCount: 1
  })
  await owner.query(
    "update fitter.job set shown = shown || jsonb_build_object('isFirstTime', id = 'done') where id in ('done', 'cancelled', 'yesterday')"
  )
  expect((await team.counts(asked)).firstTimeRightPercent).toBe(33)
})

it('words with typing errors are found, the nearest ones alone, page after page, and only in the own team', async () => {
  const { team, put } = await laptop('Words', 'Laptop 1')
  const strange = await laptop('Other words', 'Laptop 1')
  strange.put('strange', { customer: 'Transportes Rio Norte' })
  await strange.team.push(signal)
  for (const n of [1, 2, 3])
    put(`north${String(n)}`, {
      customer: 'Transportes Río Norte',
      technician: 'Technician One',
      vehicle: { id: n, name: `Unit 003${String(n)}`, plate: `KRT42${String(n)}` },
      createdAt: `2026-03-01T08:0${String(n)}:00.000Z`
    })
  put('valley', {
    customer: 'Frutas del Valle',
    technician: 'Technician Two',
    device: { imei: '867698040099999', model: 'FM', address: '' },
    createdAt: '2026-03-01T09:00:00.000Z'
  })
  await team.push(signal)

  const search = async (text: string) => {
    const { jobs, isSimilar } = await team.jobs({ search: text, limit: 50 })
    return { ids: jobs.map(({ id }) => id), isSimilar }
  }
  const north = ['north3', 'north2', 'north1']
  expect(await search('rio norte')).toEqual({ ids: north, isSimilar: false })
  for (const typo of ['trasnportes', 'tranportes', 'transprtes', 'Transportez', 'norre', 'transportes notre'])
    expect(await search(typo), typo).toEqual({ ids: north, isSimilar: true })
  for (const typo of ['frvtas', 'vallle', 'frutsa valle'])
    expect(await search(typo), typo).toEqual({ ids: ['valley'], isSimilar: true })
  expect(await search('krt422')).toEqual({ ids: ['north2'], isSimilar: false })
  // A digit that is wrong, exchanged with its neighbour, missing, or one too many.
  for (const typo of [
    '867698040099989',
    '867698040909999',
    '86769840099999',
    '8676980400999999',
    'krv421',
    'rkt421',
    'kt421'
  ]) {
    expect(await search(typo), typo).toEqual({ ids: [typo.startsWith('8') ? 'valley' : 'north1'], isSimilar: true })
  }
  expect(await search('xyzzyx')).toEqual({ ids: [], isSimilar: false })
  expect((await search('%')).isSimilar).toBe(false)
  const first = await team.jobs({ search: 'trasnportes', limit: 2 })
  expect(await found(team, { search: 'trasnportes', limit: 2, after: first.next ?? '' })).toEqual(['north1'])
})

it('what was corrected is found as it is now, and no longer as it was', async () => {
  const { team, put } = await laptop('Corrected', 'Laptop 1')
  const wrong = { imei: '867698040011111', model: 'FM', address: '' }
  put('job', { device: wrong, customer: 'Customer One', vehicle: { id: 7, name: 'Unit 0007', plate: 'KRT428' } })
  await team.push(signal)
  expect(await found(team, { search: '0011111' })).toEqual(['job'])
  put('job', {
    device: { ...wrong, imei: '867698040022222' },
    customer: 'Transportes',
    vehicle: { id: 8, name: 'Unit 0008', plate: 'KRT429' },
    state: 'running',
    counts: { ...counts, fail: 1 }
  })
  await team.push(signal)
  for (const now of ['0022222', '867698040022222', 'transportes', 'krt429', '0008'])
    expect(await found(team, { search: now }), now).toEqual(['job'])
  for (const before of ['0011111', 'customer', 'krt428', '867698040011111'])
    expect(
      (await team.jobs({ search: before, limit: 50 })).jobs.length === 0 ||
        (await team.jobs({ search: before, limit: 50 })).isSimilar,
      before
    ).toBe(true)
  expect(
    await found(team, {
      group: 'needHelp',
      vehicleId: 8,
      imei: '867698040022222',
      plate: 'KRT429',
      customer: 'Transportes',
      mine: true
    })
  ).toEqual(['job'])
  expect(await found(team, { imei: wrong.imei })).toEqual([])
})

it('a summary that makes no sense breaks no list, and a clock that is years off leaves it in order', async () => {
  const { team, put, login, password } = await laptop('Odd', 'Laptop 1')
  put('usual', {})
  await team.push(signal)
  const plain = await server.connect({ ...server.owner, user: login, password })
  const { createHash } = await import('node:crypto')
  const sha = (text: string) => createHash('sha256').update(text).digest('hex')
  const odd = [
    {
      made: '-infinity',
      shown: { counts: { fail: 'many', waived: 1e300, unreadable: -5 }, vehicle: 7, endedAt: 'never', isFirstTime: 'x' }
    },
    { made: 'infinity', shown: { counts: [1, 2], vehicle: { id: { a: 1 } }, endedAt: 'infinity' } },
    { made: '294000-01-01', shown: { counts: null, endedAt: '-infinity', updatedAt: '0044-03-15 BC' } },
    { made: '', shown: 'text' }
  ]
  for (const [n, { made, shown }] of odd.entries()) {
    const id = `odd-${String(n)}`
    const text = canonicalJson({ seq: 1, at: '2026-03-01T10:00:00.000Z', type: 'jobCreated', stepId: null, data: null })
    await plain.query('select fitter.append($1, $2, $3)', [
      JSON.stringify({ id, kind: 'x', state: 'done', madeAt: made, shown, words: ' odd ' }),
      [text],
      [sha(sha(id) + text)]
    ])
  }
  await plain.end()
  expect((await found(team, {})).sort()).toEqual(['odd-0', 'odd-1', 'odd-2', 'odd-3', 'usual'])
  expect(await found(team, { group: 'skipped' })).toEqual(['odd-0'])
  expect(
    (await team.jobs({ search: 'odd', limit: 50 })).jobs.every(
      ({ createdAt, endedAt }) => Date.parse(createdAt) > 0 && Date.parse(endedAt ?? '') > 0
    )
  ).toBe(true)
})

it('what only old jobs have, or many, or one, is found without going through all jobs, wherever it stands in a number', async () => {
  const { login, password } = await laptop('Grown', 'Laptop 1')
  const jobs = Array.from({ length: 3_000 }, (_, n) => ({
    id: `01M8${String(n).padStart(6, '0')}ABCDEFGHJKMNPQRS`,
    imei: String(350_000_000_000_000 + n * 791_903),
    words: `unit ${String(n % 900).padStart(4, '0')} ${n < 70 ? 'transportes' : 'frutas'}`
  }))
  await owner.query(
    `insert into fitter.job (team_id, id, head_seq, head_hash, state, imei, made_at, shown, words)
     select t.id, row.id, 1, '', 'done', row.imei, '2024-01-01'::timestamptz + row.n * interval '1 minute', '{}', ' ' || row.words || ' ' || row.imei || ' ' || lower(row.id) || ' '
     from fitter.team t, rows from (jsonb_to_recordset($1) as (id text, imei text, words text)) with ordinality as row (id, imei, words, n) where t.name = 'Grown'`,
    [JSON.stringify(jobs)]
  )
  await owner.query('vacuum analyze fitter.listed')
  const plain = await server.connect({ ...server.owner, user: login, password })
  // A table as small as this one the server rather reads whole.
  await plain.query('set enable_seqscan = off')
  const newest = jobs.toReversed()
  const lookedAt = async () =>
    Number(
      (
        await plain.query<{ n: string }>(
          "select seq_tup_read + idx_tup_fetch as n from pg_stat_xact_user_tables where schemaname = 'fitter' and relname = 'listed'"
        )
      ).rows[0]?.n
    )
  const ask = async (words: string[], after?: string) => {
    await plain.query('begin')
    const before = await lookedAt()
    const { rows } = await plain.query<{ id: string }>('select id from fitter.list_jobs($1, 51)', [
      JSON.stringify({ words, ...(after === undefined ? {} : { after }) })
    ])
    const looked = (await lookedAt()) - before
    await plain.query('commit')
    return { ids: rows.map(({ id }) => id), looked }
  }
  const expected = (words: string[]) =>
    newest
      .filter((job) =>
        words.every(
          (word) =>
            job.imei.includes(word) ||
            ` ${job.words} `.includes(word) ||
            (/[a-z]/.test(word) && job.id.toLowerCase().startsWith(word))
        )
      )
      .map(({ id }) => id)
  const one = jobs[77]?.imei ?? ''
  // Only the oldest, a few of all, one, none; beginnings, middles and ends of numbers; ids.
  for (const words of [
    ['3500000'],
    ['transportes'],
    ['00000'],
    [one.slice(-4)],
    [one],
    [one.slice(-7)],
    [one.slice(-6, -1)],
    ['transportes', '0077'],
    ['3333'],
    ['12345678'],
    ['01m8000012'],
    ['01m8000012abcdefghjkmnpqrs']
  ]) {
    const { ids, looked } = await ask(words)
    expect([words, ids]).toEqual([words, expected(words).slice(0, 51)])
    expect([words, looked < 300], String(looked)).toEqual([words, true])
    if (ids.length === 51)
      expect([words, (await ask(words, ids.at(-1))).ids]).toEqual([words, expected(words).slice(51, 102)])
  }
  // What many have is found among the newest.
  for (const words of [['frutas'], ['35'], ['frutas', '35000']]) {
    const { ids, looked } = await ask(words)
    expect([words, ids]).toEqual([words, expected(words).slice(0, 51)])
    expect([words, looked < 200], String(looked)).toEqual([words, true])
  }
  await plain.end()
})
