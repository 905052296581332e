import { runChecks, staticChecks, type Check } from './checks.ts'

/** Only what the uncommitted change touches: all of them take longer than a fast loop may, and `npm test` runs all. */
const unitTests: Check = {
  name: 'unit tests of what changed',
  program: ['vitest', 'vitest'],
  parameters: ['run', '--project', 'unit', '--project', 'renderer', '--changed', '--passWithNoTests', '--reporter=dot']
}

const results = await runChecks([...staticChecks, unitTests])
process.exitCode = results.every((result) => result.isOk) ? 0 : 1
