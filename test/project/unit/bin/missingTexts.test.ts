import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { projectFolder } from '../../../../bin/build.ts'

function missingIn(folder: string) {
  const { status, stdout } = spawnSync(process.execPath, ['bin/missingTexts.ts', folder], {
    cwd: projectFolder,
    encoding: 'utf8'
  })
  return { status, stdout }
}

test('a translator learns which texts a language lacks, and in which file each belongs', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'fitter-language-')), 'pt')
  onTestFinished(() => rmSync(join(folder, '..'), { recursive: true }))
  cpSync(join(projectFolder, 'resources', 'messages', 'es'), folder, { recursive: true })
  expect(missingIn(folder)).toEqual({ status: 0, stdout: 'No text is missing.\n' })
  const file = join(folder, 'base', 'common.json')
  const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  writeFileSync(file, JSON.stringify({ ...texts, 'common.settings': undefined, 'common.more': undefined }))
  rmSync(join(folder, 'app', 'policy.json'))
  const { status, stdout } = missingIn(folder)
  expect(status).toBe(1)
  expect(stdout).toContain('base/common.json: common.more, common.settings')
  expect(stdout).toContain('app/policy.json: ')
})
