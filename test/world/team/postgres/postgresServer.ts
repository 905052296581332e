import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chownSync, mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, type ClientConfig } from 'pg'
import { keepServer, makeKeptFolder, removeKeptFolder } from './keptFolders.ts'
import { findPrograms, nobody } from './programs.ts'
import { openSmallDisk, type SmallDisk } from './smallDisk.ts'

export interface PostgresServer {
  port: number
  folder: string
  /** Its data, as this process sees them. */
  data: string
  /** As the owner of everything. */
  owner: ClientConfig & { host: string; port: number; user: string; password: string; database: string }
  connect(as?: ClientConfig): Promise<Client>
  /** `immediate` is a crash: nothing is written any more. */
  stop(how?: 'fast' | 'immediate'): Promise<void>
  /** With these settings beside the ones it was made with. */
  start(more?: PostgresSettings): Promise<void>
  /** Starts it again with this certificate, or without any; it stays so. */
  serveTls(certificate: { cert: string; key: string } | null): Promise<void>
  remove(): Promise<void>
}

export type PostgresSettings = Readonly<Record<string, string>>

export interface PostgresOptions {
  /** What is committed is on the disk before it is acknowledged: off, for nobody pulls the plug in a test. */
  isDurable?: boolean
  /** Its data, without the write-ahead log, lie on a disk with so much room (smallDisk.ts). */
  diskMb?: number
  /** The folder of other programs than those of the package: Debian's PostgreSQL 15. */
  programs?: string
  /** Fills the folder of its data; a new cluster without it. */
  fill?: (data: string, folder: string) => Promise<void>
}

/**
 * A real PostgreSQL server on loopback, in a folder of its own, with SCRAM for everybody. It ends with this process.
 */
export async function startPostgres(
  settings: PostgresSettings = {},
  { isDurable = false, diskMb, programs: folderOfPrograms, fill }: PostgresOptions = {}
): Promise<PostgresServer> {
  const programs =
    folderOfPrograms === undefined
      ? await findPrograms()
      : { initdb: join(folderOfPrograms, 'initdb'), postgres: join(folderOfPrograms, 'postgres') }
  const folder = makeKeptFolder('fitter-postgres-')
  const [data, log, sockets] = ['data', 'log', 's'].map((name) => {
    const path = join(folder, name)
    mkdirSync(path, { mode: 0o700 })
    giveAway(path)
    return path
  }) as [string, string, string]
  const disk = diskMb === undefined ? undefined : await openSmallDisk(data, diskMb)
  const seenData = disk?.seen(data) ?? data
  if (fill) await fill(seenData, folder)
  else makeCluster(programs.initdb, { folder, data, log, disk })

  let port = anyPort()
  let child: ChildProcess | undefined
  let ended: Promise<void> = Promise.resolve()
  let tls: PostgresSettings = {}

  async function start(more: PostgresSettings = {}): Promise<void> {
    const given = {
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: process.platform === 'win32' ? '' : sockets,
      fsync: isDurable ? 'on' : 'off',
      shared_buffers: '16MB',
      max_connections: '60',
      ...settings,
      ...tls,
      ...more
    }
    const command = [
      programs.postgres,
      '-D',
      data,
      ...Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    ]
    const { process: started, why } = await launch(disk ? disk.inside(command) : command, {
      cwd: folder,
      ...(disk ? {} : nobody)
    })
    if (why !== null) throw new Error(`PostgreSQL did not start: ${why}`)
    child = started
    ended = new Promise((resolve) =>
      started.exitCode === null && started.signalCode === null ? started.once('exit', () => resolve()) : resolve()
    )
  }

  async function stop(how: 'fast' | 'immediate' = 'fast'): Promise<void> {
    child?.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await ended
  }

  async function remove(): Promise<void> {
    await stop('immediate')
    await disk?.remove()
    removeKeptFolder(folder)
  }

  try {
    for (let tries = 1; ; tries++) {
      try {
        await start()
        break
      } catch (error) {
        // Somebody else has the port: there are others.
        if (tries === 10 || !/could not (bind|create any TCP)|Address already in use/i.test(String(error))) throw error
        port = anyPort()
      }
    }
  } catch (error) {
    await remove()
    throw error
  }
  const owner = { host: '127.0.0.1', port, user: 'owner', password: ownerPassword, database: 'postgres' }
  return {
    port,
    folder,
    data: seenData,
    owner,
    async connect(as = owner) {
      const client = new Client(as)
      // Stopping the server ends the connection: the next query reports it.
      client.on('error', () => undefined)
      await client.connect()
      return client
    },
    start,
    stop,
    async serveTls(certificate) {
      const files = { ssl_cert_file: join(folder, 'server.crt'), ssl_key_file: join(folder, 'server.key') }
      if (certificate) {
        for (const [path, text] of [
          [files.ssl_cert_file, certificate.cert],
          [files.ssl_key_file, certificate.key]
        ] as const) {
          writeFileSync(path, text, { mode: 0o600 })
          giveAway(path)
        }
      }
      tls = certificate ? { ssl: 'on', ...files } : {}
      await stop()
      await start()
    },
    remove
  }
}

const ownerPassword = 'owner-password'

interface ClusterPlace {
  folder: string
  data: string
  /** Of the write-ahead log. */
  log: string
}

/**
 * Of each initdb, a cluster that no server has opened yet: to copy one takes a tenth of the time that making one takes.
 */
const newClusters = new Map<string, ClusterPlace>()

function makeCluster(initdb: string, { disk, ...place }: ClusterPlace & { disk: SmallDisk | undefined }): void {
  if (disk || process.platform === 'win32') return runInitdb(initdb, place, disk)
  let first = newClusters.get(initdb)
  if (!first) {
    const folder = makeKeptFolder('fitter-cluster-')
    giveAway(folder)
    first = { folder, data: join(folder, 'data'), log: join(folder, 'log') }
    runInitdb(initdb, first)
    newClusters.set(initdb, first)
  }
  for (const part of ['data', 'log'] as const)
    execFileSync('cp', ['-a', `${first[part]}/.`, place[part]], { cwd: first.folder, ...nobody })
  const logOfData = join(place.data, 'pg_wal')
  unlinkSync(logOfData)
  symlinkSync(place.log, logOfData)
}

function runInitdb(initdb: string, { folder, data, log }: ClusterPlace, disk?: SmallDisk): void {
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, `${ownerPassword}\n`)
  giveAway(passwordFile)
  const command = [
    initdb,
    '-D',
    data,
    '-X',
    log,
    '-U',
    'owner',
    '-A',
    'scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--locale=C.UTF-8',
    '-E',
    'UTF8',
    '--no-sync',
    '--wal-segsize=1'
  ]
  const [program = '', ...parameters] = disk ? disk.inside(command) : command
  execFileSync(program, parameters, { stdio: ['ignore', 'ignore', 'pipe'], cwd: folder, ...(disk ? {} : nobody) })
}

async function launch(
  [program = '', ...parameters]: readonly string[],
  options: { cwd: string; uid?: number; gid?: number }
): Promise<{ process: ChildProcess; why: string | null }> {
  const started = spawn(program, parameters, { stdio: ['ignore', 'ignore', 'pipe'], ...options })
  keepServer(started)
  let said = ''
  const why = await new Promise<string | null>((resolve) => {
    started.stderr.on('data', (part: Buffer) => {
      said = (said + part.toString()).slice(-20_000)
      if (said.includes('ready to accept')) resolve(null)
    })
    started.once('error', (error) => resolve(error.message))
    started.once('close', () => resolve(said))
  })
  return { process: started, why }
}

/** To whom the server runs as. */
export function giveAway(path: string): void {
  if (nobody) chownSync(path, nobody.uid, nobody.gid)
}

/** Below the ports that systems assign automatically, so that nobody gets it while the server is stopped. */
function anyPort(): number {
  return 15_000 + Math.floor(Math.random() * 15_000)
}
