import { changeCode } from '../../world/changeCode.ts'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createVitest, type Vitest } from 'vitest/node'
import { copySources } from '../copiedSources.ts'
import { fewBreaks, findRot, readTestSource, securityBreaks, type SecurityBreak } from './breaks.ts'

interface TestOutcome {
  file: string
  name: string
  /** The sentence of its failure; undefined when it passed. */
  problem: string | undefined
}

/** Runs the tests of these files whose name contains one of the texts. Files that cannot be loaded have no outcome. */
async function runTests(
  vitest: Vitest,
  folder: string,
  wanted: readonly SecurityBreak['caughtBy'][]
): Promise<TestOutcome[]> {
  const files = new Set(wanted.map(([file]) => join(folder, file)))
  const specifications = (await vitest.globTestSpecifications()).filter(({ moduleId }) => files.has(moduleId))
  vitest.setGlobalTestNamePattern(new RegExp(wanted.map(patternOf).join('|')))
  const { testModules } = await vitest.runTestSpecifications(specifications, false)
  return testModules.flatMap((module) =>
    [...module.children.allTests()].flatMap((test) => {
      const { state, errors } = test.result()
      if (state !== 'passed' && state !== 'failed') return []
      return [
        {
          file: relative(folder, module.moduleId),
          name: test.fullName,
          problem: state === 'passed' ? undefined : (errors?.[0]?.message ?? 'failed')
        }
      ]
    })
  )
}

/** The name of a test as its source has it: `%s` and the like stand for values. */
function patternOf([, name, value]: SecurityBreak['caughtBy']): string {
  const named = value === undefined ? name : name.replace('%s', value)
  return named
    .split(/%[sj]|\$\{\w+\}|\$\w+/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
}

function isNamed({ file, name }: TestOutcome, caughtBy: SecurityBreak['caughtBy']): boolean {
  return file === caughtBy[0] && new RegExp(patternOf(caughtBy)).test(name)
}

/**
 * Tests that fail, or do not run, while nothing is broken: they would catch everything. Each file by itself, as later
 * with its breaks.
 */
async function findRed(vitest: Vitest, folder: string, breaks: readonly SecurityBreak[]): Promise<string[]> {
  const red: string[] = []
  for (const file of new Set(breaks.map(({ caughtBy }) => caughtBy[0]))) {
    const wanted = breaks.map(({ caughtBy }) => caughtBy).filter((one) => one[0] === file)
    const outcomes = await runTests(vitest, folder, wanted)
    const failed = outcomes
      .filter(({ problem }) => problem !== undefined)
      .map(({ name, problem }) => `${file}: ${name}: ${problem}`)
    const missing = wanted
      .filter((one) => !outcomes.some((outcome) => isNamed(outcome, one)))
      .map(([, name]) => `${file}: ${name}: did not run`)
    red.push(...failed, ...missing)
  }
  return red
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
  replace(changeCode(source, wanted.from, wanted.to))
  try {
    const outcomes = await runTests(vitest, folder, [wanted.caughtBy])
    if (outcomes.some((outcome) => isNamed(outcome, wanted.caughtBy) && outcome.problem !== undefined)) return undefined
    return outcomes.length === 0 ? 'the named test did not run' : 'NOT CAUGHT'
  } finally {
    replace(source)
  }
}

/**
 * `npm run proof -- security [short | TEXT]`: breaks one rule after the other in a copy of the sources, and expects the
 * test that is named for it to fail. `short` takes one break for each unit test, TEXT those whose rule or file contains
 * it.
 */
export async function proveSecurity(only?: string): Promise<boolean> {
  const breaks =
    only === 'short'
      ? fewBreaks
      : securityBreaks.filter(({ rule, file }) => only === undefined || `${rule} ${file}`.includes(only))
  const folder = copySources()
  const vitest = await createVitest({
    root: folder,
    config: join(folder, 'vitest.config.ts'),
    watch: false,
    silent: true,
    reporters: [{}]
  })
  try {
    let areGreen = true
    for (const red of await findRed(vitest, folder, breaks)) {
      console.log(`NOT GREEN BEFORE: ${red}`)
      areGreen = false
    }
    if (!areGreen) return false
    let caught = 0
    for (const one of breaks) {
      const beganMs = performance.now()
      const problem = await proveBreak(vitest, folder, one)
      if (problem === undefined) caught++
      console.log(
        `${problem === undefined ? 'caught' : problem}  ${((performance.now() - beganMs) / 1_000).toFixed(1)} s  ${one.rule}  (${one.caughtBy.join(': ')})`
      )
    }
    console.log(`${caught} of ${breaks.length}`)
    return breaks.length > 0 && caught === breaks.length
  } finally {
    await vitest.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
