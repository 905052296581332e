import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { messageFiles } from '../../../../main/base/messages/messageFiles.ts'
import { projectFolder } from '../../../../bin/build.ts'
import { catalogues } from '../../../../bin/catalogues.ts'
import { sharedIds } from '../../../../preload/base/messages/sharedIds.ts'
import { firstTopics, topicsElsewhere } from '../../../../renderer/base/catalogues/firstTopics.ts'

const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8')

/** The page's files that are loaded before its first screen: what others load later is not among them. */
function firstFiles(): string[] {
  const seen = new Set<string>()
  const open = ['renderer/main.ts']
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file) || !existsSync(join(projectFolder, file))) continue
    seen.add(file)
    for (const [, path = ''] of read(file).matchAll(/^\s*(?:import|export)[^'"(]*['"](\.[^'"]+)['"]/gm))
      open.push(normalize(join(dirname(file), path)))
  }
  return [...seen].filter((file) => file.startsWith('renderer/'))
}

test('the first texts are topics that exist, none of which the page never says', () => {
  const topics = [...messageFiles(join(projectFolder, 'resources', 'messages', 'en')).keys()]
  expect(firstTopics.filter((topic) => !topics.includes(topic) || topicsElsewhere.test(topic))).toEqual([])
})

test('nothing that is loaded before the first screen says a text that comes later', () => {
  const files = firstFiles()
  expect(files.length).toBeGreaterThan(80)
  const wrong = files.flatMap((file) =>
    [...read(file).matchAll(/['"`]((?:window|common|bridge)\w*)\.\w/g)].flatMap(([, topic = '']) =>
      firstTopics.includes(topic) ? [] : [`${file}: ${topic}`]
    )
  )
  expect(wrong).toEqual([])
})

test.each(['en', 'es'])(
  'an id that shares the text of a common one has it in one of the two parts of the page, in %s',
  (language) => {
    const { load } = catalogues() as unknown as { load: (this: { addWatchFile(): void }, id: string) => string }
    const textsOf = (part: string) => {
      const [, text = ''] =
        /^export const texts = JSON\.parse\((.*)\)\n$/.exec(
          load.call({ addWatchFile: () => undefined }, `\0virtual:fitter-texts/${language}${part}.js`)
        ) ?? []
      return JSON.parse(JSON.parse(text) as string) as Record<string, string>
    }
    const parts = [textsOf(''), textsOf('.rest')] as const
    const wrong = [...sharedIds].flatMap(([id, common]) => {
      const isFirst = firstTopics.includes(id.slice(0, id.indexOf('.')))
      const wanted = parts.map((texts) => texts[common]).find(Boolean)
      return wanted !== undefined && parts[isFirst ? 0 : 1][id] === wanted && parts[isFirst ? 1 : 0][id] === undefined
        ? []
        : [id]
    })
    expect(wrong).toEqual([])
  }
)
