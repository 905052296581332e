// @module-tag long
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished, vi } from 'vitest'
import { hardeningScript } from '../../../main/team/server/hardening.ts'
import { readJoinFile } from '../../../main/team/server/joinFile.ts'
import { inviteLaptop, makeTeam } from '../../../main/team/admin/members.ts'
import { createTeamNews } from '../../../main/team/reading/news.ts'
import { removeLaptop } from '../../../main/team/admin/removeLaptop.ts'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import { keepServer, makeKeptFolder, removeKeptFolder } from '../../world/team/postgres/keptFolders.ts'
import {
  giveAway,
  startPostgres,
  type PostgresOptions,
  type PostgresServer,
  type PostgresSettings
} from '../../world/team/postgres/postgresServer.ts'
import { nobody } from '../../world/team/postgres/programs.ts'
import { copyFolder } from '../../world/team/postgres/standby.ts'
import { openTeamLaptop } from '../../world/team/teamLaptop.ts'
import { tempFolder } from '../../world/tempFolder.ts'

const project = join(import.meta.dirname, '..', '..', '..')
const pgbouncer = '/usr/sbin/pgbouncer'
const debian = '/usr/lib/postgresql/15/bin'
const servers: [string, string | undefined][] = [
  ['the embedded PostgreSQL 18', undefined],
  ['PostgreSQL 15 of Debian', debian]
]
const isWithoutDebian = !existsSync(join(debian, 'pg_basebackup'))
const runFile = promisify(execFile)
const signal = new AbortController().signal

/** The blocks of this language in a section of the document: what an administrator copies. */
function blocks(section: string, language: string): string[] {
  const text =
    readFileSync(join(project, 'docs', 'team-log.md'), 'utf8')
      .split(/^### /m)
      .find((part) => part.startsWith(`${section}\n`)) ?? ''
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)]
    .filter(([, of]) => of === language)
    .map(([, , code = '']) => code)
}

async function serverOf(settings: PostgresSettings, options: PostgresOptions): Promise<PostgresServer> {
  const server = await startPostgres(settings, options)
  onTestFinished(() => server.remove())
  return server
}

async function companyOn(server: PostgresServer) {
  const superuser = await server.connect()
  await superuser.query("create role company login createrole password 'company-password'")
  await superuser.query('create database fleet owner company')
  await superuser.end()
  const as = { ...server.owner, user: 'company', password: 'company-password', database: 'fleet' }
  const company = await server.connect(as)
  await raiseSchema(company)
  await makeTeam(company, 'Team')
  return { company, as }
}

it.for(servers)(
  'back to a point in time on %s: logins that were removed since are closed by the commands of the recipe',
  { timeout: 900_000 },
  async ([, programs], { skip }) => {
    if (programs !== undefined && isWithoutDebian) skip('needs postgresql-15 of Debian')
    const archive = makeKeptFolder('fitter-archive-')
    const backup = makeKeptFolder('fitter-backup-')
    onTestFinished(() => [archive, backup].forEach(removeKeptFolder))
    for (const folder of [archive, backup]) giveAway(folder)
    const options = programs === undefined ? {} : { programs }
    const server = await serverOf(
      { archive_mode: 'on', archive_command: `cp %p ${archive}/%f`, wal_level: 'replica' },
      options
    )
    const { company, as } = await companyOn(server)
    const lost = await inviteLaptop(company, { team: 'Team', name: 'Laptop 1', mayWrite: true })
    const other = await inviteLaptop(company, { team: 'Team', name: 'Laptop 2', mayWrite: true })
    const superuser = await server.connect()
    const base = join(backup, 'base')
    if (programs === undefined) {
      mkdirSync(base, { mode: 0o700 })
      await superuser.query("select pg_backup_start('base', true)")
      copyFolder(server.data, base)
      const { rows } = await superuser.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
      writeFileSync(join(base, 'backup_label'), rows[0]?.labelfile ?? '')
    } else {
      await runFile(
        join(programs, 'pg_basebackup'),
        [
          '-h',
          '127.0.0.1',
          '-p',
          String(server.port),
          '-U',
          'owner',
          '-D',
          base,
          '-X',
          'none',
          '--checkpoint=fast',
          '--no-sync'
        ],
        { env: { PGPASSWORD: server.owner.password }, cwd: '/', ...nobody }
      )
    }
    const {
      rows: [target]
    } = await superuser.query<{ at: string }>('select clock_timestamp()::text as at')
    await removeLaptop(company, { team: 'Team', name: 'Laptop 1' })
    await inviteLaptop(company, { team: 'Team', name: 'Laptop 1', mayWrite: true })

    const home = tempFolder()
    const administer = async (line: string, port: number): Promise<string> => {
      const url = `postgres://company@127.0.0.1:${String(port)}/fleet`
      const { stdout } = await runFile(
        'sh',
        ['-ec', line.replace(/^(fitter team .*?)( >.*)?$/m, `$1 --url ${url}$2`)],
        {
          cwd: home,
          env: {
            HOME: home,
            FITTER_TEAM_PASSWORD: 'company-password',
            PATH: [dirname(process.execPath), join(project, 'bin'), '/usr/bin', '/bin'].join(':')
          }
        }
      )
      return stdout
    }
    const [save = '', close = ''] = blocks('Back to a point in time', 'sh')
    await administer(save, server.port)
    expect(JSON.parse(readFileSync(join(home, 'logins.json'), 'utf8'))).toMatchObject({
      team: 'Team',
      logins: [
        {
          name: 'Laptop 1',
          login: lost.login,
          role: 'writer',
          lastSeen: null,
          isOpen: false,
          removedAt: expect.any(String) as string
        },
        { name: 'Laptop 1', isOpen: true, removedAt: null },
        { name: 'Laptop 2', login: other.login, isOpen: true }
      ]
    })
    await superuser.query('select pg_switch_wal()')
    await superuser.end()
    await company.end()
    // A server that stops archives what it has written first.
    await server.stop()

    const restored = await serverOf(
      {
        archive_mode: 'off',
        restore_command: `cp ${archive}/%f %p`,
        recovery_target_time: target?.at ?? '',
        recovery_target_action: 'promote'
      },
      {
        ...options,
        fill(data, folder) {
          copyFolder(base, data)
          for (const [name, text] of [
            ['backup_label', readFileSync(join(base, 'backup_label'))],
            ['recovery.signal', '']
          ] as const) {
            writeFileSync(join(data, name), text)
            giveAway(join(data, name))
          }
          symlinkSync(join(folder, 'log'), join(data, 'pg_wal'))
          return Promise.resolve()
        }
      }
    )
    const watching = await restored.connect()
    await vi.waitFor(
      async () =>
        expect((await watching.query('select pg_is_in_recovery() as is_so')).rows).toEqual([{ is_so: false }]),
      { timeout: 360_000, interval: 50 }
    )
    await watching.end()
    const signIn = async ({ login, password }: { login: string; password: string }) =>
      restored.connect({ ...as, port: restored.port, user: login, password }).then(
        (client) => client.end().then(() => 'in'),
        (error: unknown) => (error as { code?: string }).code
      )
    expect(await signIn(lost)).toBe('in')
    expect(await administer(close, restored.port)).toContain('Laptop 1')
    expect(await signIn(lost)).toBe('28000')
    expect(await signIn(other)).toBe('in')
    expect(await administer(close, restored.port)).toContain('already closed')
  }
)

it.skipIf(!existsSync(pgbouncer)).for(servers)(
  'a day of two laptops through PgBouncer in transaction mode, as the recipe sets it up, on %s',
  { timeout: 360_000 },
  async ([, programs], { skip }) => {
    if (programs !== undefined && isWithoutDebian) skip('needs postgresql-15 of Debian')
    const server = await serverOf({}, programs === undefined ? {} : { programs })
    const { company } = await companyOn(server)
    const superuser = await server.connect({ ...server.owner, database: 'fleet' })
    await superuser.query(hardeningScript({ database: 'fleet', owner: 'company' }))
    for (const sql of blocks('A managed server with a pooler', 'sql')) await superuser.query(sql)
    await superuser.end()
    const port = await startPgBouncer(server, blocks('A managed server with a pooler', 'ini').join('\n'))
    const join = async (name: string) => {
      const { login, password } = await inviteLaptop(company, { team: 'Team', name, mayWrite: true })
      const laptop = await openTeamLaptop({
        name,
        folder: tempFolder(),
        joining: {
          team: 'Team',
          name,
          password,
          server: { host: '127.0.0.1', port, database: 'fleet', user: login, authority: null }
        }
      })
      onTestFinished(() => laptop.end())
      return laptop
    }
    const [first, second] = [await join('Laptop 1'), await join('Laptop 2')]
    const told: (readonly string[] | null)[] = []
    const news = createTeamNews({
      source: second.team,
      live: () => undefined,
      news: ({ jobIds }) => told.push(jobIds),
      reportFault: (error) => {
        throw error
      },
      times: { probeMs: 300, lookEveryMs: 100 }
    })
    onTestFinished(() => news.stop())
    news.watch('window', true)
    await vi.waitFor(() => expect(news.live().state).toBe('looking'), { timeout: 45_000 })
    const job = first.makeJob()
    expect(await first.team.push(signal)).toMatchObject({ jobs: 1, stopped: 0 })
    await vi.waitFor(() => expect(told.flat()).toContain(job), { timeout: 45_000 })
    expect((await second.team.jobs({ search: 'custmoer one', limit: 10 })).jobs).toMatchObject([
      { id: job, holder: 'Laptop 1' }
    ])
    await first.holding.handOver({ jobIds: [job], to: 'Laptop 2' }, signal)
    expect(await second.holding.pull(signal)).toMatchObject({ arrived: [{ outcome: 'taken', jobs: [{ id: job }] }] })
    await second.team.push(signal)
    expect((await first.team.jobs({ limit: 10 })).jobs).toMatchObject([{ id: job, holder: 'Laptop 2' }])
    await company.end()
  }
)

it.skipIf(isWithoutDebian)(
  'a plain server, then a restore on another server: the commands of the recipes, with the programs of PostgreSQL 15',
  { timeout: 900_000 },
  async () => {
    const home = tempFolder()
    // The server writes its log to this process, which therefore reads on while a command runs.
    const on = async (server: PostgresServer, commands: string): Promise<string> => {
      const text = commands.replaceAll(
        'postgres://company@db.example.com/fleet --ca company-root.pem',
        `postgres://company@127.0.0.1:${String(server.port)}/fleet`
      )
      const running = runFile('setsid', ['-w', 'sh', '-ec', text], {
        cwd: home,
        env: {
          HOME: home,
          FITTER_TEAM_PASSWORD: 'company-password',
          PGHOST: '127.0.0.1',
          PGPORT: String(server.port),
          PGUSER: server.owner.user,
          PGPASSWORD: server.owner.password,
          PATH: [dirname(process.execPath), join(project, 'bin'), debian, '/usr/bin', '/bin'].join(':')
        }
      })
      // Without a terminal, createuser reads the new password from its input.
      running.child.stdin?.end('company-password\ncompany-password\n')
      return (await running).stdout
    }
    const first = await serverOf({}, { programs: debian })
    const [setUp = ''] = blocks('A plain server', 'sh')
    const [backUp = '', restore = ''] = blocks('After a disaster', 'sh')
    await on(first, setUp)
    const joining = readJoinFile(readFileSync(join(home, 'fitter-team-Laptop-7.json'), 'utf8'))
    const laptop = await openTeamLaptop({ name: 'Laptop 7', folder: tempFolder(), joining })
    onTestFinished(() => laptop.end())
    const job = laptop.makeJob()
    expect(await laptop.team.push(signal)).toMatchObject({ jobs: 1, stopped: 0 })
    await on(first, 'fitter team invite "Laptop 8" && fitter team remove "Laptop 8"')
    const removed = readJoinFile(readFileSync(join(home, 'fitter-team-Laptop-8.json'), 'utf8'))
    await on(first, backUp)

    const second = await serverOf({}, { programs: debian })
    await on(second, restore)
    expect(
      await on(second, `fitter team init --url postgres://company@127.0.0.1:${String(second.port)}/fleet`)
    ).toContain('no changes needed')
    const as = { ...second.owner, database: 'fleet', user: joining.server.user, password: joining.password }
    const client = await second.connect(as)
    expect((await client.query('select id from fitter.list_jobs($1, 10)', ['{}'])).rows).toMatchObject([{ id: job }])
    // The script of the first server holds on the second one as well.
    await expect(client.query('select pg_advisory_lock(1)')).rejects.toMatchObject({ code: '42501' })
    await client.end()
    await expect(
      second.connect({ ...as, user: removed.server.user, password: removed.password })
    ).rejects.toMatchObject({ code: '28000' })
  }
)

async function startPgBouncer(server: PostgresServer, settings: string): Promise<number> {
  const folder = makeKeptFolder('fitter-pgbouncer-')
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  const [users, file] = [join(folder, 'users.txt'), join(folder, 'pgbouncer.ini')]
  writeFileSync(users, '"pooler" "pooler-password"\n')
  writeFileSync(
    file,
    `[databases]\nfleet = host=127.0.0.1 port=${String(server.port)} dbname=fleet\n${settings}\nlisten_addr = 127.0.0.1\nlisten_port = ${String(port)}\nunix_socket_dir =\nauth_file = ${users}\n`
  )
  const child = spawn(pgbouncer, [file], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], ...nobody })
  keepServer(child)
  onTestFinished(async () => {
    const ended = child.exitCode === null ? once(child, 'exit') : Promise.resolve()
    child.kill('SIGKILL')
    await ended
    removeKeptFolder(folder)
  })
  await new Promise<void>((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (part: Buffer) => {
      said += part.toString()
      if (said.includes('process up')) resolve()
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(said)))
  })
  return port
}
