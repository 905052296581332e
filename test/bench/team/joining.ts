import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { inviteLaptop, makeTeam } from '../../../main/team/admin/members.ts'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import { startPostgres } from '../../world/team/postgres/postgresServer.ts'
import { makeMadeUpLog } from '../../world/data/madeUpLog.ts'
import type { JoiningChild } from './joiningChild.ts'

/**
 * A data folder of the first version with years of work, opened, joined and pushed by a process of its own: how long
 * each took, how much memory, and after how long a job that is worked on meanwhile is there for colleagues. Then the
 * same rows are inserted bare.
 */
const isQuick = process.argv.includes('--quick')
const jobs = isQuick ? 2_000 : 100_000
const entriesEach = 8

const folder = mkdtempSync(join(tmpdir(), 'fitter-bench-joining-'))
const server = await startPostgres({ fsync: 'on', shared_buffers: '256MB', max_wal_size: '4GB' })
try {
  await makeMadeUpLog(folder, { jobs, entries: entriesEach })
  const owner = await server.connect()
  await raiseSchema(owner)
  await makeTeam(owner, 'Bench')
  const { login, password } = await inviteLaptop(owner, { team: 'Bench', name: 'Laptop 1', mayWrite: true })
  const given: JoiningChild = {
    folder,
    joining: {
      team: 'Bench',
      name: 'Laptop 1',
      password,
      server: { host: '127.0.0.1', port: server.port, database: 'postgres', user: login, authority: null }
    }
  }
  const child = spawn(
    process.execPath,
    ['--no-warnings', join(import.meta.dirname, 'joiningChild.ts'), JSON.stringify(given)],
    { stdio: ['ignore', 'pipe', 'inherit'] }
  )
  const ended = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) say(line)
  const [code] = await ended
  if (code !== 0) throw new Error('The laptop did not come to its end')
  const { rows } = await owner.query<{ jobs: number; entries: number; steps: number; bytes: string }>(
    "select (select count(*)::int from fitter.job) as jobs, (select count(*)::int from fitter.entry) as entries, (select sum(pg_total_relation_size(c.oid)) from pg_class c where c.relnamespace = 'fitter'::regnamespace and c.relkind = 'r') as bytes"
  )
  say(
    `there: ${String(rows[0]?.jobs ?? 0)} jobs, ${String(rows[0]?.entries ?? 0)} entries, ${(Number(rows[0]?.bytes ?? 0) / 1e6).toFixed(0)} MB`
  )
  await owner.query('create schema bare')
  await owner.query(
    'create table bare.entry (like fitter.entry including defaults, primary key (month, team_id, job_id, seq))'
  )
  const startedMs = performance.now()
  const ids = (await owner.query<{ id: string }>('select id from fitter.job order by id')).rows.map(({ id }) => id)
  for (let first = 0; first < ids.length; first += 250) {
    await owner.query('insert into bare.entry select * from fitter.entry where job_id = any ($1)', [
      ids.slice(first, first + 250)
    ])
  }
  say(
    `the same entries copied bare on the server, 2,000 rows in a statement: ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`
  )
  await owner.end()
} finally {
  await server.remove()
  rmSync(folder, { recursive: true, force: true })
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
