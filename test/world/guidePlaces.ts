import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { readCatalogue } from '../../bin/messageTypes.ts'
import { projectFolder } from '../../bin/build.ts'
import { railItems } from '../../renderer/app/frame/railItems.ts'

const renderer = join(projectFolder, 'renderer')
const sources = new Map<string, string>()
function read(file: string): string {
  const source = sources.get(file) ?? readFileSync(join(renderer, file), 'utf8')
  sources.set(file, source)
  return source
}
const screenFiles = new Map(
  [...read('app/frame/screens.ts').matchAll(/^\s*'?([\w-]+)'?: \(\) => import\('(.+?)'\)/gm)].map(
    ([, name = '', file = '']) => [name, relative(renderer, join(renderer, 'app/frame', file))]
  )
).set('start', 'job/start/StartScreen.vue')

const reached = new Map<string, ReadonlySet<string>>()
/** A file of the window and every file that it uses. */
function filesOf(first: string): ReadonlySet<string> {
  const before = reached.get(first)
  if (before) return before
  const files = new Set([first])
  for (const file of files) {
    for (const [, target = ''] of read(file).matchAll(/^import (?!type).*?from '(\.[^']+\.(?:vue|ts))'/gms)) {
      const path = relative(renderer, join(renderer, dirname(file), target))
      if (!path.startsWith('..') && existsSync(join(renderer, path))) files.add(path)
    }
  }
  reached.set(first, files)
  return files
}

/** Says where the window shows a label, as far as its source decides that. */
export function findPlaces(language: 'en' | 'es') {
  const texts = readCatalogue(language)
  const fold = (text: string): string => text.replace(/[.…]+$/, '').toLowerCase()
  const idsByText = Map.groupBy(texts.keys(), (id) => fold(texts.get(id) ?? ''))
  const idsOf = (label: string): string[] => idsByText.get(fold(label)) ?? []
  const says = (file: string, label: string): boolean => {
    const source = read(file)
    return idsOf(label).some(
      (id) => source.includes(`'${id}'`) || source.includes(`\`${id.slice(0, id.lastIndexOf('.') + 1)}\${`)
    )
  }
  const settingsPages = [...read('app/settings/SettingsScreen.vue').matchAll(/^ {2}(\w+): (\w+),?$/gm)]
  const nameOfPage = (page: string): string | undefined =>
    texts.get(page === 'connection' ? 'common.connection' : `windowSettings.part.${page}`)
  const components = globSync('**/*.vue', { cwd: renderer })

  /** The files that show what a label opens; undefined when the label is no place. */
  function filesBelow(label: string): ReadonlySet<string> | undefined {
    const item = railItems.find(({ screen }) => fold(texts.get(`windowApp.rail.${screen}`) ?? '') === fold(label))
    if (!item) return undefined
    const screens = [item.screen, ...item.also]
    return new Set(screens.flatMap((screen) => [...filesOf(screenFiles.get(screen) ?? '')]))
  }

  /** Why `_Settings_, _Data_, _Backups_` leads nowhere; undefined when it leads there. */
  return function reasonAgainst(path: readonly string[]): string | undefined {
    const [place = '', next = '', last] = path
    if (fold(place) === fold(texts.get('common.settings') ?? '')) {
      const [, page, component] =
        settingsPages.find(([, page = '']) => fold(nameOfPage(page) ?? '') === fold(next)) ?? []
      if (!page) return `${place} has no page “${next}”`
      const rows = read('app/settings/settingRows.ts').split('\n  ')
      const isRow = rows.some(
        (row) => row.includes(`page: '${page}'`) && idsOf(last ?? '').some((id) => row.includes(`'${id}'`))
      )
      const file = components.find((one) => one.endsWith(`/${component}.vue`)) ?? ''
      return last === undefined || isRow || [...filesOf(file)].some((one) => says(one, last))
        ? undefined
        : `“${next}” has no “${last}”`
    }
    for (const [at, label] of path.slice(1).entries()) {
      const above = path[at] ?? ''
      const files = filesBelow(above) ?? components.filter((file) => says(file, above))
      if (![...files].some((file) => says(file, label))) return `“${above}” has no “${label}”`
    }
    return undefined
  }
}
