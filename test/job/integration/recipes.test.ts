// @module-tag long
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { projectFolder } from '../../../bin/build.ts'
import { findScript } from '../../../bin/checks.ts'

/** The steps of a recipe of docs/developing.md: files to create, lines to insert after another one, commands to run. */
const recipe =
  /## A kind of step\n([\s\S]*?)\n## /.exec(readFileSync(join(projectFolder, 'docs/developing.md'), 'utf8'))?.[1] ?? ''
const step =
  /^(?:Create `(?<created>[^`]+)`|In `(?<changed>[^`]+)`, after `(?<anchor>[^`]+)`|(?<run>Run)):\n\n```\w+\n(?<text>[\s\S]*?)```/gm

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
  { timeout: 600_000 },
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

    let steps = 0
    for (const { groups = {} } of recipe.matchAll(step)) {
      const { created, changed, anchor = '', text = '' } = groups
      steps += 1
      if (created) {
        mkdirSync(dirname(join(folder, created)), { recursive: true })
        writeFileSync(join(folder, created), text)
      } else if (changed) {
        const lines = readFileSync(join(folder, changed), 'utf8').split('\n')
        const at = lines.findIndex((line) => line.startsWith(anchor))
        expect(at, `${changed} has a line “${anchor}”`).toBeGreaterThanOrEqual(0)
        lines.splice(at + 1, 0, text.replace(/\n$/, ''))
        writeFileSync(join(folder, changed), lines.join('\n'))
      } else for (const line of text.trim().split('\n')) runHere('sh', '-c', line)
    }
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
