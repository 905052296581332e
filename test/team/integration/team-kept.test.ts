import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { Client } from 'pg'
import { newEntry, readJob, summariseJob } from '../../../main/job/jobs/record/journal.ts'
import { createSecrets } from '../../../main/base/secrets/keychain.ts'
import { openStore } from '../../../main/data/store/index.ts'
import { sealEntry } from '../../../main/data/store/jobs/seal.ts'
import { createTeamCopy, type TeamCopyParts } from '../../../main/team/reading/localCopy.ts'
import { inviteLaptop, makeTeam } from '../../../main/team/admin/members.ts'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import { createTeam } from '../../../main/team/team.ts'
import { message, plainMessage } from '../../../preload/contract/messages.ts'
import { makePastJobs } from '../../world/data/pastJobs.ts'
import { tempFolder } from '../../world/tempFolder.ts'
import { append } from '../../world/team/teamServer.ts'
import { openServerProxy } from '../../world/team/postgres/serverProxy.ts'
import { startPostgres, type PostgresServer } from '../../world/team/postgres/postgresServer.ts'

let server: PostgresServer
let owner: Client
const signal = new AbortController().signal
const limits = { connectMs: 5_000, queryMs: 5_000 }

beforeAll(async () => {
  server = await startPostgres()
  owner = await server.connect()
  await raiseSchema(owner)
}, 180_000)
afterAll(async () => {
  await owner?.end()
  await server?.remove()
})

async function laptop(
  teamName: string,
  name: string,
  { jobs = 0, port = server.port }: { jobs?: number; port?: number } = {}
) {
  await makeTeam(owner, teamName)
  const { login, password } = await inviteLaptop(owner, { team: teamName, name, mayWrite: true })
  const folder = tempFolder()
  if (jobs > 0) makePastJobs(folder, jobs, new Date('2026-03-02T10:00:00.000Z'))
  const store = openStore(folder)
  const team = createTeam({ store, secrets: createSecrets({ inMemory: true }), limits })
  onTestFinished(async () => {
    await team.close()
    store.close()
  })
  await team.join({
    team: teamName,
    name,
    server: { host: '127.0.0.1', port, database: 'postgres', user: login, authority: null },
    password
  })
  return { store, team, login, password }
}

/** A laptop that has pushed some jobs, and another on a way that can be cut. */
async function twoLaptops(teamName: string, jobs: number, parts: Partial<TeamCopyParts> = {}) {
  const there = await laptop(teamName, 'Laptop 1', { jobs })
  await there.team.push(signal)
  const way = await openServerProxy(server.port)
  onTestFinished(() => way.close())
  const here = await laptop(teamName, 'Laptop 2', { port: way.port })
  const clock = { at: new Date('2026-03-03T08:00:00.000Z') }
  const kept = createTeamCopy({
    team: here.team,
    kept: here.store.teamCopies,
    now: () => clock.at,
    refreshEveryMs: 0,
    ...parts
  })
  return { there, here, way, kept, clock }
}

it('without the server what was opened is shown with its age, and nothing else', async () => {
  const { kept, way, clock } = await twoLaptops('Opened', 6)
  way.cut()
  // Nothing is kept: that is no empty list.
  await expect(kept.jobs({ limit: 50 })).rejects.toMatchObject({ code: 'UNREACHABLE' })
  way.mend()
  const live = await kept.jobs({ limit: 50 })
  expect([live.jobs.length, live.keptAt, live.why]).toEqual([6, null, null])
  const opened = await kept.open('past-000003')
  expect(opened).toMatchObject({
    keptAt: null,
    holder: 'Laptop 1',
    isMine: false,
    forks: [],
    job: { id: 'past-000003' }
  })
  await kept.open('past-000001')
  clock.at = new Date('2026-03-03T09:00:00.000Z')
  await kept.jobs({ limit: 2 })
  way.cut()
  clock.at = new Date('2026-03-03T10:00:00.000Z')

  const away = await kept.jobs({ limit: 50 })
  expect(away.jobs.map(({ id, keptAt }) => [id, keptAt])).toEqual([
    ['past-000001', '2026-03-03T09:00:00.000Z'],
    ['past-000003', '2026-03-03T08:00:00.000Z']
  ])
  expect(away).toMatchObject({
    keptAt: '2026-03-03T09:00:00.000Z',
    why: { id: expect.stringContaining('team') as unknown },
    next: null
  })
  const again = await kept.open('past-000003')
  expect(again.keptAt).toBe('2026-03-03T08:00:00.000Z')
  expect(again.job).toEqual(opened.job)
  await expect(kept.open('past-000002')).rejects.toMatchObject({ code: 'UNREACHABLE' })
  expect((await kept.jobs({ limit: 1 })).next).toBe('past-000001')
  expect((await kept.jobs({ limit: 1, after: 'past-000001' })).jobs.map(({ id }) => id)).toEqual(['past-000003'])
  for (const [request, ids] of [
    [{ search: 'unit 0003' }, ['past-000003']],
    [{ search: 'xyz' }, []],
    [{ group: 'ended' }, ['past-000001', 'past-000003']],
    [{ group: 'inWork' }, []],
    [{ vehicleId: 1 }, ['past-000001']],
    [{ either: { plate: 'HLD003' } }, ['past-000003']],
    [{ ids: ['past-000001', 'past-000002'] }, ['past-000001']],
    [{ mine: true }, []]
  ] as const)
    expect((await kept.jobs({ limit: 50, ...request } as never)).jobs.map(({ id }) => id)).toEqual(ids)
  way.mend()
  expect((await kept.jobs({ limit: 50 })).keptAt).toBeNull()
})

it('while the team log is known to be away, the list waits for nothing', async () => {
  let why: ReturnType<typeof message> | null = null
  const { kept, there } = await twoLaptops('Known', 2, { away: () => why })
  why = message('team.away', { host: '127.0.0.1' })
  await expect(kept.jobs({ limit: 50 })).rejects.toMatchObject({ code: 'UNREACHABLE', sentence: { id: 'team.away' } })
  why = null
  await kept.open('past-000001')
  why = message('team.away', { host: '127.0.0.1' })
  expect(await kept.jobs({ limit: 50 })).toMatchObject({ jobs: [{ id: 'past-000001' }], why })
  expect(await there.team.jobs({ limit: 50 })).toMatchObject({ jobs: [{}, {}] })
})

it('what is pinned is fetched, with what changed of it, and goes when nothing pins it and there is no room', async () => {
  const { kept, there, way, clock, here } = await twoLaptops('Pinned', 10, { bounds: { jobs: 3, bytes: 64_000_000 } })
  expect(() =>
    createTeamCopy({ team: { ...here.team, isMember: () => false }, kept: here.store.teamCopies }).pin({
      kind: 'job',
      value: 'past-000002'
    })
  ).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }) as Error)
  expect(kept.pin({ kind: 'customer', value: 'Customer One' }).pins).toEqual([
    { kind: 'customer', value: 'Customer One', jobs: 0, keptAt: null }
  ])
  kept.pin({ kind: 'job', value: 'past-000002' })
  await kept.refresh(signal)
  expect(kept.pins()).toMatchObject({
    pins: [
      { value: 'Customer One', jobs: 2, keptAt: '2026-03-03T08:00:00.000Z' },
      { value: 'past-000002', jobs: 1 }
    ],
    kept: { jobs: 3 }
  })

  // Opened beside what is pinned: it is what has to go.
  await kept.open('past-000004')
  expect(here.store.teamCopies.entriesOf('past-000004')).toBeUndefined()
  const entry = newEntry('stateChanged', null, { state: 'cancelled', reason: plainMessage('another') })
  there.store.jobs.append('past-000005', [{ ...entry, at: '2026-03-03T08:30:00.000Z' }], (added) =>
    summariseJob(readJob('past-000005', [...there.store.jobs.journal('past-000005'), ...added]))
  )
  await there.team.push(signal)
  clock.at = new Date('2026-03-03T09:00:00.000Z')
  await kept.refresh(signal)
  way.cut()
  expect((await kept.open('past-000005')).job.state).toBe('cancelled')
  expect((await kept.jobs({ customer: 'Customer One', limit: 50 })).jobs.map(({ keptAt }) => keptAt)).toEqual([
    '2026-03-03T09:00:00.000Z',
    '2026-03-03T09:00:00.000Z'
  ])
  way.mend()
  kept.unpin({ kind: 'customer', value: 'Customer One' })
  clock.at = new Date('2026-03-03T11:00:00.000Z')
  await kept.open('past-000004')
  clock.at = new Date('2026-03-03T12:00:00.000Z')
  await kept.open('past-000006')
  expect(
    here.store.teamCopies
      .listed()
      .map(({ listed }) => listed.id)
      .sort()
  ).toEqual(['past-000002', 'past-000004', 'past-000006'])
})

it('pictures that were looked at are kept within their bounds, and all of it is forgotten on leaving', async () => {
  const { kept, there, here, way } = await twoLaptops('Pictures', 1, { bounds: { jobs: 10, bytes: 200_000 } })
  const hashes: string[] = []
  for (const [n, size] of [40_000, 45_000, 48_000, 49_000, 49_500, 60_000].entries()) {
    const bytes = Buffer.alloc(size, n)
    const file = await there.store.attachments.write(bytes)
    hashes.push(
      there.store.attachments.keep({
        jobId: 'past-000000',
        file,
        mediaType: 'image/jpeg',
        at: '2026-03-02T10:00:00.000Z'
      })
    )
  }
  const entry = newEntry('stateChanged', null, { state: 'done', reason: plainMessage('seen') })
  there.store.jobs.append('past-000000', [{ ...entry, at: '2026-03-02T11:00:00.000Z' }], (added) =>
    summariseJob(readJob('past-000000', [...there.store.jobs.journal('past-000000'), ...added]))
  )
  await there.team.push(signal)
  for (const [n, hash] of hashes.slice(0, 5).entries())
    expect(
      (
        await createTeamCopy({
          team: here.team,
          kept: here.store.teamCopies,
          bounds: { jobs: 10, bytes: 200_000 },
          now: () => new Date(Date.UTC(2026, 2, 3, n))
        }).picture(hash)
      ).bytes.length
    ).toBeGreaterThan(0)
  // Of more than a quarter of all: shown, and not kept.
  expect((await kept.picture(hashes[5] ?? '')).bytes).toHaveLength(60_000)
  expect(here.store.teamCopies.size().sizeBytes).toBe(45_000 + 48_000 + 49_000 + 49_500)
  way.cut()
  const { bytes } = await kept.picture(hashes[3] ?? '')
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(hashes[3])
  await expect(kept.picture(hashes[0] ?? '')).rejects.toMatchObject({ code: 'UNREACHABLE' })
  way.mend()
  kept.pin({ kind: 'customer', value: 'Customer One' })
  await here.team.leave()
  expect(kept.pins()).toMatchObject({ pins: [], kept: { jobs: 0, sizeBytes: 0 } })
  await expect(kept.picture(hashes[3] ?? '')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('a job of hundreds of entries opens whole, and both sides of a fork are shown with who pushed them and what they say', async () => {
  const { kept, there } = await twoLaptops('Forked', 1)
  const { store, team, login, password } = there
  const before = store.jobs.journal('past-000000')
  const evidence = (n: number) => ({
    ...newEntry('evidence', 'ignition', {
      attempt: 1,
      witness: 'device',
      what: plainMessage(`Seen ${String(n)}`),
      raw: { n },
      thresholds: null
    }),
    at: '2026-03-02T11:00:00.000Z'
  })
  store.jobs.append(
    'past-000000',
    Array.from({ length: 300 }, (_, n) => evidence(n)),
    (added) => summariseJob(readJob('past-000000', [...before, ...added]))
  )
  await team.push(signal)
  const last = before.at(-1)!
  const other = sealEntry(last.hash, { seq: last.seq + 1, ...evidence(-1) } as never)
  const odd = sealEntry(other.hash, {
    seq: last.seq + 2,
    at: '2026-03-02T12:00:00.000Z',
    type: '?',
    stepId: null,
    data: null
  } as never)
  const plain = await server.connect({ ...server.owner, user: login, password })
  expect(await append(plain, 'past-000000', [other, odd])).toEqual([
    `${String(last.seq + 1)} fork`,
    `${String(last.seq + 2)} fork`
  ])
  await plain.end()
  expect((await kept.jobs({ limit: 1 })).jobs).toMatchObject([{ forks: 2 }])
  const { job, forks } = await kept.open('past-000000')
  expect(job.steps.flatMap((step) => step.evidence)).toHaveLength(300)
  expect(forks).toHaveLength(1)
  expect(forks[0]).toMatchObject({
    seq: last.seq + 1,
    log: { by: 'Laptop 1', more: 250 },
    other: {
      by: 'Laptop 1',
      entries: [
        { seq: last.seq + 1, type: 'evidence', stepId: 'ignition', what: { values: { text: 'Seen -1' } } },
        { type: '?', what: null }
      ],
      more: 0
    }
  })
  expect(forks[0]?.log.entries[0]).toMatchObject({ type: 'evidence', what: { values: { text: 'Seen 0' } } })
})
