import { cpSync } from 'node:fs'
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createSecrets } from '../../../main/base/secrets/keychain.ts'
import { openStore, type Store } from '../../../main/data/store/index.ts'
import { assertGround } from '../../../main/team/server/ground.ts'
import type { Joining } from '../../../main/team/server/joinFile.ts'
import { makeTeam } from '../../../main/team/admin/members.ts'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import { createTeam } from '../../../main/team/team.ts'
import { startPostgres, type PostgresServer } from '../../world/team/postgres/postgresServer.ts'
import { openServerProxy } from '../../world/team/postgres/serverProxy.ts'
import { appendEntry, openTestStore } from '../../world/data/storedJobs.ts'
import { invited } from '../../world/team/teamServer.ts'
import { tempFolder } from '../../world/tempFolder.ts'

let server: PostgresServer
let owner: Client
const signal = new AbortController().signal
const limits = { connectMs: 5_000, queryMs: 5_000 }

beforeAll(async () => {
  server = await startPostgres()
  owner = await server.connect()
  await raiseSchema(owner)
  await makeTeam(owner, 'North')
}, 180_000)
afterAll(async () => {
  await owner?.end()
  await server?.remove()
})

const teamOf = (store: Store) => createTeam({ store, secrets: createSecrets({ inMemory: true }), limits })
const said = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error as { sentence: { id: string } }).sentence.id
  )

async function invitation(name: string, port = server.port): Promise<Joining> {
  const { user, password } = await invited(server, owner, { team: 'North', name })
  return {
    team: 'North',
    name,
    server: { host: '127.0.0.1', port, database: 'postgres', user: String(user), authority: null },
    password: String(password)
  }
}

async function there(jobId: string): Promise<string[]> {
  return (
    await owner.query<{ hash: string }>('select hash from fitter.entry where job_id = $1 order by seq', [jobId])
  ).rows.map(({ hash }) => hash)
}
const here = (store: Store, jobId: string) => store.jobs.journal(jobId).map(({ hash }) => hash)

it('what stands where the team log would is told before anything is changed', async () => {
  const ground = (client: Client) => said(assertGround(client, 'db.example.com'))
  await owner.query('create database other')
  const other = await server.connect({ ...server.owner, database: 'other' })
  expect(await ground(other)).toBe('done')
  await owner.query('alter role fitter_reads login')
  expect(await ground(other)).toBe('teamWay.foreignRole')
  await owner.query('alter role fitter_reads nologin')
  await other.query('create schema fitter')
  await other.query('create table fitter.migration (id int)')
  expect(await ground(other)).toBe('teamWay.foreignSchema')
  await other.end()
  expect(await ground(owner)).toBe('done')
  // No server without the modules comes with the tests: its answer alone is made up.
  const without = {
    query: () =>
      Promise.resolve({ rows: [{ has_words: false, has_schema: false, is_ours: false, foreign_role: null }] })
  } as unknown as Client
  expect(await ground(without)).toBe('teamWay.noWords')
})

it('a server that goes away in the middle of a batch keeps whole batches, and the job at hand goes on meanwhile', async () => {
  const way = await openServerProxy(server.port)
  const store = openTestStore(tempFolder())
  for (let n = 0; n < 1_200; n++) appendEntry(store, 'cut', `entry ${String(n)} ${'x'.repeat(200)}`)
  const team = teamOf(store)
  await team.join(await invitation('Laptop 1', way.port))
  way.cutAfter(200_000)
  expect(await said(team.push(signal))).toBe('team.away')
  const kept = await there('cut')
  expect(kept.length).toBeLessThan(1_200)
  expect(kept).toEqual(here(store, 'cut').slice(0, kept.length))
  way.silence()
  const pushing = said(
    createTeam({
      store,
      secrets: createSecrets({ inMemory: true }),
      given: 'x',
      limits: { connectMs: 300, queryMs: 300 }
    }).push(signal)
  )
  for (let n = 0; n < 20; n++) appendEntry(store, 'cut', `meanwhile ${String(n)}`)
  expect(await pushing).toBe('team.late')
  expect(team.status()).toMatchObject({ waiting: 1, forks: 0, stopped: [] })
  way.mend()
  await team.push(signal)
  expect(await there('cut')).toEqual(here(store, 'cut'))
  expect(here(store, 'cut')).toHaveLength(1_220)
  await way.close()
})

it('a clock that is decades off decides nothing: all of it arrives, and lists stay in order', async () => {
  const team = await (async () => {
    const store = openTestStore(tempFolder())
    for (const [id, at] of [
      ['clock-past', '1970-01-01T00:00:00.000Z'],
      ['clock-future', '2099-12-31T00:00:00.000Z']
    ] as const) {
      appendEntry(store, id, 'first', { createdAt: at, updatedAt: at, customer: 'Clock' })
    }
    const own = teamOf(store)
    await own.join(await invitation('Laptop 2'))
    await own.push(signal)
    return own
  })()
  const { jobs } = await team.jobs({ customer: 'Clock', limit: 10 })
  expect(jobs.map(({ id }) => id)).toEqual(['clock-future', 'clock-past'])
  const rows = await owner.query<{ made_at: Date }>(
    "select made_at from fitter.job where id like 'clock-%' and (made_at > now() + interval '2 days' or made_at < '2000-01-01')"
  )
  expect(rows.rows).toEqual([])
})

it('the same folder joins twice and stays one laptop; a copy of it on another laptop is found out by its first own entry', async () => {
  const folder = tempFolder()
  const store = openStore(folder)
  appendEntry(store, 'copied', 'first')
  const team = teamOf(store)
  const joining = await invitation('Laptop 3')
  await team.join(joining)
  await team.push(signal)
  await team.join(joining)
  expect(await team.push(signal)).toMatchObject({ stopped: 0 })
  expect(team.status()).toMatchObject({ waiting: 0, forks: 0 })
  store.close()
  const copy = tempFolder()
  cpSync(folder, copy, { recursive: true })
  const [mine, theirs] = [openStore(folder), openStore(copy)]
  onTestFinished(() => [mine, theirs].forEach((one) => one.close()))
  const [first, second] = [mine, theirs].map((one) =>
    createTeam({ store: one, secrets: createSecrets({ inMemory: true }), given: joining.password, limits })
  ) as [ReturnType<typeof createTeam>, ReturnType<typeof createTeam>]
  // What is known already is no fork.
  expect(await second.push(signal)).toMatchObject({ stopped: 0 })
  appendEntry(mine, 'copied', 'mine')
  appendEntry(theirs, 'copied', 'theirs')
  expect(await first.push(signal)).toMatchObject({ stopped: 0 })
  expect(await second.push(signal)).toMatchObject({ stopped: 1 })
  expect(second.status()).toMatchObject({ forks: 1, stopped: [{ jobId: 'copied', why: { id: 'team.fork' } }] })
  expect(await there('copied')).toEqual(here(mine, 'copied'))
  // Nothing of either is lost.
  expect((await owner.query("select from fitter.fork where job_id = 'copied'")).rowCount).toBe(1)
})
