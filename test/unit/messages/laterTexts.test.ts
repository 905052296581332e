import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from '../../../bin/build.ts'

const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8')

/** The topics in the pattern of a catalogue's glob. */
function topicsIn(file: string): string[] {
  return [...read(file).matchAll(/\{([^{}]*)\}\.json/g)].flatMap(([, list = '']) => list.split(',').filter((topic) => topic.startsWith('window')))
}

/** Every file of the page that can show something before a screen is loaded: the frame, the first screen, and the dialogs that open from anywhere. */
function filesBeforeScreens(): string[] {
  const seen = new Set<string>()
  const open = ['renderer/main.ts']
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file) || !existsSync(join(projectFolder, file))) continue
    seen.add(file)
    const from = dirname(file)
    // Screens are loaded together with their texts, and catalogues are the texts.
    const isLoader = file === 'renderer/frame/screens.ts' || file === 'renderer/say.ts'
    for (const [, isCall, path = ''] of read(file).matchAll(/(?:from|import)(\s*\()?\s*['"](\.[^'"]+)['"]/g)) {
      if (!isCall || !isLoader) open.push(normalize(join(from, path)))
    }
  }
  return [...seen].filter((file) => file.startsWith('renderer/'))
}

test('both languages leave the same texts for later', () => {
  const [later = [], ...others] = ['en', 'es'].flatMap((language) => [topicsIn(`renderer/catalogues/${language}.ts`), topicsIn(`renderer/catalogues/${language}Later.ts`)])
  expect(later.length).toBeGreaterThan(0)
  for (const other of others) expect(other).toEqual(later)
})

test('nothing that is shown before the first screen change says a text that is loaded later', () => {
  const later = topicsIn('renderer/catalogues/en.ts')
  const files = filesBeforeScreens()
  expect(files.length).toBeGreaterThan(100)
  const wrong = files.flatMap((file) => later.filter((topic) => new RegExp(`['"\`]${topic}\\.`).test(read(file))).map((topic) => `${file}: ${topic}`))
  expect(wrong).toEqual([])
})
