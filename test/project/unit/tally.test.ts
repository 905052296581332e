import { expect, it } from 'vitest'
import { addUp, isGreen, nameFailures, tallyPlaywright, tallyVitest } from '../../world/tally.ts'

const vitest = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 1, numTodoTests: 2 }
const playwright = { stats: { expected: 3, unexpected: 0, flaky: 0, skipped: 1 } }

it('counts what the runners report', () => {
  expect(tallyVitest(vitest, 0)).toEqual({ passed: 5, failed: 0, skipped: 3 })
  expect(tallyPlaywright(playwright, 0)).toEqual({ passed: 3, failed: 0, skipped: 1 })
  expect(addUp([tallyVitest(vitest, 0), tallyPlaywright(playwright, 0)])).toEqual({ passed: 8, failed: 0, skipped: 4 })
})

it('counts a runner that fails without a failed test, or that says nothing, as one failure', () => {
  expect(tallyVitest(vitest, 1).failed).toBe(1)
  expect(tallyPlaywright(playwright, 1).failed).toBe(1)
  expect(tallyVitest(undefined, 0).failed).toBe(1)
  expect(tallyPlaywright(undefined, 0).failed).toBe(1)
})

it('does not count a failed test twice', () => {
  expect(tallyVitest({ ...vitest, numFailedTests: 2 }, 1).failed).toBe(2)
})

it('does not count a test of another part as skipped, and one of this part as ever', () => {
  const assertionResults = [
    { fullName: 'one', status: 'skipped', tags: ['long'] },
    { fullName: 'two', status: 'skipped' }
  ]
  const result = {
    ...vitest,
    numPendingTests: 2,
    numTodoTests: 0,
    testResults: [{ name: 'a.test.ts', status: 'passed', assertionResults }]
  }
  expect(tallyVitest(result, 0, (tags) => !tags.includes('long')).skipped).toBe(1)
  expect(tallyVitest(result, 0).skipped).toBe(2)
})

it('does not let a test pass that only passed when repeated', () => {
  expect(tallyPlaywright({ stats: { ...playwright.stats, flaky: 1 } }, 0)).toEqual({ passed: 3, failed: 1, skipped: 1 })
})

it("is green with a skipped test on a machine of one's own, and not in CI", () => {
  const tally = { passed: 1, failed: 0, skipped: 1 }
  expect([isGreen(tally, false), isGreen(tally, true)]).toEqual([true, false])
})

it('is never green with a failure, or with nothing that passed', () => {
  expect(isGreen({ passed: 9, failed: 1, skipped: 0 }, false)).toBe(false)
  expect(isGreen({ passed: 0, failed: 0, skipped: 0 }, false)).toBe(false)
})

it('names, with the first line of the reason, what failed, what was never reached because its process died, and a file that could not be loaded', () => {
  const testResults = [
    {
      name: 'a.test.ts',
      status: 'failed',
      assertionResults: [
        { fullName: 'one', status: 'failed', failureMessages: ['Error: expected 1\n    at a.test.ts'] },
        { fullName: 'two', status: 'passed' },
        { fullName: 'three', status: 'skipped' }
      ]
    },
    { name: 'b.test.ts', status: 'pending', assertionResults: [{ fullName: 'four', status: 'pending' }] },
    { name: 'c.test.ts', status: 'failed', message: '\nno space left on device\n', assertionResults: [] },
    { name: 'e.test.ts', status: 'failed', message: '', assertionResults: [{ fullName: 'six', status: 'skipped' }] },
    { name: 'd.test.ts', status: 'passed', assertionResults: [{ fullName: 'five', status: 'passed' }] }
  ]
  expect(nameFailures({ ...vitest, testResults }, { 'e.test.ts': 'nothing could be packed\nat …' })).toEqual([
    'a.test.ts: one (failed): Error: expected 1',
    'b.test.ts: four (pending)',
    'c.test.ts (failed): no space left on device',
    'e.test.ts (failed): nothing could be packed'
  ])
  expect(nameFailures(undefined)).toEqual([])
})
