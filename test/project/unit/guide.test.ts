import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readCatalogue } from '../../../bin/messageTypes.ts'
import { stepKind } from '../../../preload/contract/job/steps/index.ts'
import { commandGroups } from '../../../main/terminal/commands/index.ts'

const guide = join(import.meta.dirname, '..', '..', '..', 'docs', 'guide')
const contents = JSON.parse(readFileSync(join(guide, 'contents.json'), 'utf8')) as {
  sections: { id: string; pages: string[] }[]
  screens: Record<string, { page: string; part: string }>
  steps: Record<string, string>
  opens: Record<string, string>
}
const pages = contents.sections.flatMap((section) => section.pages)
const languages = readdirSync(guide, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'pictures')
  .map(({ name }) => name)
const read = (language: string, page: string): string => readFileSync(join(guide, language, `${page}.md`), 'utf8')
/** A page without its code: what stands there is typed and no label. */
const withoutCode = (text: string): string => text.replace(/`[^`]*`/g, '')

test('every page of the guide is in the contents, in every language', () => {
  expect(languages).toEqual(['en', 'es'])
  expect(new Set(pages).size).toBe(pages.length)
  for (const language of languages)
    expect(readdirSync(join(guide, language)).sort(), language).toEqual(pages.map((page) => `${page}.md`).sort())
})

test.for(languages)('every link and every picture of the guide exists: %s', (language) => {
  const missing: string[] = []
  for (const page of pages) {
    for (const [, target = ''] of read(language, page).matchAll(/\]\(([^)]+)\)/g)) {
      if (!existsSync(join(dirname(join(guide, language, page)), target))) missing.push(`${page}: ${target}`)
    }
  }
  expect(missing).toEqual([])
})

test.for(languages)('every page opens with a title and one sentence about what the reader can do: %s', (language) => {
  const opening = {
    en: /^# .+\n\nAfter reading this page (you|an administrator) .+\.\n/,
    es: /^# .+\n\nDespués de leer esta página (usted|un administrador) .+\.\n/
  }[language]
  expect(pages.filter((page) => !opening?.test(read(language, page)))).toEqual([])
})

test('both languages say the same: headings, steps, points, pictures, commands and keys', () => {
  const shape = (text: string) => ({
    headings: text.match(/^#+ /gm),
    steps: text.match(/^\d\. |^- |^\| /gm),
    times: text.match(/_\d+ min_/g),
    links: [...text.matchAll(/\]\(([\w./-]+)\)/g)]
      .map(([, target = '']) => target.replace(/pictures\/\w+\//, ''))
      .sort(),
    parts: text.match(/<!-- .+? -->/g),
    code: text.match(/`[^`]+`/g)?.map((code) => code.replace('ARCHIVO', 'FILE'))
  })
  for (const page of pages) expect(shape(read('es', page)), page).toEqual(shape(read('en', page)))
})

test.for(['en', 'es'] as const)('a label in italics is said by the window: %s', (language) => {
  const said = new Set([...readCatalogue(language).values()].map((text) => text.replace(/[.…]+$/, '').toLowerCase()))
  const unknown = pages.flatMap((page) =>
    [...withoutCode(read(language, page)).matchAll(/(?<![*\w])\*([^*\n]+)\*(?!\*)/g)]
      .map(([, label = '']) => `${page}: ${label}`)
      .filter((one) => !said.has(one.split(': ')[1]?.toLowerCase() ?? ''))
  )
  expect(unknown).toEqual([])
})

test('every command of the guide exists', () => {
  const known = commandGroups.flatMap(({ commands }) => commands.map(({ name }) => name))
  const used = pages.flatMap((page) =>
    [...read('en', page).matchAll(/`fitter ([a-z]+(?: [a-z]+)?)/g)].map(([, name = '']) => name)
  )
  expect(used.length).toBeGreaterThan(5)
  expect(
    used.filter(
      (name) => !known.some((one) => name === one || name.startsWith(`${one} `) || one.startsWith(`${name} `))
    )
  ).toEqual([])
})

test('every screen has its page and its part, and every page opens a screen that exists', () => {
  const parts = [...read('en', 'screens').matchAll(/<!-- (.+) -->/g)].map(([, part = '']) => part)
  for (const [screen, { page, part }] of Object.entries(contents.screens)) {
    expect(pages, screen).toContain(page)
    expect(parts, screen).toContain(part)
  }
  for (const [page, screen] of Object.entries(contents.opens)) {
    expect(pages).toContain(page)
    expect(Object.keys(contents.screens), page).toContain(screen)
  }
})

test('every kind of step is explained', () => {
  expect(Object.keys(contents.steps).sort()).toEqual(stepKind.options.toSorted())
  expect(Object.values(contents.steps).filter((page) => !pages.includes(page))).toEqual([])
})

test.for(languages)('how long an output is on, by its page, is what the standard profile says: %s', (language) => {
  const file = join(guide, '..', '..', 'resources', 'profiles', 'standard.json')
  const { output } = JSON.parse(readFileSync(file, 'utf8')) as {
    output: { countdownS: number; effectWithinS: number; mostOnS: number }
  }
  const said = read(language, 'outputs')
    .split('\n')
    .find((line) => line.includes(language === 'en' ? 'After a countdown' : 'Tras una cuenta'))
  const times = [...(said ?? '').matchAll(/(\d+) s\b/g)].map(([, seconds]) => Number(seconds))
  expect(times).toEqual([output.countdownS, output.effectWithinS, output.mostOnS])
})
