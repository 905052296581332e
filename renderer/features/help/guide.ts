import MiniSearch from 'minisearch'
import type { Component } from 'vue'
import contents from '../../../docs/guide/contents.json'
import type { StepKind } from '../../../preload/contract/jobs/steps/index.ts'
import type { ScreenName } from '../../shell/router.ts'

/** The user guide of `docs/guide/`, a folder for each language. A language without a guide of its own reads the English one. */
const articles = import.meta.glob<Component>('../../../docs/guide/*/*.md', { import: 'default' })
const sources = import.meta.glob<string>('../../../docs/guide/*/*.md', { import: 'default', query: '?raw' })

export const sections = contents.sections
const opens: Readonly<Record<string, string>> = contents.opens

export interface Guide {
  language: string
  /** Title and plain text of each page, by its id. */
  pages: ReadonlyMap<string, { title: string; text: string }>
  /** The explanations beside an article, by the part of Fitter that they explain. */
  parts: ReadonlyMap<string, readonly { name: string; text: string }[]>
  search(words: string): string[]
}

const fileOf = (language: string, page: string): string => `../../../docs/guide/${language}/${page}.md`

/** Markdown without its marks: what a search finds. */
function plainText(markdown: string): string {
  return markdown.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/<!--.*?-->|[*_`#|]/g, ' ')
}

/** The lines “- **Name**: text” below each mark “<!-- part -->”. */
function partsOf(markdown: string): Guide['parts'] {
  const [, ...marked] = markdown.split(/^<!-- (.+) -->$/m)
  const parts = new Map<string, { name: string; text: string }[]>()
  for (let n = 0; n < marked.length; n += 2) {
    const lines = [...(marked[n + 1] ?? '').matchAll(/^- \*\*(.+?)\*\*: (.+)$/gm)]
    parts.set(marked[n] ?? '', lines.map(([, name = '', text = '']) => ({ name, text })))
  }
  return parts
}

const loaded = new Map<string, Promise<Guide>>()

/** The titles and texts of the guide in a language, from the files of this page: no network is needed. */
export function loadGuide(wanted: string): Promise<Guide> {
  const language = fileOf(wanted, 'first-job') in sources ? wanted : 'en'
  const guide = loaded.get(language) ?? readGuide(language)
  loaded.set(language, guide)
  return guide
}

async function readGuide(language: string): Promise<Guide> {
  const ids = sections.flatMap(({ pages }) => pages)
  const texts = await Promise.all(ids.map(async (id) => [id, (await sources[fileOf(language, id)]?.()) ?? ''] as const))
  const pages = new Map(texts.map(([id, markdown]) => [id, { title: /^# (.+)$/m.exec(markdown)?.[1] ?? id, text: plainText(markdown) }]))
  const index = new MiniSearch({ fields: ['title', 'text'], searchOptions: { boost: { title: 4 }, prefix: true, fuzzy: 0.2, combineWith: 'AND' } })
  index.addAll([...pages].map(([id, page]) => ({ id, ...page })))
  return { language, pages, parts: partsOf(new Map(texts).get('screens') ?? ''), search: (words) => index.search(words).map(({ id }) => String(id)) }
}

/** The component of an article; undefined if there is none of this name. */
export async function loadArticle(language: string, page: string): Promise<Component | undefined> {
  return articles[fileOf(language, page)]?.()
}

/** The page about a screen, or about the step that it shows, and the part that explains what the screen shows. */
export function helpFor(screen: ScreenName, step: StepKind | null): { page: string; part: string } {
  const { page, part } = contents.screens[screen]
  return { page: screen === 'job' && step !== null ? contents.steps[step] : page, part }
}

/** The screen on which an article is about to be followed. */
export function screenOf(page: string): ScreenName | undefined {
  return opens[page] as ScreenName | undefined
}
