import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer } from 'vite'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { catalogues } from '../../../bin/catalogues.ts'
import { makePseudo, writePseudoLanguage } from '../../../bin/pseudoLanguage.ts'
import { listLanguages } from '../../../main/base/messages/catalogue.ts'
import { createTexts } from '../../../main/base/messages/texts.ts'
import { makeCsvReport } from '../../../main/job/reports/csv.ts'
import { makePassedJob } from '../../world/data/sampleJob.ts'
import { fitter } from '../../world/window/fitterProcess.ts'
import { memoryFolder } from '../../world/memoryFolder.ts'

/** A translation that somebody began: one folder of files, one text of which is still missing. */
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(memoryFolder, 'fitter-languages-'))
  writePseudoLanguage(folder, 'fr')
  const file = join(folder, 'fr', 'policy.json')
  const { 'policy.notJson': _missing, ...texts } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  writeFileSync(file, JSON.stringify(texts))
})
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => void vi.unstubAllEnvs())

it('one more folder of texts is a language of the window: in its list, in a file of its own, with English for what it lacks', async () => {
  const server = await createServer({
    configFile: false,
    logLevel: 'error',
    server: { middlewareMode: true, ws: false, watch: null },
    appType: 'custom',
    optimizeDeps: { noDiscovery: true, include: [] },
    plugins: [catalogues({ more: folder })]
  })
  try {
    const { languages, loaders } = (await server.ssrLoadModule(
      'virtual:fitter-catalogues'
    )) as typeof import('virtual:fitter-catalogues')
    expect(languages).toEqual([
      { value: 'en', text: 'English' },
      { value: 'es', text: 'Español' },
      { value: 'fr', text: 'Pseudo' }
    ])
    const [first, rest, english] = await Promise.all([
      loaders['fr']?.first(),
      loaders['fr']?.rest(),
      loaders['en']?.rest()
    ])
    expect(first?.texts['common.settings']).toBe(makePseudo('Settings'))
    expect(rest?.texts['windowSettings.theme']).toBe(makePseudo('Theme'))
    expect(rest?.texts['policy.notJson']).toBe(english?.texts['policy.notJson'])
    expect(first?.texts['windowSettings.theme']).toBeUndefined()
    expect(Object.values(english?.texts ?? {}).filter((text) => text.startsWith('['))).toEqual([])
  } finally {
    await server.close()
  }
})

it('the terminal speaks it, and names the languages that there are', async () => {
  const env = { FITTER_LANGUAGES_FOLDER: folder }
  const shown = await fitter(['policy', 'show', '--language', 'fr'], { env })
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringMatching(/^\[Ñó çóm/)])
  const refused = await fitter(['policy', 'show', '--language', 'qq'], { env })
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('en, es, fr')])
})

it('reports are written in it, with the numbers and days of that language', async () => {
  vi.stubEnv('FITTER_LANGUAGES_FOLDER', folder)
  expect(listLanguages()).toEqual(['en', 'es', 'fr'])
  const { say } = createTexts({ language: 'fr', timeZone: 'UTC' })
  expect(say({ id: 'common.speedKmh', values: { speedKmh: 1.5 } })).toMatch(/^1,5\skm\/h$/)
  const csv = makeCsvReport(makePassedJob().job, {
    texts: createTexts({ language: 'fr', timeZone: 'UTC' }),
    isTraining: false
  })
  expect(csv).toContain(makePseudo('state'))
  expect(say({ id: 'policy.notJson', values: {} })).toMatch(/^This is not valid JSON/)
})

it('a language that a newer Fitter had is read in English', () => {
  expect(createTexts({ language: 'qq', timeZone: 'UTC' }).say({ id: 'common.settings', values: {} })).toBe('Settings')
})
