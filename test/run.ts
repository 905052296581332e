import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectFolder } from '../bin/build.ts'
import { findElectron } from '../bin/electronBinary.ts'
import { findScript, runChecks, staticChecks, toolEnv } from '../bin/checks.ts'
import { provideSystemPackages } from './world/systemPackages.ts'
import {
  addUp,
  isGreen,
  nameFailures,
  sayWindowTests,
  tallyPlaywright,
  tallyVitest,
  type PlaywrightResult,
  type Tally,
  type VitestResult
} from './world/tally.ts'

/**
 * `npm test` runs `checks` and `daily`, `npm run test:all` the `rest` as well, and `npm test -- PART ...` the parts
 * that are named. A test belongs to the rest when it has the tag `long`, a browser test unless it has the tag `@daily`.
 */
type Part = 'checks' | 'daily' | 'rest'

/** Repeated at the very end, because the output of the browser tests would hide it. */
const notPassed: string[] = []
/** What the checks found. */
const found: string[] = []
const resultFolder = mkdtempSync(join(tmpdir(), 'fitter-test-'))

/** Runs a program with visible output, and returns its exit code. */
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

/**
 * They keep one core busy for most of their time, so they run beside what follows, and say what they found when that is
 * over.
 */
async function runStaticChecks(): Promise<Tally> {
  const results = await runChecks(staticChecks, (text) => found.push(text))
  const passed = results.filter((result) => result.isOk).length
  return { passed, failed: results.length - passed, skipped: 0 }
}

async function runBuild(): Promise<Tally> {
  const exitCode = await run(join(projectFolder, 'bin', 'build.ts'), [])
  return { passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, skipped: 0 }
}

async function runVitest(part: 'daily' | 'rest'): Promise<Tally> {
  const path = join(resultFolder, `vitest-${part}.json`)
  const hookErrors = join(resultFolder, `hooks-${part}.json`)
  const exitCode = await run(
    findScript(['vitest', 'vitest']),
    [
      'run',
      `--tagsFilter=${part === 'daily' ? '!long' : 'long'}`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${path}`,
      `--reporter=${join(import.meta.dirname, 'world', 'hookErrors.ts')}`
    ],
    { FITTER_HOOK_ERRORS: hookErrors }
  )
  const result = readResult(path) as VitestResult | undefined
  notPassed.push(...nameFailures(result, readResult(hookErrors) as Record<string, string> | undefined))
  return tallyVitest(result, exitCode, (tags) => tags.includes('long') === (part === 'rest'))
}

async function runPlaywright(part: 'daily' | 'rest'): Promise<Tally> {
  const path = join(resultFolder, `playwright-${part}.json`)
  const parameters = ['test', '--reporter=list,json', part === 'daily' ? '--grep=@daily' : '--grep-invert=@daily']
  const exitCode = await run(findScript(['@playwright/test', 'playwright']), parameters, {
    PLAYWRIGHT_JSON_OUTPUT_FILE: path,
    // Node takes the types out of the tests and of the core that they load: without its cache, Playwright's compiler
    // takes six times as long.
    PW_DISABLE_TS_ESM: '1'
  })
  return tallyPlaywright(readResult(path) as PlaywrightResult | undefined, exitCode)
}

const steps: Record<Part, readonly (readonly [title: string, step: () => Promise<Tally>])[]> = {
  checks: [['Build', runBuild]],
  daily: [
    ['Unit, page and integration tests', () => runVitest('daily')],
    ['Tests in a browser', () => runPlaywright('daily')]
  ],
  rest: [
    ['Long tests', () => runVitest('rest')],
    ['All other tests in a browser', () => runPlaywright('rest')]
  ]
}

function isPart(name: string): name is Part {
  return Object.hasOwn(steps, name)
}

const names = process.argv.length > 2 ? process.argv.slice(2) : ['checks', 'daily']
if (!names.every(isPart)) {
  console.error(`The parts are: ${Object.keys(steps).join(', ')}.`)
  process.exit(2)
}

provideSystemPackages()
const tallies: Tally[] = []
const times: string[] = []
async function timed(title: string, step: () => Promise<Tally>): Promise<void> {
  const startedMs = performance.now()
  tallies.push(await step())
  times.push(`${((performance.now() - startedMs) / 1_000).toFixed(0).padStart(5)} s  ${title}`)
}
const checking = names.includes('checks') ? timed('Checks', runStaticChecks) : undefined
for (const [title, step] of names.flatMap((part) => steps[part])) {
  console.log(`\n== ${title}`)
  await timed(title, step)
}
await checking
if (checking) console.log(['\n== Checks', ...found].join('\n'))
rmSync(resultFolder, { recursive: true, force: true })

const total = addUp(tallies)
const isCi = Boolean(process.env.CI) && process.env.CI !== 'false'
if (isCi && total.skipped > 0) console.log('\nIn CI nothing may be skipped: this counts as a failure.')
process.exitCode = isGreen(total, isCi) ? 0 : 1
if (notPassed.length > 0)
  console.log(['\nNot passed of the unit, page and integration tests:', ...notPassed].join('\n  '))
console.log(
  ['\nHow long it took:', ...times, `${(performance.now() / 1_000).toFixed(0).padStart(5)} s  in all`].join('\n')
)
if (names.some((name) => name !== 'checks')) console.log(`\n${sayWindowTests(findElectron(projectFolder))}`)
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
