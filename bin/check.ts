import { runChecks, staticChecks, type Check } from './checks.ts'

/** `npm test` runs every test: here, those of the files that differ from the last commit. */
const changedTests: Check = {
  part: 'tests',
  name: 'unit tests of what changed',
  program: ['vitest', 'vitest'],
  parameters: ['run', '--project', 'unit', '--project', 'renderer', '--changed', '--passWithNoTests', '--reporter=dot'],
  needs: 'types'
}

const checks = [...staticChecks, changedTests]
const names = checks.map(({ part }) => part)
const usage = `npm run check             every part; no test runs if the types are wrong
npm run check -- tests    the named parts only: ${names.join(', ')}`

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !names.includes(name))
if (wanted.includes('--help')) console.log(usage)
else if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}.\n${usage}`)
  process.exitCode = 2
} else {
  const results = await runChecks(checks.filter(({ part }) => wanted.length === 0 || wanted.includes(part)))
  process.exitCode = results.every((result) => result.isOk) ? 0 : 1
}
