import { spawn } from 'node:child_process'
import { join } from 'node:path'

const projectFolder = join(import.meta.dirname, '..', '..', '..')
const ownNode = process.execPath

export interface Finished {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
  /** The JSON document on stdout. */
  json<Form = unknown>(): Form
}

export interface Running {
  pid: number
  /** Resolves when this text appears on stdout or stderr; fails when the process ends without it. */
  saw(text: string | RegExp, limitMs?: number): Promise<void>
  kill(signal: NodeJS.Signals): void
  ended: Promise<Finished>
  output(): string
}

export interface FitterOptions {
  env?: Record<string, string>
  /** A program that runs Fitter, with its parameters: `unshare -m …`. */
  through?: string[]
  /** What Node runs in place of `bin/fitter`, such as an installed Fitter. */
  starter?: string[]
  /** The folder in which it is called. */
  cwd?: string
}

/** Starts `bin/fitter` as a process of its own, with nothing of the caller's environment that could help it. */
export function startFitter(parameters: string[], options: FitterOptions = {}): Running {
  const command = [
    ...(options.through ?? []),
    ownNode,
    ...(options.starter ?? [join(projectFolder, 'bin', 'fitter')]),
    ...parameters
  ]
  const [program = '', ...rest] = command
  const child = spawn(program, rest, {
    cwd: options.cwd ?? '/',
    env: { PATH: process.env.PATH ?? '', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let stdout = ''
  let stderr = ''
  const waiting = new Set<() => void>()
  const read = (add: (text: string) => void) => (part: Buffer) => {
    add(part.toString('utf8'))
    for (const look of waiting) look()
  }
  child.stdout.on(
    'data',
    read((text) => (stdout += text))
  )
  child.stderr.on(
    'data',
    read((text) => (stderr += text))
  )
  const ended = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      resolve({ code, signal, stdout, stderr, json: <Form>() => JSON.parse(stdout) as Form })
      for (const look of waiting) look()
    })
  })
  const has = (text: string | RegExp) =>
    typeof text === 'string' ? (stdout + stderr).includes(text) : text.test(stdout + stderr)

  return {
    pid: child.pid ?? 0,
    kill: (signal) => void child.kill(signal),
    ended,
    output: () => stdout + stderr,
    saw: (text, limitMs = 110_000) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => end(() => reject(new Error(`Not seen within ${limitMs} ms: ${text}\n${stdout}${stderr}`))),
          limitMs
        )
        function end(then: () => void): void {
          clearTimeout(timer)
          waiting.delete(look)
          then()
        }
        function look(): void {
          if (has(text)) end(resolve)
          else if (child.exitCode !== null || child.signalCode !== null)
            end(() => reject(new Error(`Ended without: ${text}\n${stdout}${stderr}`)))
        }
        waiting.add(look)
        look()
      })
  }
}

/** Runs `bin/fitter` to its end. */
export function fitter(parameters: string[], options: FitterOptions = {}): Promise<Finished> {
  return startFitter(parameters, options).ended
}
