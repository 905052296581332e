import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fileOf } from '../../../main/data/store/jobs/attachmentFiles.ts'
import { attachmentsFolderName } from '../../../main/data/store/file/fileNames.ts'
import { openStore, type Store } from '../../../main/data/store/index.ts'
import { createSecrets } from '../../../main/base/secrets/keychain.ts'
import { readJoinFile, writeJoinFile, type Joining } from '../../../main/team/server/joinFile.ts'
import { inviteLaptop, makeTeam } from '../../../main/team/admin/members.ts'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import { readServerAddress, withServer, type TeamServer } from '../../../main/team/server/server.ts'
import { createTeam } from '../../../main/team/team.ts'
import { openServerProxy } from '../../world/team/postgres/serverProxy.ts'
import { appendEntry, openTestStore } from '../../world/data/storedJobs.ts'
import { tempFolder } from '../../world/tempFolder.ts'
import { issue, makeAuthority } from '../../world/gateway/testCertificates.ts'
import { startPostgres, type PostgresServer } from '../../world/team/postgres/postgresServer.ts'

let server: PostgresServer
const signal = new AbortController().signal
const limits = { connectMs: 5_000, queryMs: 5_000 }

beforeAll(async () => {
  server = await startPostgres()
  const owner = await server.connect()
  await raiseSchema(owner)
  await makeTeam(owner, 'North')
  await owner.end()
}, 180_000)
afterAll(() => server?.remove())

async function invited(name: string, mayWrite = true, team = 'North'): Promise<Joining> {
  const owner = await server.connect()
  await makeTeam(owner, team)
  const { login, password } = await inviteLaptop(owner, { team, name, mayWrite })
  await owner.end()
  return readJoinFile(
    writeJoinFile({
      team,
      name,
      server: { host: '127.0.0.1', port: server.port, database: 'postgres', user: login, authority: null },
      password
    })
  )
}

const teamOf = (store: Store) => createTeam({ store, secrets: createSecrets({ inMemory: true }), limits })
const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error as { sentence: { id: string } }).sentence.id
  )

async function entriesThere(jobId: string): Promise<string[]> {
  const owner = await server.connect()
  const { rows } = await owner.query<{ hash: string }>('select hash from fitter.entry where job_id = $1 order by seq', [
    jobId
  ])
  await owner.end()
  return rows.map(({ hash }) => hash)
}
const entriesHere = (store: Store, jobId: string) => store.jobs.journal(jobId).map(({ hash }) => hash)

it('a laptop that worked alone joins, and all of its logs are there, once', async () => {
  const store = openTestStore(tempFolder())
  for (let n = 0; n < 700; n++) appendEntry(store, 'many', `entry ${String(n)}`)
  appendEntry(store, 'few', 'first')
  const team = teamOf(store)
  expect(await team.join(await invited('Laptop 1'))).toMatchObject({
    joined: { team: 'North', name: 'Laptop 1' },
    waiting: 2,
    pushedAt: null
  })
  expect(await team.push(signal)).toEqual({ jobs: 2, entries: 701, pictures: 0, stopped: 0 })
  expect(await entriesThere('many')).toEqual(entriesHere(store, 'many'))
  expect(team.status()).toMatchObject({ waiting: 0, forks: 0 })
  appendEntry(store, 'few', 'second')
  expect(team.status().waiting).toBe(1)
  expect(await team.push(signal)).toEqual({ jobs: 1, entries: 1, pictures: 0, stopped: 0 })
  expect(await team.push(signal)).toEqual({ jobs: 0, entries: 0, pictures: 0, stopped: 0 })
})

it('an acknowledgement that was lost doubles nothing', async () => {
  const store = openTestStore(tempFolder())
  appendEntry(store, 'lost', 'first')
  const team = teamOf(store)
  await team.join(await invited('Laptop 2'))
  await team.push(signal)
  store.teamPush.acknowledge('lost', { seq: 0, hash: '' })
  appendEntry(store, 'lost', 'second')
  store.teamPush.acknowledge('lost', { seq: 0, hash: '' })
  await team.push(signal)
  expect(await entriesThere('lost')).toEqual(entriesHere(store, 'lost'))
})

it('a server that crashes between and is older than what it acknowledged gets what it lost', async () => {
  const store = openTestStore(tempFolder())
  for (const text of ['first', 'second', 'third']) appendEntry(store, 'back', text)
  const team = teamOf(store)
  await team.join(await invited('Laptop 3'))
  await team.push(signal)
  const owner = await server.connect()
  await owner.query("delete from fitter.entry where job_id = 'back' and seq > 1")
  await owner.query(
    "update fitter.job j set head_seq = 1, head_hash = e.hash from fitter.entry e where j.id = 'back' and e.job_id = 'back' and e.seq = 1"
  )
  await owner.end()
  await server.stop('immediate')
  appendEntry(store, 'back', 'fourth')
  expect(await failure(team.push(signal))).toBe('team.away')
  expect(team.status().waiting).toBe(1)
  await server.start()
  await team.push(signal)
  expect(await entriesThere('back')).toEqual(entriesHere(store, 'back'))
})

it('what a server that was set back lacks is given again, also of jobs to which nothing is added', async () => {
  const store = openTestStore(tempFolder())
  const team = teamOf(store)
  await team.join(await invited('Laptop 7'))
  for (const job of ['old', 'whole', 'short', 'gone'])
    for (const text of ['first', 'second']) appendEntry(store, job, text)
  await team.push(signal)
  const owner = await server.connect()
  await owner.query("delete from fitter.entry where job_id = 'gone' or (job_id = 'short' and seq = 2)")
  await owner.query("delete from fitter.job where id = 'gone'")
  await owner.query(
    "update fitter.job j set head_seq = 1, head_hash = e.hash from fitter.entry e where j.id = 'short' and e.job_id = 'short' and e.seq = 1"
  )
  await owner.end()
  expect(team.status().waiting).toBe(0)
  expect(await team.push(signal)).toMatchObject({ jobs: 2, entries: 3, stopped: 0 })
  for (const job of ['old', 'whole', 'short', 'gone']) expect(await entriesThere(job)).toEqual(entriesHere(store, job))
  expect(await team.push(signal)).toMatchObject({ jobs: 0, entries: 0 })
})

it('a laptop that was set back to an older copy and went on is a fork, which is told and pushed no further', async () => {
  const joining = await invited('Laptop 4')
  const folder = tempFolder()
  const store = openTestStore(folder)
  appendEntry(store, 'forked', 'first')
  const copy = join(tempFolder(), 'copy.db')
  const team = teamOf(store)
  await team.join(joining)
  await store.backup(copy)
  appendEntry(store, 'forked', 'second')
  await team.push(signal)
  const older = tempFolder()
  const { restoreData } = await import('../../../main/data/store/backups/copies.ts')
  await restoreData(older, copy, new Date(), {})
  const again = openStore(older)
  again.teamPush.setMembership(store.teamPush.membership())
  const secrets = createSecrets({ inMemory: true })
  const setBack = createTeam({ store: again, secrets, given: joining.password, limits })
  expect(await setBack.push(signal)).toMatchObject({ stopped: 0 })
  appendEntry(again, 'forked', 'another')
  expect(await setBack.push(signal)).toMatchObject({ stopped: 1 })
  expect(setBack.status()).toMatchObject({
    forks: 1,
    waiting: 0,
    stopped: [{ jobId: 'forked', why: { id: 'team.fork' } }]
  })
  expect(await entriesThere('forked')).toEqual(entriesHere(store, 'forked'))
  again.close()
})

it('two pushes at once, as where a job is taken while work goes by itself, call nothing damaged', async () => {
  const store = openTestStore(tempFolder())
  for (let n = 0; n < 40; n++) appendEntry(store, `at-once-${String(n)}`, 'first')
  const joining = await invited('Laptop that pushes twice at once')
  const one = teamOf(store)
  await one.join(joining)
  const other = createTeam({ store, secrets: createSecrets({ inMemory: true }), given: joining.password, limits })
  await Promise.all([one.push(signal), other.push(signal)])
  expect(one.status()).toMatchObject({ waiting: 0, stopped: [] })
  expect(await entriesThere('at-once-39')).toEqual(entriesHere(store, 'at-once-39'))
})

it('an invitation that another data folder uses is refused, and nothing is kept of it', async () => {
  const joining = await invited('Laptop 5')
  await teamOf(openTestStore(tempFolder())).join(joining)
  const other = teamOf(openTestStore(tempFolder()))
  expect(await failure(other.join(joining))).toBe('team.joinedElsewhere')
  expect(other.status().joined).toBeNull()
})

it('what is pushed while another team is joined counts for the earlier team alone', async () => {
  const store = openTestStore(tempFolder())
  appendEntry(store, 'between', 'first')
  const secrets = createSecrets({ inMemory: true })
  let whileJoining: (() => Promise<void>) | undefined
  const team = createTeam({
    store,
    secrets: {
      ...secrets,
      set: async (name, value) => {
        await secrets.set(name, value)
        await whileJoining?.()
      }
    },
    limits: { connectMs: 20_000, queryMs: 60_000 }
  })
  await team.join(await invited('Laptop that joins another team'))
  const south = await invited('Laptop of the south', true, 'South')
  const [keeper, observer] = [await server.connect(), await server.connect()]
  await keeper.query('begin')
  await keeper.query('lock table fitter.job in share row exclusive mode')
  let pushing: Promise<string | undefined> = Promise.resolve(undefined)
  whileJoining = async () => {
    pushing = failure(team.push(signal))
    await expect
      .poll(
        async () =>
          (
            await observer.query(
              "select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%append_jobs%'"
            )
          ).rowCount,
        { timeout: 45_000 }
      )
      .toBe(1)
  }
  await team.join(south)
  whileJoining = undefined
  await keeper.query('commit')
  expect(await pushing).toBe('team.stopped')
  expect(team.status()).toMatchObject({ joined: { team: 'South' }, waiting: 1 })
  expect(await team.push(signal)).toMatchObject({ jobs: 1, entries: 1 })
  const { rows } = await keeper.query(
    "select from fitter.job j join fitter.team t on t.id = j.team_id where t.name = 'South' and j.id = 'between'"
  )
  expect(rows).toHaveLength(1)
  await keeper.end()
  await observer.end()
}, 180_000)

it('of two invitations asked one after the other the last one counts, however long the first one takes', async () => {
  const team = teamOf(openTestStore(tempFolder()))
  const way = await openServerProxy(server.port)
  way.delay(100)
  const slow = await invited('Slow invitation')
  const quick = await invited('Quick invitation')
  await Promise.all([team.join({ ...slow, server: { ...slow.server, port: way.port } }), team.join(quick)])
  expect(team.status().joined?.name).toBe('Quick invitation')
  await way.close()
})

it('a picture that is damaged on this disk keeps nothing else from the team log', async () => {
  const folder = tempFolder()
  const store = openTestStore(folder)
  appendEntry(store, 'pictured', 'first')
  const [broken, whole] = [Buffer.alloc(9_000, 1), Buffer.alloc(8_000, 2)]
  for (const bytes of [broken, whole])
    store.attachments.keep({
      jobId: 'pictured',
      file: await store.attachments.write(bytes),
      mediaType: 'image/jpeg',
      at: '2026-03-02T10:00:00.000Z'
    })
  const [first] = store.attachments.ofJob('pictured')
  writeFileSync(fileOf(join(folder, attachmentsFolderName), first?.sha256 ?? '') ?? '', Buffer.alloc(9_000, 3))
  const team = teamOf(store)
  await team.join(await invited('Laptop with a damaged picture'))
  expect(await team.push(signal)).toEqual({ jobs: 1, entries: 1, pictures: 1, stopped: 0 })
  expect(await entriesThere('pictured')).toEqual(entriesHere(store, 'pictured'))
})

it('leaving forgets the secret, tells the server where it answers, and what was pushed stays', async () => {
  const store = openTestStore(tempFolder())
  appendEntry(store, 'stays', 'first')
  const team = teamOf(store)
  const joining = await invited('Laptop 6')
  await team.join(joining)
  await team.push(signal)
  expect(await team.leave()).toEqual({ toldServer: true })
  expect(team.status().joined).toBeNull()
  expect(await entriesThere('stays')).toHaveLength(1)
  expect(await failure(team.join(joining))).toBe('team.noRight')
})

it.each<[string, (server: TeamServer) => Partial<TeamServer> & { password?: string }, string]>([
  ['a wrong password', () => ({ password: 'wrong' }), 'team.wrongPassword'],
  ['a database that is not there', () => ({ database: 'nowhere' }), 'team.noDatabase'],
  ['a database without the schema', () => ({ database: 'template1' }), 'team.noSchema'],
  ['a port where nothing listens', () => ({ port: 9 }), 'team.away'],
  ['a host that is not there', () => ({ host: 'nowhere.invalid' }), 'team.away']
])('%s is told in one sentence', async (_, change, sentence) => {
  const joining = await invited(`Laptop of ${sentence} ${String(Math.random())}`)
  const { password = joining.password, ...server } = { ...joining.server, ...change(joining.server) }
  const team = teamOf(openTestStore(tempFolder()))
  expect(await failure(team.join({ ...joining, server, password }))).toBe(sentence)
})

it.each([
  ['postgres://owner:secret@host/db', 'team.passwordInAddress'],
  ['https://owner@host/db', 'team.address'],
  ['postgres://host/db', 'team.address'],
  ['postgres://owner@host', 'team.address'],
  ['', 'team.address']
])('the address %j is refused', (text, sentence) => {
  expect(() => readServerAddress(text)).toThrow(
    expect.objectContaining({ sentence: expect.objectContaining({ id: sentence }) as unknown }) as Error
  )
})

it('only a server that its certificate names is spoken to', async () => {
  const [ours, strange] = [makeAuthority('Company Root'), makeAuthority('Another Root')]
  const wish = { name: 'database', for: ['127.0.0.1'] }
  const certificates = {
    right: issue(wish, ours),
    wrongName: issue({ name: 'database', for: ['192.0.2.1'] }, ours),
    expired: issue({ ...wish, until: new Date('2021-01-01T00:00:00Z') }, ours),
    unknown: issue(wish, strange)
  }
  const outcome: Record<string, string> = {}
  for (const [name, { cert, key }] of Object.entries(certificates)) {
    await server.serveTls({ cert, key })
    const { host, port, user, password, database } = server.owner
    outcome[name] = await withServer(
      { host, port, user, database, authority: ours.cert },
      password,
      async (client) => {
        const { rows } = await client.query<{ ssl: boolean }>(
          'select ssl from pg_stat_ssl where pid = pg_backend_pid()'
        )
        return rows[0]?.ssl ? 'encrypted' : 'plain'
      },
      { limits }
    ).catch((error: { sentence: { id: string } }) => error.sentence.id)
  }
  expect(outcome).toEqual({
    right: 'encrypted',
    wrongName: 'team.certificate',
    expired: 'teamWay.certificateTime',
    unknown: 'team.certificate'
  })
  await server.serveTls(null)
  const { host, port, user, password, database } = server.owner
  expect(
    await failure(
      withServer({ host, port, user, database, authority: ours.cert }, password, () => Promise.resolve(), { limits })
    )
  ).toBe('team.noTls')
}, 180_000)
