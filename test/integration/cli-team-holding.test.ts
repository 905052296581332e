import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore } from '../../main/store/index.ts'
import { raiseSchema } from '../../main/team/schema.ts'
import { startPostgres, type PostgresServer } from '../../simulator/postgres/postgresServer.ts'
import { fitter } from '../support/fitterProcess.ts'
import { invitation, openTeamLaptop } from '../support/teamLaptop.ts'
import { tempFolder } from '../support/tempFolder.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
  const owner = await server.connect()
  await raiseSchema(owner)
  await owner.end()
}, 60_000)
afterAll(() => server?.remove())

it('a job is handed over, pulled and taken over in the terminal, each told as one document', { timeout: 240_000 }, async () => {
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
    const { code, stdout } = await fitter(['team', ...parameters, '--json', '--data', data], { env: { HOME: home, FITTER_TEAM_PASSWORD: password } })
    return { code, value: JSON.parse(stdout) as unknown }
  }
  const offered = await run(0, 'hand-over', given, '--to', 'Laptop 2')
  expect(offered).toMatchObject({ code: 0, value: { state: 'open', to: 'Laptop 2', jobs: [{ id: given }] } })
  expect(await run(1, 'pull')).toMatchObject({ code: 0, value: { arrived: [{ outcome: 'taken', jobs: [{ id: given, isTaken: true }] }], lost: [], offers: [] } })
  expect(await run(0, 'hand-over', '--withdraw', (offered.value as { id: string }).id)).toMatchObject({ code: 1, value: { error: { code: 'CONFLICT' } } })
  expect(await run(1, 'take-over', lost, '--reason', 'Its laptop was stolen')).toMatchObject({ code: 0, value: { outcome: 'taken', from: 'Laptop 1', jobs: [{ id: lost }] } })
  expect(await run(0, 'pull')).toMatchObject({ code: 1, value: { arrived: [], lost: [{ jobId: lost, by: 'Laptop 2', reason: 'Its laptop was stolen' }], offers: [{ state: 'taken', takenBy: 'Laptop 2' }] } })
  const store = openStore(laptops[0]?.data ?? '')
  expect(store.jobs.lostOf(lost)).toMatchObject({ by: 'Laptop 2' })
  store.close()
})
