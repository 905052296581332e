import MiniSearch from 'minisearch'
import { loaders } from 'virtual:fitter-guide'
import type { Component } from 'vue'
import contents from '../../../docs/guide/contents.json'
import type { StepKind } from '../../../preload/contract/job/steps/index.ts'
import type { ScreenName } from '../../base/shell/router.ts'

export const sections = contents.sections
const opens: Readonly<Record<string, string>> = contents.opens

export interface Guide {
  /** The title and the article of each page, by its id. */
  pages: ReadonlyMap<string, { title: string; article: Component }>
  /** The explanations beside an article, by the part of Fitter that they explain. */
  parts: ReadonlyMap<string, readonly { name: string; text: string }[]>
  search(words: string): string[]
}

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
    parts.set(
      marked[n] ?? '',
      lines.map(([, name = '', text = '']) => ({ name, text }))
    )
  }
  return parts
}

const loaded = new Map<string, Promise<Guide>>()

/**
 * The guide in a language, from the files of this page: no network is needed. A language without a guide reads the
 * English one.
 */
export function loadGuide(wanted: string): Promise<Guide> {
  const language = wanted in loaders ? wanted : 'en'
  const guide = loaded.get(language) ?? readGuide(language)
  loaded.set(language, guide)
  return guide
}

async function readGuide(language: string): Promise<Guide> {
  const { pages } = await (loaders[language] as (typeof loaders)[string])()
  const listed = sections
    .flatMap(({ pages: ids }) => ids)
    .flatMap((id) => {
      const page = pages[id]
      return page
        ? [
            {
              id,
              title: /^# (.+)$/m.exec(page.markdown)?.[1] ?? id,
              text: plainText(page.markdown),
              article: page.article
            }
          ]
        : []
    })
  const index = new MiniSearch({
    fields: ['title', 'text'],
    searchOptions: { boost: { title: 4 }, prefix: true, fuzzy: 0.2, combineWith: 'AND' }
  })
  index.addAll(listed)
  return {
    pages: new Map(listed.map((page) => [page.id, page])),
    parts: partsOf(pages['screens']?.markdown ?? ''),
    search: (words) => index.search(words).map(({ id }) => String(id))
  }
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
