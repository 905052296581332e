import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { languageForm } from '../preload/contract/messages.ts'
import { firstTopics, topicsElsewhere } from '../renderer/catalogues/firstTopics.ts'

const shippedFolder = join(import.meta.dirname, '..', 'resources', 'messages')
const listId = 'virtual:fitter-catalogues'
const textsBegin = 'virtual:fitter-texts/'

type Texts = Record<string, string>

/** The languages below some folders, each with its own folder: a new one needs no code. */
function findLanguages(folders: readonly string[]): Map<string, string> {
  const found = folders.flatMap((folder) => readdirSync(folder).flatMap((name) => (languageForm.test(name) && existsSync(join(folder, name, 'language.json')) ? [[name, join(folder, name)] as const] : [])))
  return new Map(found)
}

function readTexts(folder: string, isWanted: (topic: string) => boolean): Texts {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json') && isWanted(file.slice(0, -'.json'.length)))
  return Object.assign({}, ...files.sort().map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Texts)) as Texts
}

/**
 * The texts of the page, by language, in two parts (`first`, `rest`): a page loads only the language that it shows. A text that a
 * translation lacks is English. `more`: a folder with other languages, for trials.
 */
export function catalogues({ more = process.env['FITTER_LANGUAGES_FOLDER'] }: { more?: string | undefined } = {}): Plugin {
  const folders = more ? [shippedFolder, more] : [shippedFolder]
  return {
    name: 'fitter-catalogues',
    resolveId: (id) => (id === listId || id.startsWith(textsBegin) ? `\0${id}` : undefined),
    load(id) {
      const languages = findLanguages(folders)
      if (id === `\0${listId}`) {
        const names = [...languages].map(([value, folder]) => ({ value, text: readTexts(folder, (topic) => topic === 'language')['language.name'] ?? value }))
        const loaders = [...languages.keys()].map((value) => `${JSON.stringify(value)}: { first: () => import('${textsBegin}${value}.js'), rest: () => import('${textsBegin}${value}.rest.js') }`)
        return `export const languages = ${JSON.stringify(names)}\nexport const loaders = { ${loaders.join(', ')} }\n`
      }
      if (!id.startsWith(`\0${textsBegin}`)) return undefined
      const [, language = '', rest] = /([^/.]+)(\.rest)?\.js$/.exec(id) ?? []
      const isWanted = (topic: string) => !topicsElsewhere.test(topic) && firstTopics.includes(topic) === (rest === undefined)
      const english = readTexts(join(shippedFolder, 'en'), isWanted)
      const own = languages.get(language)
      for (const folder of own ? [join(shippedFolder, 'en'), own] : []) for (const file of readdirSync(folder)) this.addWatchFile(join(folder, file))
      return `export const texts = ${JSON.stringify({ ...english, ...(own && readTexts(own, isWanted)) })}\n`
    }
  }
}
