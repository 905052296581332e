import Database from 'better-sqlite3'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../../../main/store/index.ts'
import { defaultSettings } from '../../../main/store/settings.ts'
import { openTestStore } from '../../support/storedJobs.ts'
import { tempFolder } from '../../support/tempFolder.ts'

test('settings begin with their defaults and keep what was changed, and nothing else', () => {
  const folder = tempFolder()
  const store = openStore(folder)
  expect(store.settings.get()).toEqual(defaultSettings)
  expect(store.settings.change({ technician: 'Ana', deviceModels: ['ft4'] })).toEqual({ ...defaultSettings, technician: 'Ana', deviceModels: ['ft4'] })
  store.settings.change({ theme: 'dark', technician: undefined })
  store.close()
  expect(openTestStore(folder).settings.get()).toEqual({ ...defaultSettings, technician: 'Ana', deviceModels: ['ft4'], theme: 'dark' })
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
