// @module-tag long
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { buildStale, projectFolder } from '../../../bin/build.ts'
import { tryTerminal } from '../../../bin/tryPackage.ts'

it.concurrent.each([
  ['the terminal command of a checkout', [join(projectFolder, 'bin', 'fitter')]],
  [
    'the bundle that packages contain',
    [
      process.execPath,
      join(projectFolder, 'test', 'world', 'window', 'terminalBoot.ts'),
      join(projectFolder, 'out', 'main', 'electron.mjs')
    ]
  ]
] as [string, [string, ...string[]]][])(
  'the trial of a package runs a job with %s',
  { timeout: 900_000 },
  async (_name, terminal) => {
    await buildStale(['main'])
    const folder = mkdtempSync(join(tmpdir(), 'fitter-trial-'))
    try {
      await expect(tryTerminal(terminal, folder)).resolves.toBeUndefined()
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
)
