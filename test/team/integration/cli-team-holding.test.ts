// @module-tag long
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { restoreData } from '../../../main/data/store/backups/copies.ts'
import { openStore } from '../../../main/data/store/index.ts'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import { startPostgres, type PostgresServer } from '../../world/team/postgres/postgresServer.ts'
import { fitter } from '../../world/window/fitterProcess.ts'
import { invitation, openTeamLaptop, type TeamLaptop } from '../../world/team/teamLaptop.ts'
import { tempFolder } from '../../world/tempFolder.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
  const owner = await server.connect()
  await raiseSchema(owner)
  await owner.end()
}, 180_000)
afterAll(() => server?.remove())

it(
  'a job is handed over, pulled and taken over in the terminal, each told as one document',
  { timeout: 720_000 },
  async () => {
    const home = tempFolder()
    const laptops: { data: string; password: string }[] = []
    const jobs: string[] = []
    for (const name of ['Laptop 1', 'Laptop 2']) {
      const [joining, data] = [await invitation(server, 'North', name), tempFolder()]
      const laptop = await openTeamLaptop({ folder: data, name, joining })
      if (jobs.length === 0) jobs.push(laptop.makeJob(), laptop.makeJob())
      if (name === 'Laptop 1') await laptop.team.push(new AbortController().signal)
      laptop.end()
      laptops.push({ data, password: joining.password })
    }
    const [given = '', lost = ''] = jobs
    const run = async (at: number, ...parameters: string[]) => {
      const { data = '', password = '' } = laptops[at] ?? {}
      const { code, stdout } = await fitter(['team', ...parameters, '--json', '--data', data], {
        env: { HOME: home, FITTER_TEAM_PASSWORD: password }
      })
      return { code, value: JSON.parse(stdout) as unknown }
    }
    const offered = await run(0, 'hand-over', given, '--to', 'Laptop 2')
    expect(offered).toMatchObject({ code: 0, value: { state: 'open', to: 'Laptop 2', jobs: [{ id: given }] } })
    expect(await run(1, 'pull')).toMatchObject({
      code: 0,
      value: { arrived: [{ outcome: 'taken', jobs: [{ id: given, isTaken: true }] }], lost: [], offers: [] }
    })
    expect(await run(0, 'hand-over', '--withdraw', (offered.value as { id: string }).id)).toMatchObject({
      code: 1,
      value: { error: { code: 'CONFLICT' } }
    })
    expect(await run(1, 'take-over', lost, '--reason', 'x')).toMatchObject({
      code: 2,
      value: { error: { data: { values: { problem: { id: 'terminalTeamHolding.reason' } } } } }
    })
    const working = await run(1, 'take-over', lost, '--reason', 'Its laptop was stolen')
    expect(working).toMatchObject({
      code: 1,
      value: { error: { code: 'CONFLICT', message: expect.stringContaining('Laptop 1 worked on this job') } }
    })
    const owner = await server.connect()
    await owner.query("update fitter.job set changed_at = now() - interval '11 minutes' where id = $1", [lost])
    await owner.end()
    expect(await run(1, 'take-over', lost, '--reason', 'Its laptop was stolen')).toMatchObject({
      code: 0,
      value: { outcome: 'taken', from: 'Laptop 1', jobs: [{ id: lost }] }
    })
    expect(await run(0, 'pull')).toMatchObject({
      code: 1,
      value: {
        arrived: [],
        lost: [{ jobId: lost, by: 'Laptop 2', reason: 'Its laptop was stolen' }],
        offers: [{ state: 'taken', takenBy: 'Laptop 2' }]
      }
    })
    const store = openStore(laptops[0]?.data ?? '')
    expect(store.jobs.lostOf(lost)).toMatchObject({ by: 'Laptop 2' })
    store.close()
  }
)

it('a fork is listed and settled in the terminal, each told as one document', { timeout: 720_000 }, async () => {
  const home = tempFolder()
  const signal = new AbortController().signal
  const [first, second] = [await invitation(server, 'South', 'Laptop 1'), await invitation(server, 'South', 'Laptop 2')]
  const [one, two] = [tempFolder(), tempFolder()]
  const add = ({ store }: TeamLaptop, job: string, customer: string) =>
    store.jobs.append(
      job,
      [
        {
          type: 'namesGiven',
          stepId: null,
          data: { technician: 'Technician One', customer },
          at: '2026-03-01T10:00:00.000Z'
        }
      ],
      () => store.teamPush.summary(job) as never
    )
  const begun = await openTeamLaptop({ folder: one, name: 'Laptop 1', joining: first })
  const job = begun.makeJob()
  const copy = join(tempFolder(), 'copy.db')
  await begun.store.backup(copy)
  add(begun, job, 'Customer One')
  await begun.team.push(signal)
  begun.end()
  await restoreData(two, copy, new Date(), {})
  const set = await openTeamLaptop({ folder: two, name: 'Laptop 2', joining: second })
  await set.team.join(second)
  add(set, job, 'Customer Two')
  expect(await set.team.push(signal)).toMatchObject({ stopped: 1 })
  set.end()
  const run = async (data: string, password: string, ...parameters: string[]) => {
    const { code, stdout } = await fitter(['team', ...parameters, '--json', '--data', data], {
      env: { HOME: home, FITTER_TEAM_PASSWORD: password }
    })
    return { code, value: JSON.parse(stdout) as unknown }
  }
  const asTwo = (...parameters: string[]) => run(two, second.password, ...parameters)
  expect(await asTwo('forks')).toMatchObject({
    code: 1,
    value: [
      {
        jobId: job,
        here: 'stopped',
        isSettled: false,
        log: { by: 'Laptop 1', entries: [{ seq: 2 }] },
        other: { by: 'Laptop 2', entries: [{ seq: 2 }] }
      }
    ]
  })
  expect(await asTwo('settle', job, '--reason', 'no')).toMatchObject({
    code: 2,
    value: { error: { data: { id: 'teamForks.reasonNeeded' } } }
  })
  expect(await asTwo('settle', job, '--reason', 'Laptop 1 finished it')).toMatchObject({
    code: 0,
    value: { jobId: job, seq: 2, entries: 1, holder: 'Laptop 1', reason: 'Laptop 1 finished it', operations: [] }
  })
  expect(await run(one, first.password, 'forks')).toMatchObject({
    code: 0,
    value: [{ here: null, isSettled: true, settled: [{ by: 'Laptop 2', reason: 'Laptop 1 finished it' }] }]
  })
})
