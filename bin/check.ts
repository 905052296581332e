import { runChecks, staticChecks, type Check } from './checks.ts'

/** The fast half of `npm test`: everything that needs no build, no browser and no network. */
const unitTests: Check = {
  name: 'unit tests',
  program: ['vitest', 'vitest'],
  parameters: ['run', '--project', 'unit', '--project', 'renderer', '--reporter=dot']
}

const results = await runChecks([...staticChecks, unitTests])
process.exitCode = results.every((result) => result.isOk) ? 0 : 1
