import type { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Store } from '../../../main/data/store/index.ts'
import { push, type PushResult } from '../../../main/team/push/push.ts'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import { startPostgres, type PostgresServer } from '../../world/team/postgres/postgresServer.ts'
import { appendEntry, openTestStore } from '../../world/data/storedJobs.ts'
import { append, chainOf, laptopOf, note } from '../../world/team/teamServer.ts'
import { tempFolder } from '../../world/tempFolder.ts'

let server: PostgresServer
let owner: Client
const open: Client[] = []
const signal = new AbortController().signal
const atMs = Date.UTC(2026, 2, 1)

beforeAll(async () => {
  server = await startPostgres()
  owner = await server.connect()
  await raiseSchema(owner)
}, 180_000)
afterAll(async () => {
  for (const client of [...open, owner]) await client?.end()
  await server?.remove()
})

async function laptop(name: string): Promise<Client> {
  const client = await laptopOf(server, owner, { team: 'North', name })
  open.push(client)
  return client
}

/** A folder with so many jobs of two entries, each made a minute after the one before. */
function folderOf(name: string, jobs: number): { store: Store; ids: string[] } {
  const store = openTestStore(tempFolder())
  const ids = Array.from({ length: jobs }, (_, n) => `${name}-${String(n)}`)
  store.together(() => {
    for (const [n, id] of ids.entries())
      for (const text of ['first', 'second'])
        appendEntry(store, id, text, { createdAt: new Date(atMs + n * 60_000).toISOString() })
  })
  return { store, ids }
}

/** The same connection; `before` and `after` each call that carries jobs. */
function watched(
  client: Client,
  around: { before?: (summaries: string[]) => Promise<void> | void; after?: () => void }
): Client {
  const query = async (...given: [string, [string, ...unknown[]]]) => {
    const isGiving = given[0].includes('fitter.append')
    if (isGiving) await around.before?.(given[1][0].split('\n'))
    const answer: unknown = await client.query(...given)
    if (isGiving) around.after?.()
    return answer
  }
  return { query } as unknown as Client
}

async function assertWhole(store: Store, ids: readonly string[]): Promise<void> {
  const { rows } = await owner.query<{ job_id: string; hashes: string[] }>(
    'select job_id, array_agg(hash order by seq) as hashes from fitter.entry where job_id = any ($1) group by job_id',
    [ids]
  )
  expect(Object.fromEntries(rows.map(({ job_id, hashes }) => [job_id, hashes]))).toEqual(
    Object.fromEntries(ids.map((id) => [id, store.jobs.journal(id).map(({ hash }) => hash)]))
  )
}

it('many small jobs go in a few calls, and what was acknowledged is told as it goes', async () => {
  const { store, ids } = folderOf('small', 150)
  let calls = 0
  const far: PushResult[] = []
  expect(
    await push(watched(await laptop('Small'), { after: () => (calls += 1) }), {
      store,
      signal,
      progress: (one) => far.push(one)
    })
  ).toEqual({ jobs: 150, entries: 300, pictures: 0, stopped: 0 })
  expect(calls).toBeLessThan(50)
  expect(far).toHaveLength(calls)
  expect(far.map(({ jobs }) => jobs)).toEqual(far.map(({ jobs }) => jobs).toSorted((a, b) => a - b))
  expect(store.teamPush.waitingCount()).toBe(0)
  await assertWhole(store, ids)
})

it('the newest go first, and a job that is worked on goes before all that waits', async () => {
  const { store, ids } = folderOf('years', 100)
  store.teamPush.takeAddedTo()
  const oldest = ids[0] ?? ''
  const order: string[][] = []
  let told: string[] = []
  const client = watched(await laptop('Years'), {
    before: (summaries) => void order.push(summaries.map((summary) => (JSON.parse(summary) as { id: string }).id)),
    after: () => {
      if (order.length === 1) appendEntry(store, oldest, 'third')
      // All the time somebody adds something: what is old goes up as well, in turn.
      if (order.length > 1 && order.length < 8) appendEntry(store, 'made-now', `entry ${String(order.length)}`)
    }
  })
  const listener = await server.connect()
  const {
    rows: [team]
  } = await owner.query<{ channel: string }>("select channel from fitter.team where name = 'North'")
  await listener.query(`listen ${team?.channel ?? ''}`)
  listener.on('notification', ({ payload }) => void (told = [...told, payload ?? '']))
  await push(client, { store, signal })
  expect(order[0]?.[0]).toBe(ids.at(-1))
  expect(order[1]).toEqual([oldest])
  expect(order[2]).not.toContain('made-now')
  expect(order[3]).toEqual(['made-now'])
  await assertWhole(store, [...ids, 'made-now'])
  // Whoever looks is told of it, and not of all that is old.
  await listener.query('select 1')
  await listener.end()
  expect(told.slice(0, 2)).toEqual([oldest, 'made-now'])
})

it('a server that has no time for so many gets fewer in one call', async () => {
  const { store, ids } = folderOf('slow', 40)
  const client = await laptop('Slow')
  const sizes: number[] = []
  const hurried = watched(client, {
    async before(summaries) {
      sizes.push(summaries.length)
      if (summaries.length <= 3) return
      await client.query('set statement_timeout = 1')
      await client.query('select pg_sleep(5)').finally(() => client.query('reset statement_timeout'))
    }
  })
  expect(await push(hurried, { store, signal })).toMatchObject({ jobs: 40, entries: 80 })
  expect(Math.max(...sizes)).toBeGreaterThan(3)
  await assertWhole(store, ids)
})

it('an answer of many jobs that is lost doubles nothing', async () => {
  const { store, ids } = folderOf('lost', 60)
  const client = await laptop('Lost')
  let calls = 0
  const breaking = watched(client, {
    after() {
      calls += 1
      if (calls === 2) throw new Error('Connection terminated')
    }
  })
  await expect(push(breaking, { store, signal })).rejects.toThrow('Connection terminated')
  const waiting = store.teamPush.waitingCount()
  expect(waiting).toBeGreaterThan(0)
  expect(waiting).toBeLessThan(60)
  expect(await push(client, { store, signal })).toMatchObject({ jobs: waiting, stopped: 0 })
  await assertWhole(store, ids)
})

it('a job that goes no further keeps none of the others back', async () => {
  const { store, ids } = folderOf('mixed', 30)
  const other = await laptop('Other')
  const [forked = '', theirs = '', ...own] = ids
  await append(other, forked, chainOf(forked, [note('another')]))
  const begun = store.jobs.journal(theirs).slice(0, 1)
  await append(other, theirs, begun)
  expect(await push(await laptop('Mixed'), { store, signal })).toEqual({
    jobs: 28,
    entries: 56,
    pictures: 0,
    stopped: 2
  })
  expect(store.teamPush.stopped()).toMatchObject([{ jobId: forked, why: { id: 'team.fork' } }])
  expect(store.teamPush.held()).toMatchObject([{ jobId: theirs, why: { id: 'team.heldByOther' } }])
  await assertWhole(store, own)
})

it('a job that a colleague keeps locked keeps none of the others back, and is told in the end', async () => {
  const { store, ids } = folderOf('locked', 30)
  const locked = ids[12] ?? ''
  const client = await laptop('Locked')
  await append(client, locked, store.jobs.journal(locked).slice(0, 1))
  await client.query('set lock_timeout = 20')
  await owner.query('begin')
  await owner.query('select from fitter.job where id = $1 for update', [locked])
  await expect(push(client, { store, signal })).rejects.toMatchObject({ code: '55P03' })
  await owner.query('rollback')
  expect(store.teamPush.waiting(10)).toEqual([locked])
  expect(await push(client, { store, signal })).toMatchObject({ jobs: 1, entries: 2, stopped: 0 })
  await assertWhole(store, ids)
})

it('a long job goes in parts beside short ones, in order', async () => {
  const { store, ids } = folderOf('long', 12)
  const long = ids[5] ?? ''
  store.together(() => {
    for (let n = 0; n < 600; n++) appendEntry(store, long, `entry ${String(n)}`)
  })
  expect(await push(await laptop('Long'), { store, signal })).toMatchObject({ jobs: 12, entries: 624, stopped: 0 })
  await assertWhole(store, ids)
})
