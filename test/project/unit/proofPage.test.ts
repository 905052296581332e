import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from '../../../bin/build.ts'
import { measurements } from '../../proof/claims.ts'
import { mutantGroups } from '../../proof/mutantGroups.ts'
import { pageOf, readRun } from '../../proof/page.ts'

const turns = measurements.find(({ run }) => run(1)[1] === 'turns')!
const output =
  '{"what":"turns","inTurn":{"done":20,"lastMs":1230,"allowedMs":1200,"ratio":1.025,"longestGapMs":3},"withoutTurns":{"lastMs":9000}}'

test('a claim is read with its figure, its other side and its ratio', () => {
  expect(readRun(turns, output, true)).toEqual([
    {
      claim: turns.claims[0]?.claim,
      figure: '1230 ms',
      baseline: '1200 ms',
      ratio: '1.025',
      goal: 'ratio at most 1.3',
      verdict: 'pass'
    }
  ])
})

test('a claim is missed when the ratio is too high, when the run failed, and when there is no figure', () => {
  const verdict = (text: string, isGood: boolean) => readRun(turns, text, isGood)[0]?.verdict
  expect(verdict(output.replace('1.025', '1.31'), true)).toBe('miss')
  expect(verdict(output, false)).toBe('miss')
  expect(verdict('', true)).toBe('no figure')
  expect(verdict('', false)).toBe('miss')
})

test('every ratio that a benchmark prints is a claim', () => {
  const line = 'fitter help                                  120.00 ms (p95 130.00) against 60.00 ms: 2.00, goal 3\n'
  expect(readRun({ claims: [] }, line, true)).toMatchObject([{ claim: 'fitter help', ratio: '2.00', verdict: 'pass' }])
  expect(readRun({ claims: [] }, line.replace('2.00', '3.10'), true)).toMatchObject([{ verdict: 'miss' }])
})

test('the page names machine, time and every verdict, and shows text as text', () => {
  const run = {
    command: 'a <b> c',
    at: '2026-01-02 03:04',
    tookS: 5,
    commit: 'abc',
    machine: 'two processors',
    rows: readRun(turns, output, true)
  }
  const page = pageOf([run], '1 of 2 runs.')
  expect(page).toContain('1 of 2 runs. 1 pass, 0 miss, 0 no figure')
  expect(page).toContain('two processors')
  expect(page).toContain('a &#60;b&#62; c</code><br>2026-01-02 03:04 UTC, 5 s, at abc')
})

test('every benchmark and every proof is on the page', () => {
  const measured = new Set(measurements.map(({ run }) => run(1).slice(0, 2).join(' ')))
  const benches = readdirSync(join(projectFolder, 'test/bench'))
    .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
    .map((file) => `bench ${file.slice(0, -3)}`)
  const proofs = [
    ...readFileSync(join(projectFolder, 'test/proof/run.ts'), 'utf8').matchAll(/^ {2}case '(\w+)'/gm)
  ].map(([, name]) => `proof ${name}`)
  expect(proofs.length).toBeGreaterThan(15)
  expect([...benches, ...proofs].filter((name) => !measured.has(name))).toEqual([])
})

test('every file that a proof changes or runs is there', () => {
  const inBraces = (pattern: string): string[] => {
    const [all = '', names] = /\{([^}]*)\}/.exec(pattern) ?? []
    return names === undefined ? [pattern] : names.split(',').flatMap((name) => inBraces(pattern.replace(all, name)))
  }
  const proofs = globSync('test/proof/**/*.ts', { cwd: projectFolder }).map((file) =>
    readFileSync(join(projectFolder, file), 'utf8')
  )
  const written = proofs.flatMap((text) =>
    [...text.matchAll(/'(?<path>(?:test|main|bin|preload|renderer|simulator)\/[\w./-]+\.(?:ts|vue))'/g)].map(
      ({ groups }) => groups?.['path'] ?? ''
    )
  )
  // `join(projectFolder, 'test', 'run.ts')`
  const joined = proofs.flatMap((text) =>
    [...text.matchAll(/projectFolder, ((?:'[\w-]+', )+'[\w.-]+\.ts')\)/g)].map(([, parts = '']) =>
      parts.replaceAll(/'|,/g, '').replaceAll(' ', '/')
    )
  )
  const patterns = [
    ...Object.values(mutantGroups)
      .flatMap(({ mutate, tests }) => [...mutate, ...tests])
      .flatMap(inBraces),
    ...written,
    ...joined
  ]
  expect(patterns.length).toBeGreaterThan(150)
  expect(joined.length).toBeGreaterThan(0)
  expect([...new Set(patterns)].filter((pattern) => globSync(pattern, { cwd: projectFolder }).length === 0)).toEqual([])
})
