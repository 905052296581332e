import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectFolder } from './build.ts'
import { findScript, runChecks, staticChecks, toolEnv } from './checks.ts'
import { provideSystemPackages } from './systemPackages.ts'

interface Tally {
  passed: number
  failed: number
  skipped: number
}

const resultFolder = mkdtempSync(join(tmpdir(), 'fitter-test-'))

/** Runs a program with its output shown, and returns its exit code. */
function run(script: string, parameters: string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...parameters], {
      cwd: projectFolder,
      env: { ...toolEnv, ...env },
      stdio: ['ignore', 'inherit', 'inherit']
    })
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
}

function readResult(path: string): unknown {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

/** A runner that fails without a failed test (a file that does not load, no test found) is a failure of its own. */
function honest(tally: Tally, exitCode: number): Tally {
  return exitCode !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally
}

async function runStaticChecks(): Promise<Tally> {
  const results = await runChecks(staticChecks)
  const passed = results.filter((result) => result.isOk).length
  return { passed, failed: results.length - passed, skipped: 0 }
}

async function runBuild(): Promise<Tally> {
  const exitCode = await run(join(projectFolder, 'bin', 'build.ts'), [])
  return { passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, skipped: 0 }
}

interface VitestResult {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
}

async function runVitest(): Promise<Tally> {
  const path = join(resultFolder, 'vitest.json')
  const exitCode = await run(findScript(['vitest', 'vitest']), [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${path}`
  ])
  const result = readResult(path) as VitestResult | undefined
  if (result === undefined) return { passed: 0, failed: 1, skipped: 0 }
  const skipped = result.numPendingTests + result.numTodoTests
  return honest({ passed: result.numPassedTests, failed: result.numFailedTests, skipped }, exitCode)
}

interface PlaywrightResult {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
}

async function runPlaywright(): Promise<Tally> {
  const path = join(resultFolder, 'playwright.json')
  const parameters = ['test', '--reporter=list,json']
  const exitCode = await run(findScript(['@playwright/test', 'playwright']), parameters, {
    PLAYWRIGHT_JSON_OUTPUT_FILE: path
  })
  const result = readResult(path) as PlaywrightResult | undefined
  if (result === undefined) return { passed: 0, failed: 1, skipped: 0 }
  const { expected, unexpected, flaky, skipped } = result.stats
  // Passed only when repeated is not passed.
  return honest({ passed: expected, failed: unexpected + flaky, skipped }, exitCode)
}

provideSystemPackages()
const total: Tally = { passed: 0, failed: 0, skipped: 0 }
for (const [title, step] of [
  ['Checks', runStaticChecks],
  ['Build', runBuild],
  ['Unit, page and integration tests', runVitest],
  ['Tests in a browser', runPlaywright]
] as const) {
  console.log(`\n== ${title}`)
  const tally = await step()
  total.passed += tally.passed
  total.failed += tally.failed
  total.skipped += tally.skipped
}
rmSync(resultFolder, { recursive: true, force: true })

const isCi = Boolean(process.env.CI) && process.env.CI !== 'false'
if (isCi && total.skipped > 0) console.log('\nIn CI nothing may be skipped: this counts as a failure.')
process.exitCode = total.failed > 0 || total.passed === 0 || (isCi && total.skipped > 0) ? 1 : 0
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
