import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from '../../../bin/build.ts'

const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8')

/** The topics that a catalogue's pattern names as those of the first screen. */
function topicsIn(file: string): string[] {
  return [...read(file).matchAll(/\{(\w+(?:,\w+)+)\}\.json/g)].flatMap(([, list = '']) => (list.includes('common') ? list.split(',') : []))
}

/** The page's files that are loaded before its first screen: what others load later is not among them. */
function firstFiles(): string[] {
  const seen = new Set<string>()
  const open = ['renderer/main.ts']
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file) || !existsSync(join(projectFolder, file))) continue
    seen.add(file)
    for (const [, path = ''] of read(file).matchAll(/^\s*(?:import|export)[^'"(]*['"](\.[^'"]+)['"]/gm)) open.push(normalize(join(dirname(file), path)))
  }
  return [...seen].filter((file) => file.startsWith('renderer/'))
}

test('the first texts are the same in both languages, and are left out of the rest', () => {
  const first = topicsIn('renderer/catalogues/en.ts')
  expect(first.length).toBeGreaterThan(20)
  for (const file of ['es.ts', 'en.rest.ts', 'es.rest.ts']) expect(topicsIn(`renderer/catalogues/${file}`)).toEqual(first)
})

test('nothing that is loaded before the first screen says a text that comes later', () => {
  const first = topicsIn('renderer/catalogues/en.ts')
  const files = firstFiles()
  expect(files.length).toBeGreaterThan(80)
  const wrong = files.flatMap((file) => [...read(file).matchAll(/['"`]((?:window|common|bridge)\w*)\.\w/g)].flatMap(([, topic = '']) => (first.includes(topic) ? [] : [`${file}: ${topic}`])))
  expect(wrong).toEqual([])
})
