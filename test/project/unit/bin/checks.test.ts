import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runChecks, type Check } from '../../../../bin/checks.ts'
import { projectFolder } from '../../../../bin/build.ts'

const prettier = (part: string, ...parameters: string[]): Check => ({
  part,
  name: `${part} of the test`,
  program: ['prettier', 'prettier'],
  parameters
})

async function linesOf(checks: readonly Check[]): Promise<string[]> {
  const lines: string[] = []
  await runChecks(checks, (line) => lines.push(line))
  return lines.map((line) => line.replace(/ \([\d.]+ s\)$/, ''))
}

test('a check whose result would mean nothing is left out when the one that it needs failed', async () => {
  const failing = prettier('types', '--check', join(import.meta.dirname, 'no-such-file.ts'))
  const tests = { ...prettier('tests', '--version'), needs: 'types' }
  const lines = await linesOf([failing, tests])
  expect(lines.slice(0, 2)).toEqual([
    'FAIL  types of the test',
    'left out  tests of the test: types of the test failed'
  ])
  expect(lines[2]).toContain('no-such-file.ts')
  expect(await linesOf([prettier('types', '--version'), tests])).toEqual([
    'ok    types of the test',
    'ok    tests of the test'
  ])
  expect(await linesOf([tests]), 'alone').toEqual(['ok    tests of the test'])
})

test('a check is run by its name, and an unknown one is refused with the list of names', () => {
  const check = (...names: string[]) =>
    spawnSync(process.execPath, ['bin/check.ts', ...names], { cwd: projectFolder, encoding: 'utf8' })
  const unknown = check('types', 'typos')
  expect(unknown.status).toBe(2)
  expect(unknown.stderr).toContain('types, lint, layout, borders, dead, tests')
  expect(unknown.stderr).toContain('typos')
  expect(check('--help').stdout).toContain('npm run check -- tests')
})
