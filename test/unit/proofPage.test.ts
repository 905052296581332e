import { expect, test } from 'vitest'
import { measurements } from '../proof/claims.ts'
import { pageOf, readRun } from '../proof/page.ts'

const turns = measurements.find(({ run }) => run(1)[1] === 'turns')!
const output = '{"what":"turns","inTurn":{"done":20,"lastMs":1230,"allowedMs":1200,"ratio":1.025,"longestGapMs":3},"withoutTurns":{"lastMs":9000}}'

test('a claim is read with its figure, its other side and its ratio', () => {
  expect(readRun(turns, 'npm run bench -- turns', output, true)).toEqual([
    { claim: turns.claims[0]?.claim, figure: '1230 ms', baseline: '1200 ms', ratio: '1.025', goal: 'ratio at most 1.3', verdict: 'pass', command: 'npm run bench -- turns' }
  ])
})

test('a claim is missed when the ratio is too high, when the run failed, and when there is no figure', () => {
  const verdict = (text: string, isGood: boolean) => readRun(turns, '', text, isGood)[0]?.verdict
  expect(verdict(output.replace('1.025', '1.31'), true)).toBe('miss')
  expect(verdict(output, false)).toBe('miss')
  expect(verdict('', true)).toBe('no figure')
  expect(verdict('', false)).toBe('miss')
})

test('every ratio that a benchmark prints is a claim', () => {
  const line = 'fitter help                                  120.00 ms (p95 130.00) against 60.00 ms: 2.00, goal 3\n'
  expect(readRun({ claims: [] }, 'x', line, true)).toMatchObject([{ claim: 'fitter help', ratio: '2.00', verdict: 'pass' }])
  expect(readRun({ claims: [] }, 'x', line.replace('2.00', '3.10'), true)).toMatchObject([{ verdict: 'miss' }])
})

test('the page names machine, seed and every verdict, and shows text as text', () => {
  const rows = readRun(turns, 'a <b> c', output, true)
  const page = pageOf({ rows, seed: 7, isQuick: true, startedAt: new Date('2026-01-02T03:04:05Z'), machine: 'two processors' })
  expect(page).toContain('seed 7: 1 pass, 0 miss, 0 no figure')
  expect(page).toContain('two processors')
  expect(page).toContain('a &#60;b&#62; c')
})
