import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startGateway, type SimulatedGateway } from '../../../simulator/gateway/gateway.ts'
import { memoryFolder } from '../../world/memoryFolder.ts'
import { vehicleOf } from '../../world/gateway/operations/queuedKinds.ts'
import type { GatewayAccess } from './tools.ts'
import { prepare } from './transactions.ts'

/** A call of the system that is hit: the n-th of its name on the main thread, or on a thread that writes files. */
export interface Point {
  thread: 'main' | 'files'
  call: string
  n: number
}

/** What happens to it: `signal=SIGKILL` or `error=EIO`, at the n-th alone or (`andAfter`) from it on. */
export interface Blow {
  what: string
  andAfter?: boolean
}

export interface Struck {
  folder: string
  first: number
  access: GatewayAccess
  /** What it said, line by line. */
  lines: string[]
  stderr: string
}

/** A gateway that counts the effects, and as many processes as are wanted that do the core transactions before it. */
export interface Ring {
  gateway: SimulatedGateway
  rounds: number
  /** Lets a process run to its end and counts its calls. */
  count(): Promise<Point[]>
  strike(point: Point, blow: Blow): Promise<Struck>
  close(): Promise<void>
}

const child = join(import.meta.dirname, 'child.ts')
/** What reaches a disk or a socket, or changes a name; and what reads a file. */
const calls = [
  'pread64',
  'pwrite64',
  'write',
  'writev',
  'sendto',
  'sendmsg',
  'fsync',
  'fdatasync',
  'ftruncate',
  'fallocate',
  'rename',
  'unlink',
  'mkdir',
  'copy_file_range'
]

export async function openRing(rounds: number): Promise<Ring> {
  const base = mkdtempSync(join(memoryFolder, 'fitter-dying-'))
  const plenty = [{ requests: 10_000_000, perSeconds: 60 }]
  const gateway = await startGateway({ devices: [], rateTiers: { data: plenty, other: plenty }, delayMs: 0 })
  prepare(join(base, 'prepared'))
  let runs = 0

  async function start(): Promise<{
    process: ChildProcess
    run: Omit<Struck, 'lines' | 'stderr'>
    output(): { lines: string[]; stderr: string }
    ended: Promise<void>
  }> {
    const number = runs
    runs += 1
    const folder = join(base, `run-${number}`)
    const first = 1 + number * rounds
    const { id, name } = vehicleOf(gateway, number)
    const access = { url: gateway.url, user: gateway.user, password: gateway.password, rounds, vehicle: { id, name } }
    cpSync(join(base, 'prepared'), folder, { recursive: true })
    const started = spawn(process.execPath, [child, folder, String(first), JSON.stringify(access)], {
      env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
      stdio: ['pipe', 'pipe', 'pipe']
    })
    let [stdout, stderr] = ['', '']
    started.stderr.on('data', (part: Buffer) => (stderr += part.toString()))
    const ended = new Promise<void>((resolve) => started.on('close', () => resolve()))
    await new Promise<void>((resolve, reject) => {
      started.stdout.on('data', (part: Buffer) => {
        stdout += part.toString()
        if (stdout.startsWith('READY\n')) resolve()
      })
      void ended.then(() => reject(new Error(`The process did not come up: ${stdout}${stderr}`)))
    })
    return {
      process: started,
      run: { folder, first, access },
      output: () => ({ lines: stdout.trim().split('\n'), stderr }),
      ended
    }
  }

  /** Traces one kind of threads of a process; resolves once it is attached. */
  async function trace(pid: number, thread: Point['thread'], options: string[]): Promise<{ ended: Promise<void> }> {
    const threads =
      thread === 'main'
        ? [pid]
        : readdirSync(`/proc/${pid}/task`)
            .map(Number)
            .filter((id) => id !== pid)
    const tracer = spawn('strace', [...threads.flatMap((id) => ['-p', String(id)]), ...options], {
      stdio: ['ignore', 'ignore', 'pipe']
    })
    const ended = new Promise<void>((resolve) => tracer.on('close', () => resolve()))
    let told = ''
    await new Promise<void>((resolve, reject) => {
      tracer.stderr.on('data', (part: Buffer) => {
        told += part.toString()
        if ((told.match(/ attached/g) ?? []).length >= threads.length) resolve()
      })
      void ended.then(() => reject(new Error(`The process could not be traced: ${told}`)))
    })
    return { ended }
  }

  async function countOn(thread: Point['thread']): Promise<Point[]> {
    const file = join(base, `calls-${thread}`)
    const { process: started, run, ended, output } = await start()
    const tracer = await trace(started.pid ?? 0, thread, ['-o', file, '-e', `trace=${calls.join(',')}`])
    started.stdin?.write('go\n')
    await Promise.all([ended, tracer.ended])
    if (output().lines.at(-1) !== 'END') throw new Error(`The process did not come to its end: ${output().stderr}`)
    rmSync(run.folder, { recursive: true, force: true })
    const counts = new Map<string, number>()
    for (const [, call = ''] of readFileSync(file, 'latin1').matchAll(/^(?:\d+ +)?(\w+)\(/gm))
      counts.set(call, (counts.get(call) ?? 0) + 1)
    return [...counts].flatMap(([call, most]) =>
      Array.from({ length: most }, (_, index) => ({ thread, call, n: index + 1 }))
    )
  }

  return {
    gateway,
    rounds,
    count: async () => [...(await countOn('main')), ...(await countOn('files'))],
    async strike({ thread, call, n }, { what, andAfter }) {
      const { process: started, run, ended, output } = await start()
      const tracer = await trace(started.pid ?? 0, thread, [
        '-o',
        '/dev/null',
        '-e',
        `trace=${call}`,
        '-e',
        `inject=${call}:${what}:when=${n}${andAfter ? '+' : ''}`
      ])
      started.stdin?.write('go\n')
      await Promise.all([ended, tracer.ended])
      return { ...run, ...output() }
    },
    async close() {
      await gateway.stop()
      rmSync(base, { recursive: true, force: true })
    }
  }
}
