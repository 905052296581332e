import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import type { Client } from 'pg'
import { createSecrets } from '../../../main/base/secrets/keychain.ts'
import { inviteLaptop, makeTeam } from '../../../main/team/admin/members.ts'
import { createTeamNews } from '../../../main/team/reading/news.ts'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import { createTeam } from '../../../main/team/team.ts'
import type { TeamLive } from '../../../preload/contract/team/teamNews.ts'
import { openDeafWay } from '../../world/gateway/deafWay.ts'
import { appendEntry, openTestStore } from '../../world/data/storedJobs.ts'
import { tempFolder } from '../../world/tempFolder.ts'
import { startPostgres, type PostgresServer } from '../../world/team/postgres/postgresServer.ts'
import { openServerProxy } from '../../world/team/postgres/serverProxy.ts'

let server: PostgresServer
let owner: Client
const signal = new AbortController().signal
const soon = { timeout: 45_000, interval: 5 }

beforeAll(async () => {
  server = await startPostgres()
  owner = await server.connect()
  await raiseSchema(owner)
}, 180_000)
afterAll(async () => {
  await owner?.end()
  await server?.remove()
})

async function laptop(teamName: string, name: string, port = server.port) {
  const by = await server.connect()
  await makeTeam(by, teamName)
  const { login, password } = await inviteLaptop(by, { team: teamName, name, mayWrite: true })
  await by.end()
  const store = openTestStore(tempFolder())
  const team = createTeam({
    store,
    secrets: createSecrets({ inMemory: true }),
    limits: { connectMs: 5_000, queryMs: 5_000 },
    idleMs: 30_000
  })
  onTestFinished(() => team.close())
  await team.join({
    team: teamName,
    name,
    server: { host: '127.0.0.1', port, database: 'postgres', user: login, authority: null },
    password
  })
  const push = async (jobId: string, times = 1) => {
    for (let n = 0; n < times; n++) appendEntry(store, jobId, 'seen')
    await team.push(signal)
  }
  const sessions = async () => {
    const asked = await server.connect()
    const { rows } = await asked.query<{ n: string }>('select count(*) as n from pg_stat_activity where usename = $1', [
      login
    ])
    await asked.end()
    return Number(rows[0]?.n)
  }
  return { team, push, sessions }
}

function watching(
  team: Awaited<ReturnType<typeof laptop>>['team'],
  times: Parameters<typeof createTeamNews>[0]['times'] = {}
) {
  const told: (string[] | null)[] = []
  const states: TeamLive['state'][] = []
  const faults: unknown[] = []
  const news = createTeamNews({
    source: team,
    live: ({ state }) => states.push(state),
    news: ({ jobIds }) => told.push(jobIds),
    reportFault: (error) => faults.push(error),
    times: { gatherMs: 1, pausesMs: [20], probeMs: 1_000, ...times }
  })
  onTestFinished(() => news.stop())
  news.watch('window', true)
  const heard = (jobId: string) => vi.waitFor(() => expect(told.flat()).toContain(jobId), soon)
  const stands = (state: TeamLive['state']) => vi.waitFor(() => expect(news.live().state).toBe(state), soon)
  return { news, told, states, faults, heard, stands }
}

it('a step of a colleague is told while somebody looks, and nobody who looks leaves a session', async () => {
  const here = await laptop('Listening', 'Laptop 1')
  const there = await laptop('Listening', 'Laptop 2')
  const { news, told, states, heard, stands, faults } = watching(here.team)
  await stands('listening')
  await there.push('seen-live')
  await heard('seen-live')
  expect(news.live().newsAt).not.toBeNull()
  news.watch('other window', true)
  news.watch('window', false)
  await there.push('still-seen')
  await heard('still-seen')
  news.watch('other window', false)
  expect(news.live()).toMatchObject({ state: 'off', newsAt: null })
  await here.team.close()
  await vi.waitFor(async () => expect(await here.sessions()).toBe(0), soon)
  const before = told.length
  await there.push('not-told')
  expect(told).toHaveLength(before)
  expect([states, faults]).toEqual([['listening', 'off'], []])
})

it('a window that was closed without a word has ended after its time', async () => {
  const here = await laptop('Leases', 'Laptop 1')
  const { states, stands, news } = watching(here.team, { leaseMs: 300 })
  await vi.waitFor(() => expect(news.watch('window', true).state).toBe('listening'), soon)
  await stands('off')
  expect(states.at(-1)).toBe('off')
  await here.team.close()
  await vi.waitFor(async () => expect(await here.sessions()).toBe(0), soon)
})

it('where no notification arrives it is asked every few seconds, and what is pushed in bulk is found too', async () => {
  const way = await openDeafWay(server.port)
  const here = await laptop('Deaf', 'Laptop 1', way.port)
  const there = await laptop('Deaf', 'Laptop 2')
  const { heard, stands, states } = watching(here.team, { probeMs: 100, lookEveryMs: 20 })
  await stands('looking')
  await there.push('asked-for')
  await heard('asked-for')
  await there.push('in-bulk', 30)
  await heard('in-bulk')
  expect(states).toEqual(['looking'])
  await here.team.close()
  await way.close()
})

it('while notifications arrive, what is pushed in bulk is found as well', async () => {
  const here = await laptop('Bulk', 'Laptop 1')
  const there = await laptop('Bulk', 'Laptop 2')
  const { heard, stands } = watching(here.team, { checkEveryMs: 20 })
  await stands('listening')
  await there.push('in-bulk', 30)
  await heard('in-bulk')
})

it('a way that breaks or says nothing any more is told, mended by itself, and what was missed is told then', async () => {
  const way = await openServerProxy(server.port)
  onTestFinished(() => way.close())
  const here = await laptop('Ways', 'Laptop 1', way.port)
  const there = await laptop('Ways', 'Laptop 2')
  const { heard, stands, news } = watching(here.team, { checkEveryMs: 20, answerMs: 200 })
  await stands('listening')
  way.cut()
  await stands('away')
  expect(news.live().why).toMatchObject({ id: expect.stringContaining('team') as unknown })
  await there.push('missed')
  way.mend()
  await heard('missed')
  await stands('listening')
  way.silence()
  await stands('away')
  await there.push('missed-again')
  way.mend()
  await heard('missed-again')
  await stands('listening')
  await here.team.close()
})

it('a server that crashes while somebody listens is listened to again', async () => {
  const here = await laptop('Crash', 'Laptop 1')
  const there = await laptop('Crash', 'Laptop 2')
  const { heard, stands, faults } = watching(here.team)
  await stands('listening')
  await server.stop('immediate')
  await stands('away')
  await server.start()
  await stands('listening')
  await there.push('after-the-crash')
  await heard('after-the-crash')
  expect(faults).toEqual([])
})

it('a server that comes back without what it had is looked at as a whole again', async () => {
  const here = await laptop('Set back', 'Laptop 1')
  const { told, stands, faults } = watching(here.team)
  await stands('listening')
  await here.push('gone-with-the-backup')
  await vi.waitFor(() => expect(told.flat()).toContain('gone-with-the-backup'), soon)
  await server.stop('immediate')
  await stands('away')
  const before = told.length
  await server.start()
  // Nothing is told of what is not there any more.
  await vi.waitFor(() => expect(told.slice(before)).toContain(null), soon)
  expect(faults).toEqual([])
})
