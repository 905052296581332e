import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createSecrets } from '../../../main/base/secrets/keychain.ts'
import { createTeamBackground, type BackgroundParts } from '../../../main/team/background.ts'
import { inviteLaptop, makeTeam } from '../../../main/team/admin/members.ts'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import { createTeam } from '../../../main/team/team.ts'
import type { TeamWork } from '../../../preload/contract/team/team.ts'
import { appendEntry, openTestStore } from '../../world/data/storedJobs.ts'
import { tempFolder } from '../../world/tempFolder.ts'
import { startPostgres, type PostgresServer } from '../../world/team/postgres/postgresServer.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
  const owner = await server.connect()
  await raiseSchema(owner)
  await makeTeam(owner, 'North')
  await owner.end()
}, 180_000)
afterAll(() => server?.remove())

async function joined(parts: Partial<BackgroundParts> = {}) {
  const owner = await server.connect()
  const { login, password } = await inviteLaptop(owner, {
    team: 'North',
    name: `Laptop ${String(Math.random())}`,
    mayWrite: true
  })
  await owner.end()
  const store = openTestStore(tempFolder())
  const team = createTeam({
    store,
    secrets: createSecrets({ inMemory: true }),
    limits: { connectMs: 5_000, queryMs: 5_000 }
  })
  await team.join({
    team: 'North',
    name: '',
    server: { host: '127.0.0.1', port: server.port, database: 'postgres', user: login, authority: null },
    password
  })
  const told: TeamWork[] = []
  const faults: unknown[] = []
  const background = createTeamBackground({
    team,
    changed: (work) => told.push(work),
    reportFault: (error) => faults.push(error),
    gatherMs: 1,
    pausesMs: [20],
    ...parts
  })
  return { store, team, background, told, faults }
}

it('what is written goes to the team log by itself, and goes on by itself after the server was away', async () => {
  const { store, team, background, told, faults } = await joined()
  appendEntry(store, 'live', 'first')
  background.soon()
  await vi.waitFor(() => expect(team.status().waiting).toBe(0), { timeout: 45_000, interval: 5 })
  await server.stop('immediate')
  appendEntry(store, 'live', 'second')
  background.soon()
  await vi.waitFor(() => expect(background.work()).toMatchObject({ waiting: 1, problem: { id: 'team.away' } }), {
    timeout: 45_000,
    interval: 5
  })
  expect(background.work().nextAt).not.toBeNull()
  await server.start()
  await vi.waitFor(
    () => expect(background.work()).toMatchObject({ waiting: 0, problem: null, nextAt: null, isPushing: false }),
    { timeout: 45_000, interval: 5 }
  )
  expect(told.at(-1)).toMatchObject({ waiting: 0, problem: null })
  expect(faults).toEqual([])
  await background.stop()
})

it('while a push takes long, how many wait counts down', async () => {
  const { store, background, told } = await joined({ tellEveryMs: 0 })
  store.together(() => {
    for (let n = 0; n < 100; n++) appendEntry(store, `many-${String(n)}`, 'first')
  })
  await background.pushNow()
  const underWay = told.filter(({ isPushing }) => isPushing).map(({ waiting }) => waiting)
  expect(underWay.length).toBeGreaterThan(1)
  expect(underWay).toEqual(underWay.toSorted((a, b) => b - a))
  expect(underWay[0]).toBeLessThan(100)
  expect(told.at(-1)).toMatchObject({ waiting: 0, isPushing: false })
  await background.stop()
})

it('what is written while a push runs goes with the next one, and nothing is begun after the end', async () => {
  const { store, background } = await joined()
  appendEntry(store, 'one', 'first')
  const first = background.pushNow()
  appendEntry(store, 'two', 'first')
  background.soon()
  await first
  await vi.waitFor(() => expect(background.work().waiting).toBe(0), { timeout: 45_000, interval: 5 })
  await background.stop()
  appendEntry(store, 'one', 'second')
  background.soon()
  await background.pushNow()
  expect(background.work()).toMatchObject({ waiting: 1, isPushing: false })
})

it('what left goes on after each push; what came is fetched at the start, after news and when the network is back, and never at each step', async () => {
  const done: string[] = []
  let left = 2
  const holding = {
    isUnderWay: () => left > 0,
    goOn: () => {
      left -= 1
      return Promise.resolve(done.push('goOn'))
    },
    pull: () => Promise.resolve(done.push('pull'))
  }
  const { store, background } = await joined({ holding, copies: [() => Promise.resolve(done.push('copy'))] })
  const idle = (count: number) =>
    vi.waitFor(() => expect([done.length >= count, background.work().isPushing]).toEqual([true, false]), {
      timeout: 45_000,
      interval: 5
    })
  background.renew()
  await idle(3)
  expect(done).toEqual(['goOn', 'pull', 'copy'])
  appendEntry(store, 'stepped', 'first')
  background.soon()
  await idle(4)
  expect(done.slice(3)).toEqual(['goOn'])
  appendEntry(store, 'stepped', 'second')
  background.soon()
  await vi.waitFor(() => expect(background.work().waiting).toBe(0), { timeout: 45_000, interval: 5 })
  expect(done).toHaveLength(4)
  background.renew()
  await idle(6)
  expect(done.slice(4)).toEqual(['pull', 'copy'])
  await background.pushNow()
  expect(done.slice(6)).toEqual(['pull', 'copy'])
  await background.stop()
})

it('steps that come one right after the other do not put the push off, and a network that is back ends a pause', async () => {
  const { store, team, background } = await joined({ gatherMs: 50, pausesMs: [3_600_000] })
  appendEntry(store, 'busy', 'first')
  const steps = setInterval(() => background.soon(), 5)
  await vi.waitFor(() => expect(team.status().waiting).toBe(0), { timeout: 45_000, interval: 5 })
  clearInterval(steps)
  await vi.waitFor(() => expect(background.work().isPushing).toBe(false), { timeout: 45_000, interval: 5 })
  await server.stop('immediate')
  appendEntry(store, 'busy', 'second')
  background.soon()
  await vi.waitFor(() => expect(background.work().nextAt).not.toBeNull(), { timeout: 45_000, interval: 5 })
  await server.start()
  background.soon()
  expect(background.work().nextAt).not.toBeNull()
  background.renew()
  await vi.waitFor(() => expect(team.status().waiting).toBe(0), { timeout: 45_000, interval: 5 })
  await background.stop()
})
