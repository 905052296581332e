import { spawnSync } from 'node:child_process'
import Database from 'better-sqlite3'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settings as contract } from '../../../../preload/contract/app/settings.ts'
import { openStore } from '../../../../main/data/store/index.ts'
import { defaultSettings } from '../../../../preload/app/defaultSettings.ts'
import { appendEntry, openTestStore } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

test('settings begin with their defaults and keep what was changed, and nothing else', () => {
  const folder = tempFolder()
  const store = openStore(folder)
  expect(store.settings.get()).toEqual(defaultSettings)
  expect(store.settings.change({ technician: 'Ana', deviceModels: ['ft4'] })).toEqual({
    ...defaultSettings,
    technician: 'Ana',
    deviceModels: ['ft4']
  })
  store.settings.change({ theme: 'dark', technician: undefined })
  store.close()
  expect(openTestStore(folder).settings.get()).toEqual({
    ...defaultSettings,
    technician: 'Ana',
    deviceModels: ['ft4'],
    theme: 'dark',
    firstRun: 'done'
  })
})

test('the first run is open only in a folder that was empty, until it is left or there is a job', () => {
  const folder = tempFolder()
  const first = openStore(folder)
  expect(first.settings.change({ theme: 'dark' }).firstRun).toBe('open')
  first.close()
  // Somebody used this folder without it.
  const second = openStore(folder)
  expect(second.settings.get().firstRun).toBe('done')
  // Begun and interrupted: it goes on, until it is left.
  expect(second.settings.change({ firstRun: 'open' }).firstRun).toBe('open')
  second.close()
  const third = openStore(folder)
  expect(third.settings.get().firstRun).toBe('open')
  third.teamPush.setMembership({ team: 'Team One' } as never)
  expect(third.settings.get().firstRun).toBe('done')
  third.teamPush.setMembership(null)
  expect(third.settings.get().firstRun).toBe('open')
  appendEntry(third, '01FIRST', 'a job')
  expect(third.settings.get().firstRun).toBe('done')
  third.close()
})

test('a setting of a form that this version does not know falls back to its default, the others stay', () => {
  const folder = tempFolder()
  const store = openStore(folder)
  store.settings.change({ theme: 'dark', technician: 'Ana' })
  store.close()
  const sql = new Database(join(folder, 'fitter.db'))
  sql.prepare("update setting set value = ? where name = 'theme'").run('"sepia"')
  sql.close()
  expect(openTestStore(folder).settings.get()).toMatchObject({ theme: 'system', technician: 'Ana' })
})

const texts = ['', 'Ana']
const schemes = [
  { kind: 'normal' },
  { kind: 'infinite' },
  ...[59, 60, 31_536_000, 31_536_001, 60.5, '60'].map((expiresS) => ({ kind: 'finite', expiresS })),
  { kind: 'finite' },
  { kind: 'normal', expiresS: 60 },
  { kind: 'odd' },
  null,
  'normal'
]
const sites = [
  ...schemes.map((scheme) => [{ url: 'u', user: 'n', scheme }]),
  [{ url: 1, user: 'n', scheme: schemes[0] }],
  [{ url: 'u', scheme: schemes[0] }],
  [null],
  [[]]
]
const anything = [
  ...texts,
  'sepia',
  'system',
  'light',
  'dark',
  'sunlight',
  'en',
  'es',
  'fr',
  'metric',
  'imperial',
  0,
  true,
  null,
  {},
  [],
  ['ft4'],
  ['ft4', 4],
  ...sites
]

test.each(Object.keys(contract.shape) as (keyof typeof contract.shape)[])(
  'a stored %s is taken exactly when it has the form of the contract',
  (name) => {
    const store = openTestStore(tempFolder())
    const taken = anything.map(
      (value) =>
        JSON.stringify(store.settings.change({ ...defaultSettings, [name]: value })[name]) === JSON.stringify(value)
    )
    const asDefault = (value: unknown) => JSON.stringify(value) === JSON.stringify(defaultSettings[name])
    expect(taken).toEqual(anything.map((value) => contract.shape[name].safeParse(value).success || asDefault(value)))
  }
)

test('opening the data folder loads no schema library', () => {
  const program = `
    const { registerHooks } = await import('node:module')
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    await import(${JSON.stringify(new URL('../../../../main/data/store/index.ts', import.meta.url).href)})
    process.stdout.write(JSON.stringify(loaded))`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  const loaded = JSON.parse(stdout) as string[]
  expect(loaded.some((url) => url.endsWith('/main/data/store/settings.ts'))).toBe(true)
  expect(loaded.filter((url) => url.includes('/node_modules/zod/'))).toEqual([])
})
