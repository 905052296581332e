import { runChecks, staticChecks, type Check } from './checks.ts'

/** Lints only uncommitted changes: linting everything is too slow here, and `npm test` does it. */
const unitTests: Check = {
  name: 'unit tests of what changed',
  program: ['vitest', 'vitest'],
  parameters: ['run', '--project', 'unit', '--project', 'renderer', '--changed', '--passWithNoTests', '--reporter=dot']
}

const results = await runChecks([...staticChecks, unitTests])
process.exitCode = results.every((result) => result.isOk) ? 0 : 1
