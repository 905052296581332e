import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { referenceFolder, referencePages } from '../../docs/reference.ts'

test('the reference in docs/reference/ is of the present code (npm run docs)', async () => {
  const pages = await referencePages()
  expect(readdirSync(referenceFolder).sort()).toEqual([...pages.keys()].sort())
  for (const [name, text] of pages)
    expect(readFileSync(join(referenceFolder, name), 'utf8') === text, `${name} is out of date: npm run docs`).toBe(
      true
    )
})

test('no cell of the coverage table is empty', async () => {
  const rows =
    (await referencePages())
      .get('api-coverage.md')
      ?.split('\n')
      .filter((line) => line.startsWith('| `')) ?? []
  expect(rows.length).toBe(113)
  expect(rows.filter((line) => /\|\s*\|/.test(line.slice(0, -1)))).toEqual([])
})
