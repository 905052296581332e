import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { messageFiles } from '../main/base/messages/messageFiles.ts'
import { resourcesFolder } from '../main/base/projectFolder.ts'
import { languageForm } from '../preload/contract/messages.ts'
import { sharedIds } from '../preload/base/messages/sharedIds.ts'
import { firstTopics, topicsElsewhere } from '../renderer/base/catalogues/firstTopics.ts'

const shippedFolder = join(resourcesFolder, 'messages')
const listId = 'virtual:fitter-catalogues'
const textsBegin = 'virtual:fitter-texts/'

type Texts = Record<string, string>

/** The languages below some folders, each with its own folder: a new one needs no code. */
function findLanguages(folders: readonly string[]): Map<string, string> {
  const found = folders.flatMap((folder) =>
    readdirSync(folder).flatMap((name) =>
      languageForm.test(name) && existsSync(join(folder, name, 'language.json'))
        ? [[name, join(folder, name)] as const]
        : []
    )
  )
  return new Map(found)
}

function readTexts(folder: string): Texts {
  const files = [...messageFiles(folder).values()]
  return Object.assign({}, ...files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Texts)) as Texts
}

const topicOf = (id: string): string => id.slice(0, id.indexOf('.'))

/**
 * The texts of the page, by language, in two parts (`first`, `rest`): a page loads only the language that it shows. A
 * text that a translation lacks is English. `more`: a folder with other languages, for trials.
 */
export function catalogues({
  more = process.env['FITTER_LANGUAGES_FOLDER']
}: { more?: string | undefined } = {}): Plugin {
  const folders = more ? [shippedFolder, more] : [shippedFolder]
  return {
    name: 'fitter-catalogues',
    resolveId: (id) => (id === listId || id.startsWith(textsBegin) ? `\0${id}` : undefined),
    load(id) {
      const languages = findLanguages(folders)
      if (id === `\0${listId}`) {
        const names = [...languages].map(([value, folder]) => ({
          value,
          text: readTexts(folder)['language.name'] ?? value
        }))
        const loaders = [...languages.keys()].map(
          (value) =>
            `${JSON.stringify(value)}: { first: () => import('${textsBegin}${value}.js'), rest: () => import('${textsBegin}${value}.rest.js') }`
        )
        return `export const languages = ${JSON.stringify(names)}\nexport const loaders = { ${loaders.join(', ')} }\n`
      }
      if (!id.startsWith(`\0${textsBegin}`)) return undefined
      const [, language = '', rest] = /([^/.]+)(\.rest)?\.js$/.exec(id) ?? []
      const isOfPart = (id: string) => firstTopics.includes(topicOf(id)) === (rest === undefined)
      const own = languages.get(language)
      const all = { ...readTexts(join(shippedFolder, 'en')), ...(own && readTexts(own)) }
      for (const folder of own ? [join(shippedFolder, 'en'), own] : [])
        for (const file of messageFiles(folder).values()) this.addWatchFile(file)
      const saidHere = Object.entries(all).filter(([id]) => isOfPart(id) && !topicsElsewhere.test(topicOf(id)))
      // The page looks nothing up: an id with the text of a common one has it here.
      const shared = [...sharedIds].filter(([id]) => isOfPart(id)).map(([id, common]) => [id, all[common]])
      const texts = JSON.stringify(Object.fromEntries([...saidHere, ...shared]))
      // Read as data: as a part of the script it would be compiled.
      return `export const texts = JSON.parse(${JSON.stringify(texts)})\n`
    }
  }
}
