import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startPostgres, type PostgresServer } from '../../world/team/postgres/postgresServer.ts'
import { startStandby } from '../../world/team/postgres/standby.ts'
import { openServerProxy } from '../../world/team/postgres/serverProxy.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
}, 180_000)
afterAll(() => server?.remove())

const count = async (from: PostgresServer, table: string) => {
  const client = await from.connect()
  const { rows } = await client.query<{ n: number }>(`select count(*)::int as n from ${table}`)
  await client.end()
  return rows[0]?.n
}

it(
  'a server ends and its folder goes with the process that started it, also when that is killed',
  { timeout: 180_000 },
  async () => {
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, '..', '..', 'world', 'team', 'postgresChild.ts')],
      {
        stdio: ['ignore', 'pipe', 'inherit']
      }
    )
    const [said] = (await once(child.stdout, 'data')) as [Buffer]
    const { folder, owner } = JSON.parse(said.toString()) as PostgresServer
    expect(existsSync(folder)).toBe(true)
    child.kill('SIGKILL')
    await vi.waitFor(() => expect(existsSync(folder)).toBe(false), { timeout: 45_000, interval: 20 })
    await expect(new Client(owner).connect()).rejects.toThrow()
  }
)

it(
  'a standby has what it was given before its way was cut, and is promoted with that alone',
  { timeout: 180_000 },
  async () => {
    const client = await server.connect()
    await client.query('create table came (n int)')
    const way = await openServerProxy(server.port)
    const standby = await startStandby(server, { through: way.port })
    await client.query('insert into came values (1), (2)')
    await standby.caughtUp()
    way.cut()
    await client.query('insert into came values (3)')
    expect(await count(server, 'came')).toBe(3)
    await client.end()
    await server.stop('immediate')
    await standby.promote()
    expect(await count(standby, 'came')).toBe(2)
    await server.start()
    await standby.remove()
    await way.close()
  }
)

it('an answer is lost on the way after the server has done what was asked', async () => {
  const client = await server.connect()
  await client.query('create table done (n int)')
  await client.end()
  const way = await openServerProxy(server.port)
  const far = await server.connect({ ...server.owner, port: way.port })
  const lost = way.loseAnswerTo('insert into done')
  await expect(far.query('insert into done values ($1)', [1])).rejects.toThrow()
  await lost
  expect(await count(server, 'done')).toBe(1)
  way.cutAfter(4)
  await expect(server.connect({ ...server.owner, port: way.port })).rejects.toThrow()
  expect(await count({ ...server, connect: () => server.connect({ ...server.owner, port: way.port }) }, 'done')).toBe(1)
  await way.close()
})
