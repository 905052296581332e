import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parse, type MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { expect, test } from 'vitest'
import { messageFiles } from '../../../../main/base/messages/messageFiles.ts'
import { readCatalogue, readPlaceholders } from '../../../../bin/messageTypes.ts'

const projectFolder = join(import.meta.dirname, '..', '..', '..', '..')
const languages = ['en', 'es'] as const
const catalogues = { en: readCatalogue('en'), es: readCatalogue('es') }

/** Words that both languages write alike. */
const alike = new Set([
  'plain.text',
  'windowActivity.level.error',
  'windowDiagnosis.age.min',
  'windowExplain.search',
  'windowExplain.side.fitter',
  'accessoryChecks.psi',
  'app.badInput',
  'reportTable.column.imei',
  'windowApp.common.no',
  'position.hdop',
  'windowApp.frontEnd.terminal',
  'windowJobs.supply.orMore',
  'windowJobs.step.waivedBy',
  'windowKeys.cap.ctrl',
  'windowKeys.cap.escape',
  'windowKeys.cap.tab',
  'windowCharts.cursor',
  'windowKeys.name.charts.cursorA',
  'windowKeys.name.charts.cursorB'
])

test('English and Spanish are delivered, each with its own name; a further language needs no code', () => {
  expect(readdirSync(join(projectFolder, 'resources', 'messages'))).toEqual(expect.arrayContaining([...languages]))
  expect(languages.map((language) => catalogues[language].get('language.name'))).toEqual(['English', 'Español'])
})

test('every message is there in each language, in the file of its topic', () => {
  const [english, spanish] = languages.map((language) => {
    const folder = join(projectFolder, 'resources', 'messages', language)
    return [...messageFiles(folder).values()].map((file) => [
      relative(folder, file),
      Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object).sort()
    ])
  })
  expect(spanish).toEqual(english)
  expect([...catalogues.es.keys()].sort()).toEqual([...catalogues.en.keys()].sort())
})

/** Words that come from outside in every language: each says its own and leaves out the others. */
const broughtInEachLanguage = new Set(['events.labelWords'])

test('no language leaves out a value or uses it in another way', () => {
  for (const [id, text] of catalogues.en) {
    if (broughtInEachLanguage.has(id)) continue
    const uses = (placeholders: ReturnType<typeof readPlaceholders>) =>
      [...placeholders].map(([name, { use, options }]) => [name, use, [...options].sort()]).sort()
    expect(uses(readPlaceholders(id, catalogues.es.get(id) ?? '')), id).toEqual(uses(readPlaceholders(id, text)))
  }
})

test('every count has all forms that its language has for it', () => {
  for (const language of languages) {
    const rules = new Intl.PluralRules(language)
    // Spanish has a form for whole millions: nothing is counted that far here.
    const needed = [...new Set(Array.from({ length: 1000 }, (_, n) => rules.select(n)))].sort()
    for (const [id, text] of catalogues[language]) {
      for (const forms of pluralsOf(parse(text, { ignoreTag: true }))) {
        const named = forms.filter((form) => !form.startsWith('=')).sort()
        expect(named, `${language} ${id}`).toEqual(expect.arrayContaining(needed))
      }
    }
  }
})

test('every text is translated, not copied', () => {
  const copied = [...catalogues.en].filter(
    ([id, text]) =>
      !alike.has(id) &&
      catalogues.es.get(id) === text &&
      /\p{L}{3}/u.test(text.replace(/\{[^{}]*\}|\b[A-Z][A-Z0-9]+\b/g, ''))
  )
  expect(copied).toEqual([])
})

test('every message is said somewhere', () => {
  const sources = ['main', 'preload', 'renderer', 'resources/checklists', 'resources/profiles'].flatMap((folder) =>
    readdirSync(join(projectFolder, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|vue|json|js)$/.test(entry.name) && entry.name !== 'messageValues.ts')
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
  )
  const whole = sources.join('\n')
  const said = new Set([...whole.matchAll(/['"`]([a-z][a-zA-Z]*(?:\.[a-zA-Z0-9_-]+)+)['"`]/g)].map(([, id]) => id))
  // `job.state.${state}`: whoever has such a part may say any of them.
  const beginnings = [
    ...new Set([...whole.matchAll(/`([a-z][a-zA-Z]*\.[a-zA-Z0-9_.-]*)\$\{/g)].map(([, begin]) => begin ?? ''))
  ]
  // The name of each language is read while the page is built (bin/catalogues.ts).
  const unused = [...catalogues.en.keys()].filter(
    (id) => id !== 'language.name' && !said.has(id) && !beginnings.some((begin) => id.startsWith(begin))
  )
  expect(unused).toEqual([])
})

function pluralsOf(elements: MessageFormatElement[]): string[][] {
  return elements.flatMap((element) => {
    if (!('options' in element)) return []
    const inside = Object.values(element.options).flatMap((option) => pluralsOf(option.value))
    return 'pluralType' in element ? [Object.keys(element.options), ...inside] : inside
  })
}
