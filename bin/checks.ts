import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { projectFolder } from './build.ts'
import { writeMessageTypes } from './messageTypes.ts'

export interface Check {
  /** What `npm run check -- PART` calls it. */
  part: string
  name: string
  /** The npm package and its program, such as `['vue-tsc', 'vue-tsc']`. */
  program: [string, string]
  parameters: string[]
  /** A part without which this one says nothing: it runs after that one, and not at all if that one failed. */
  needs?: string
}

export interface CheckResult {
  name: string
  isOk: boolean
  seconds: number
  log: string
}

const cacheFolder = 'node_modules/.cache/fitter'
const sourceFolders = ['main', 'preload', 'renderer', 'simulator']

/** The checks that run none of our code: types, style, layout, permitted imports, dead code. */
export const staticChecks: readonly Check[] = [
  {
    part: 'types',
    name: 'types',
    program: ['vue-tsc', 'vue-tsc'],
    parameters: ['--noEmit', '-p', '.', '--incremental', '--tsBuildInfoFile', `${cacheFolder}/types`]
  },
  {
    part: 'lint',
    name: 'lint',
    program: ['eslint', 'eslint'],
    parameters: [
      '.',
      '--max-warnings',
      '0',
      '--cache',
      '--cache-strategy',
      'content',
      '--cache-location',
      `${cacheFolder}/eslint`
    ]
  },
  {
    part: 'layout',
    name: 'layout',
    program: ['prettier', 'prettier'],
    parameters: [
      '--check',
      '--log-level',
      'warn',
      '--cache',
      '--cache-strategy',
      'content',
      '--cache-location',
      `${cacheFolder}/prettier`,
      '.'
    ]
  },
  {
    part: 'borders',
    name: 'borders',
    program: ['dependency-cruiser', 'depcruise'],
    parameters: ['--config', '.dependency-cruiser.mjs', '--output-type', 'err-long', ...sourceFolders]
  },
  {
    part: 'dead',
    name: 'dead code',
    program: ['knip', 'knip'],
    parameters: ['--no-progress', '--no-config-hints', '--cache', '--cache-location', `${cacheFolder}/knip`]
  }
]

/** The script of a package's program, so that this Node runs it on every system. */
export function findScript([packageName, programName]: [string, string]): string {
  const folder = join(projectFolder, 'node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>
  }
  const script = typeof bin === 'string' ? bin : bin[programName]
  if (script === undefined) throw new Error(`${packageName} has no program ${programName}.`)
  return join(folder, script)
}

/** Puts our own Node first in PATH, for the programs that a program starts. */
export const toolEnv: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: [join(projectFolder, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
}

function runCheck(check: Check): Promise<CheckResult> {
  const startedMs = performance.now()
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [findScript(check.program), ...check.parameters], {
      cwd: projectFolder,
      // Logs are also read in files, so they have no colour codes.
      env: { ...toolEnv, NO_COLOR: '1', FORCE_COLOR: undefined },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    let log = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (log += part.toString()))
    const end = (isOk: boolean): void => {
      resolve({ name: check.name, isOk, seconds: (performance.now() - startedMs) / 1000, log })
    }
    child.on('error', (error) => {
      log += error.message
      end(false)
    })
    child.on('close', (code) => end(code === 0))
  })
}

/** Runs the checks in parallel, as far as none needs another; says a line when each ends, and the log of those that failed. */
export async function runChecks(
  checks: readonly Check[],
  say: (text: string) => unknown = console.log
): Promise<CheckResult[]> {
  writeMessageTypes()
  const running = new Map<string, Promise<CheckResult>>()
  async function runInTurn(check: Check): Promise<CheckResult> {
    const needed = await running.get(check.needs ?? '')
    if (needed?.isOk === false) {
      say(`left out  ${check.name}: ${needed.name} failed`)
      return { name: check.name, isOk: false, seconds: 0, log: '' }
    }
    const result = await runCheck(check)
    say(`${result.isOk ? 'ok  ' : 'FAIL'}  ${result.name} (${result.seconds.toFixed(1)} s)`)
    return result
  }
  for (const check of checks) running.set(check.part, runInTurn(check))
  const results = await Promise.all(running.values())
  for (const { name, log } of results.filter(({ isOk, log }) => !isOk && log !== ''))
    say(`\n--- ${name}\n${log.trim()}`)
  return results
}
