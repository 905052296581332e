// @module-tag long
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { projectFolder } from '../../../bin/build.ts'
import { findScript } from '../../../bin/checks.ts'
import { followRecipe } from '../../world/recipe.ts'

const folder = mkdtempSync(join(tmpdir(), 'fitter-recipe-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function runHere(program: string, ...parameters: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, parameters, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` }
  })
  expect(status, `${program} ${parameters.join(' ')}\n${stdout}${stderr}`).toBe(0)
  return stdout
}

test(
  'the recipe for a kind of step, followed to the letter, gives a kind that compiles and passes its tests',
  { timeout: 1_800_000 },
  () => {
    for (const part of [
      'bin',
      'demo',
      'docs',
      'main',
      'preload',
      'renderer',
      'resources',
      'simulator',
      'test',
      'package.json',
      'package-lock.json',
      'tsconfig.json',
      'vitest.config.ts',
      'vite.main.config.ts',
      'vite.preload.config.ts',
      'vite.renderer.config.ts',
      'vite.sealPage.config.ts',
      'playwright.config.ts',
      'eslint.config.js'
    ]) {
      cpSync(join(projectFolder, part), join(folder, part), { recursive: true, verbatimSymlinks: true })
    }
    symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'))

    const steps = followRecipe('A kind of step', folder, (line) => void runHere('sh', '-c', line))
    expect(steps).toBeGreaterThan(12)

    runHere(process.execPath, findScript(['vue-tsc', 'vue-tsc']), '--noEmit')
    const tests = [
      'test/job/unit/jobs/checks/standstill.test.ts',
      'test/job/unit/jobs/limits.test.ts',
      'test/job/unit/jobs/checklists',
      'test/base/unit/messages/glossary.test.ts',
      'test/project/unit/reference.test.ts'
    ]
    expect(runHere(process.execPath, findScript(['vitest', 'vitest']), 'run', ...tests)).toMatch(/Tests\s+\d+ passed/)
  }
)
