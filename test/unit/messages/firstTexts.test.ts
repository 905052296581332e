import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from '../../../bin/build.ts'
import { firstTopics, topicsElsewhere } from '../../../renderer/catalogues/firstTopics.ts'

const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8')

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

test('the first texts are topics that exist, none of which the page never says', () => {
  const topics = readdirSync(join(projectFolder, 'resources', 'messages', 'en')).map((file) => file.replace(/\.json$/, ''))
  expect(firstTopics.filter((topic) => !topics.includes(topic) || topicsElsewhere.test(topic))).toEqual([])
})

test('nothing that is loaded before the first screen says a text that comes later', () => {
  const files = firstFiles()
  expect(files.length).toBeGreaterThan(80)
  const wrong = files.flatMap((file) => [...read(file).matchAll(/['"`]((?:window|common|bridge)\w*)\.\w/g)].flatMap(([, topic = '']) => (firstTopics.includes(topic) ? [] : [`${file}: ${topic}`])))
  expect(wrong).toEqual([])
})
