import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findOutsidePage } from '../../../../main/base/page/outsidePages.ts'
import type { OutsidePage } from '../../../../preload/contract/app/app.ts'
import { calls } from '../../../../preload/contract/index.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fitter-outside-'))
  for (const name of ['README.md', 'secret.txt']) writeFileSync(join(folder, name), name)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const attempts = [
  'https://attacker.example/',
  'file:///etc/passwd',
  '/etc/passwd',
  'secret.txt',
  '../secret.txt',
  'README.md',
  'javascript:alert(1)',
  '__proto__',
  'toString',
  ''
]

it.each(attempts)('no address or path is an external page: "%s"', (page) => {
  expect(calls['app.openPage'].input.safeParse({ page }).success).toBe(false)
})

it('an external page is a file of this installation, found by its id', () => {
  expect(findOutsidePage('documentation', [join(folder, 'missing'), folder])).toBe(join(folder, 'README.md'))
  expect(() => findOutsidePage('licences', [folder])).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }))
})

it.each(attempts)('an id that is not in the table opens nothing: "%s"', (page) => {
  expect(() => findOutsidePage(page as OutsidePage, [folder])).toThrow()
})
