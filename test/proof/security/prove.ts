import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { createVitest, type Vitest } from 'vitest/node'
import { projectFolder } from '../../../bin/build.ts'
import { memoryFolder } from '../../support/memoryFolder.ts'
import { fewBreaks, findRot, readTestSource, securityBreaks, type SecurityBreak } from './breaks.ts'

const notCopied = new Set(['node_modules', 'out', '.git', 'test-results'])

/** A copy of the sources with the same packages: what is broken there, the checkout never sees. */
function copySources(): string {
  const folder = realpathSync(mkdtempSync(join(memoryFolder, 'fitter-security-')))
  cpSync(projectFolder, folder, { recursive: true, filter: (path) => !(notCopied.has(basename(path)) && join(projectFolder, basename(path)) === path) })
  symlinkSync(realpathSync(join(projectFolder, 'node_modules')), join(folder, 'node_modules'))
  return folder
}

interface TestOutcome {
  file: string
  name: string
  hasPassed: boolean
}

/** Runs the tests of these files whose name contains one of the texts. Files that cannot be loaded have no outcome. */
async function runTests(vitest: Vitest, folder: string, wanted: readonly SecurityBreak['caughtBy'][]): Promise<TestOutcome[]> {
  const files = new Set(wanted.map(([file]) => join(folder, file)))
  const specifications = (await vitest.globTestSpecifications()).filter(({ moduleId }) => files.has(moduleId))
  vitest.setGlobalTestNamePattern(new RegExp(wanted.map(patternOf).join('|')))
  const { testModules } = await vitest.runTestSpecifications(specifications, false)
  return testModules.flatMap((module) =>
    [...module.children.allTests()].flatMap((test) => {
      const { state } = test.result()
      return state === 'passed' || state === 'failed' ? [{ file: relative(folder, module.moduleId), name: test.fullName, hasPassed: state === 'passed' }] : []
    })
  )
}

/** The name of a test as its source has it: `%s` and the like stand for values. */
function patternOf([, name, value]: SecurityBreak['caughtBy']): string {
  const named = value === undefined ? name : name.replace('%s', value)
  return named.split(/%[sj]|\$\{\w+\}|\$\w+/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')
}

function isNamed({ file, name }: TestOutcome, caughtBy: SecurityBreak['caughtBy']): boolean {
  return file === caughtBy[0] && new RegExp(patternOf(caughtBy)).test(name)
}

/** Breaks the copy in one place, runs the test that is named for it, and restores the copy. */
async function proveBreak(vitest: Vitest, folder: string, wanted: SecurityBreak): Promise<string | undefined> {
  const path = join(folder, wanted.file)
  const source = readFileSync(path, 'utf8')
  const rot = findRot(wanted, source, readTestSource(folder, wanted))
  if (rot !== undefined) return rot
  const replace = (text: string): void => {
    writeFileSync(path, text)
    vitest.invalidateFile(path)
  }
  replace(source.replace(wanted.from, () => wanted.to))
  try {
    const outcomes = await runTests(vitest, folder, [wanted.caughtBy])
    if (outcomes.some((outcome) => isNamed(outcome, wanted.caughtBy) && !outcome.hasPassed)) return undefined
    return outcomes.length === 0 ? 'the named test did not run' : 'NOT CAUGHT'
  } finally {
    replace(source)
  }
}

/**
 * `npm run proof -- security [short | TEXT]`: breaks one rule after the other in a copy of the sources, and expects the test that is
 * named for it to fail. `short` takes one break for each unit test, TEXT those whose rule or file contains it.
 */
export async function proveSecurity(only?: string): Promise<boolean> {
  const breaks = only === 'short' ? fewBreaks : securityBreaks.filter(({ rule, file }) => only === undefined || `${rule} ${file}`.includes(only))
  const folder = copySources()
  const vitest = await createVitest({ root: folder, config: join(folder, 'vitest.config.ts'), watch: false, silent: true, reporters: [{}] })
  try {
    // A test that fails anyway would catch everything.
    const sound = await runTests(vitest, folder, breaks.map(({ caughtBy }) => caughtBy))
    const red = breaks.filter(({ caughtBy }) => !sound.some((outcome) => isNamed(outcome, caughtBy) && outcome.hasPassed) || sound.some((outcome) => isNamed(outcome, caughtBy) && !outcome.hasPassed))
    for (const { rule, caughtBy } of red) console.log(`NOT GREEN BEFORE: ${rule}: ${caughtBy.join(': ')}`)
    if (red.length > 0) return false
    let caught = 0
    for (const one of breaks) {
      const beganMs = performance.now()
      const problem = await proveBreak(vitest, folder, one)
      if (problem === undefined) caught++
      console.log(`${problem === undefined ? 'caught' : problem}  ${((performance.now() - beganMs) / 1_000).toFixed(1)} s  ${one.rule}  (${one.caughtBy.join(': ')})`)
    }
    console.log(`${caught} of ${breaks.length}`)
    return breaks.length > 0 && caught === breaks.length
  } finally {
    await vitest.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
