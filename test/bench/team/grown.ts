import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeJoinFile } from '../../../main/team/server/joinFile.ts'
import { inviteLaptop, makeTeam } from '../../../main/team/admin/members.ts'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import { startPostgres } from '../../world/team/postgres/postgresServer.ts'
import { makeMadeUpLog } from '../../world/data/madeUpLog.ts'
import { startFitter } from '../../world/window/fitterProcess.ts'

/**
 * A data folder that grew over the years joins and pushes all it has: the time, and the memory of
 * Fitter meanwhile.
 */
const jobs = process.argv.includes('--quick') ? 2_000 : 100_000
const entriesEach = 10

const folder = mkdtempSync(join(tmpdir(), 'fitter-bench-grown-'))
const server = await startPostgres()
try {
  const data = join(folder, 'data')
  await makeMadeUpLog(data, { jobs, entries: entriesEach })
  const owner = await server.connect()
  await raiseSchema(owner)
  await makeTeam(owner, 'Bench')
  const { login, password } = await inviteLaptop(owner, { team: 'Bench', name: 'Laptop 1', mayWrite: true })
  const file = join(folder, 'join.json')
  writeFileSync(
    file,
    writeJoinFile({
      team: 'Bench',
      name: 'Laptop 1',
      server: { host: '127.0.0.1', port: server.port, database: 'postgres', user: login, authority: null },
      password
    })
  )
  for (const words of [['join', file], ['push'], ['push']]) {
    const started = performance.now()
    const running = startFitter(['team', ...words, '--data', data, '--json'], {
      env: { HOME: folder, FITTER_TEAM_PASSWORD: password }
    })
    const memory: number[] = []
    const timer = setInterval(() => memory.push(memoryOf(running.pid)), 250)
    const { code, stdout } = await running.ended
    clearInterval(timer)
    const [early, late] = [
      memory.slice(0, Math.ceil(memory.length / 2)),
      memory.slice(Math.ceil(memory.length / 2))
    ].map((part) => Math.max(0, ...part))
    process.stdout.write(
      `team ${words[0] ?? ''} of ${String(jobs)} jobs: ${((performance.now() - started) / 1000).toFixed(1)} s, exit ${String(code)}, at most ${String(early)} MB in the first half and ${String(late)} MB in the second; ${stdout.slice(0, 120).trim()}\n`
    )
  }
  const { rows } = await owner.query<{ jobs: string; entries: string }>(
    'select (select count(*) from fitter.job) as jobs, (select count(*) from fitter.entry) as entries'
  )
  process.stdout.write(`there: ${rows[0]?.jobs ?? ''} jobs, ${rows[0]?.entries ?? ''} entries\n`)
  await owner.end()
} finally {
  await server.remove()
  rmSync(folder, { recursive: true, force: true })
}

/** In megabytes; 0 where the system does not tell. */
function memoryOf(pid: number): number {
  try {
    return Math.round(
      Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1] ?? 0) / 1024
    )
  } catch {
    return 0
  }
}
