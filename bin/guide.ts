import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { normalizePath, type Plugin } from 'vite'
import { languageForm } from '../preload/contract/messages.ts'

const guideFolder = join(import.meta.dirname, '..', 'docs', 'guide')
const listId = 'virtual:fitter-guide'

/**
 * The user guide of docs/guide for the page, a module for each language: its pages by id, each as a component and as
 * Markdown.
 */
export function guide(): Plugin {
  return {
    name: 'fitter-guide',
    resolveId: (id) => (id.startsWith(listId) ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${listId}`) {
        const languages = readdirSync(guideFolder).filter((name) => languageForm.test(name))
        return `export const loaders = { ${languages.map((language) => `${JSON.stringify(language)}: () => import('${listId}/${language}.js')`).join(', ')} }\n`
      }
      const [, language] = /^\0virtual:fitter-guide\/(.+)\.js$/.exec(id) ?? []
      if (language === undefined) return undefined
      const files = readdirSync(join(guideFolder, language)).map((name) => ({
        page: name.replace(/\.md$/, ''),
        file: join(guideFolder, language, name)
      }))
      for (const { file } of files) this.addWatchFile(file)
      const imports = files.map(({ file }, n) => `import article${n} from ${JSON.stringify(normalizePath(file))}\n`)
      const pages = files.map(
        ({ page, file }, n) =>
          `${JSON.stringify(page)}: { article: article${n}, markdown: ${JSON.stringify(readFileSync(file, 'utf8'))} }`
      )
      return `${imports.join('')}export const pages = { ${pages.join(', ')} }\n`
    }
  }
}
