import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from '../../../bin/build.ts'
import { readCatalogue } from '../../../bin/messageTypes.ts'
import { policyKeys } from '../../../preload/contract/app/policy.ts'
import { stepKind } from '../../../preload/contract/job/steps/index.ts'
import { commandGroups } from '../../../main/terminal/commands/index.ts'
import { findPlaces } from '../../world/guidePlaces.ts'

const guide = join(import.meta.dirname, '..', '..', '..', 'docs', 'guide')
const contents = JSON.parse(readFileSync(join(guide, 'contents.json'), 'utf8')) as {
  sections: { id: string; pages: string[] }[]
  screens: Record<string, { page: string; part: string }>
  steps: Record<string, string>
  opens: Record<string, string>
}
const pages = contents.sections.flatMap((section) => section.pages)
/** A further language is a translation in progress: it is not compared. */
const languages = ['en', 'es'] as const
const read = (language: string, page: string): string => readFileSync(join(guide, language, `${page}.md`), 'utf8')
/** A page without its code: what stands there is typed and no label. */
const withoutCode = (text: string): string => text.replace(/```.+?```|`[^`\n]*`/gs, '')

test('every page of the guide is in the contents, in every language', () => {
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
  expect(pages.filter((page) => !opening.test(read(language, page)))).toEqual([])
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
    code: text.match(/```.+?```|`[^`\n]+`/gs)?.map((code) => code.replace('ARCHIVO', 'FILE'))
  })
  for (const page of pages) expect(shape(read('es', page)), page).toEqual(shape(read('en', page)))
})

const labelForm = /(?<![\w`])_(?!\d+ min_)[^_\n]+_(?!\w)/g

test.for(languages)('a label in italics is said by the window: %s', (language) => {
  const fold = (text: string): string => text.replace(/[.…]+$/, '').toLowerCase()
  const said = new Set([...readCatalogue(language).values()].map(fold))
  const labels = pages.flatMap((page) =>
    (withoutCode(read(language, page)).match(labelForm) ?? []).map((label) => ({ page, label: label.slice(1, -1) }))
  )
  expect(labels.length).toBeGreaterThan(40)
  expect(labels.filter(({ label }) => !said.has(fold(label)))).toEqual([])
})

/** `_Settings_, _Data_` is a path; in a sentence about the settings, so are two labels with other words between. */
function pathsOf(sentence: string, settings: string): string[][] {
  const labels: readonly string[] = sentence.match(labelForm) ?? []
  const paths = (sentence.match(/(?<![\w`])_[^_\n]+_(?:, _[^_\n]+_)+/g) ?? []).map((path) => path.split(', '))
  const at = labels.indexOf(`_${settings}_`)
  if (at >= 0 && labels.length > at + 1) paths.push(labels.slice(at, at + 2))
  return paths.map((path) => path.map((label) => label.slice(1, -1)))
}

test.for([
  ['en', 'Settings'],
  ['es', 'Ajustes']
] as const)('a label in italics is at the place that its sentence names: %s', ([language, settings]) => {
  const reasonAgainst = findPlaces(language)
  const paths = pages.flatMap((page) =>
    withoutCode(read(language, page))
      .split(/\n|(?<=[.:;]) /)
      .flatMap((sentence) => pathsOf(sentence, settings).map((path) => ({ page, path })))
  )
  expect(paths.length).toBeGreaterThan(10)
  expect(
    paths.flatMap(({ page, path }) => {
      const reason = reasonAgainst(path)
      return reason === undefined ? [] : [`${page}: ${path.join(', ')}: ${reason}`]
    })
  ).toEqual([])
})

test.for([
  ['en', /\bpress “[^”]*”/gi],
  ['es', /\bpulse «[^»]*»/gi]
] as const)('a button to press is in italics, so that its label is tested: %s', ([language, quoted]) => {
  expect(pages.flatMap((page) => read(language, page).match(quoted) ?? [])).toEqual([])
})

test.for(languages)(
  'the first italics of a numbered step are its time, which Help shows at the right: %s',
  (language) => {
    const first = /^\d\. \*\*.+?\*\*(?=[^_\n]*_(?!\d+ min_)).*$/gm
    expect(pages.flatMap((page) => read(language, page).match(first) ?? [])).toEqual([])
  }
)

test.for(languages)('every page leads to the words of the guide: %s', (language) => {
  expect(pages.filter((page) => page !== 'words' && !read(language, page).includes('](words.md)'))).toEqual([])
})

/** The file that a page shows as its complete example. */
function exampleOf(language: string, page: string): string {
  return /```json\n(.+?)```/s.exec(read(language, page))?.[1] ?? ''
}

test('Fitter accepts the complete examples without an error or a warning', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fitter-guide-'))
  for (const [page, command] of [
    ['own-checklist', 'templates'],
    ['policy', 'policy']
  ] as const) {
    const file = join(folder, `${page}.json`)
    writeFileSync(file, exampleOf('en', page))
    const parameters = ['bin/fitter', command, 'check', file, '--data', join(folder, 'data'), '--json']
    const { status, stdout, stderr } = spawnSync(process.execPath, parameters, { cwd: projectFolder, encoding: 'utf8' })
    expect({ page, status, stderr }, stdout).toEqual({ page, status: 0, stderr: '' })
  }
  rmSync(folder, { recursive: true })
})

test.for(languages)('the policy page explains every key of a policy: %s', (language) => {
  const explained = [...read(language, 'policy').matchAll(/^\| `(\w+\.\w+)` /gm)].map(([, key]) => key)
  expect(explained).toEqual(Object.keys(policyKeys))
})

test('every command of the guide exists', () => {
  const known = commandGroups.flatMap(({ commands }) => commands.map(({ name }) => name))
  const used = pages.flatMap((page) =>
    [...read('en', page).matchAll(/`fitter ([a-z]+(?: [a-z-]+)?)/g)].map(([, name = '']) => name)
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
