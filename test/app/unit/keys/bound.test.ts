import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shortcutRows } from '../../../../preload/app/keys/keyTable.ts'

const renderer = join(import.meta.dirname, '..', '..', '..', '..', 'renderer')

test('every shortcut of the sheet is bound on some screen, so that no line of it promises nothing', () => {
  const sources = readdirSync(renderer, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|vue)$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
  // useKeys gets an id as the name of a property, a list screen in the list of its keys with the act.
  const ofLists = [...sources.matchAll(/\{\s*of: \[([^\]]*)\],\s*text: [^{}]*?\bact\b/g)].map(([, ids]) => ids).join()
  expect(
    shortcutRows.map(({ id }) => id).filter((id) => !sources.includes(`'${id}':`) && !ofLists.includes(`'${id}'`))
  ).toEqual([])
})
