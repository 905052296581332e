import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from '../../../bin/build.ts'

const looks = (...parameters: string[]) =>
  spawnSync(process.execPath, [join('test', 'looks', 'run.ts'), ...parameters], {
    cwd: projectFolder,
    encoding: 'utf8'
  })

test('npm run looks lists its scenes, and refuses one that there is not before it builds anything', () => {
  const help = looks('--help')
  expect([help.status, help.stderr]).toEqual([0, ''])
  expect(help.stdout).toContain('--scene NAME')
  expect(help.stdout).toMatch(/\bdevices\b.*\bjob-failed\b/s)
  for (const wrong of [['--scene', 'nothing'], ['--nonsense'], ['--theme', 'pink']]) {
    const refused = looks(...wrong)
    expect(refused.status, wrong.join(' ')).toBe(2)
    expect(refused.stderr).toContain(wrong.at(-1))
    expect(refused.stderr).not.toContain(' at ')
  }
  expect(looks('--scene', 'nothing').stderr).toContain('job-failed')
})
