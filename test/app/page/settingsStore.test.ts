import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, it } from 'vitest'
import { defaultSettings } from '../../../preload/app/defaultSettings.ts'
import type { Settings } from '../../../preload/contract/app/settings.ts'
import { useSettings } from '../../../renderer/base/shell/settings.store.ts'
import { putCore } from '../../world/window/fakes/fakeWindow.ts'

let core: Settings
/** Each change waits here until the test lets the core answer. */
let changes: { answer(): void; refuse(): void }[]

beforeEach(() => {
  setActivePinia(createPinia())
  core = { ...defaultSettings, theme: 'light', deskRows: 'roomy', letterKeys: true }
  changes = []
  putCore({
    'settings.get': () => core,
    'settings.change': (change) =>
      new Promise((resolve, reject) =>
        changes.push({
          answer: () => resolve((core = { ...core, ...change } as Settings)),
          refuse: () => reject(new Error('The disk is full.'))
        })
      ) as never
  })
})

it('a change that could not be stored is undone alone: a later one stays', async () => {
  const store = useSettings()
  await store.load()
  const first = store.change({ theme: 'dark' })
  const second = store.change({ deskRows: 'dense' })
  changes[1]?.answer()
  await second
  expect(store.settings).toMatchObject({ theme: 'dark', deskRows: 'dense' })
  changes[0]?.refuse()
  await expect(first).rejects.toThrow()
  expect(store.settings).toMatchObject({ theme: 'light', deskRows: 'dense' })
})

it('a change that is still being stored stays when an earlier one fails, and when the answer to one comes', async () => {
  const store = useSettings()
  await store.load()
  const first = store.change({ theme: 'dark' })
  const second = store.change({ deskRows: 'dense' })
  const third = store.change({ letterKeys: false })
  changes[0]?.refuse()
  await expect(first).rejects.toThrow()
  expect(store.settings).toMatchObject({ theme: 'light', deskRows: 'dense', letterKeys: false })
  changes[1]?.answer()
  await second
  expect(store.settings).toMatchObject({ deskRows: 'dense', letterKeys: false })
  changes[2]?.refuse()
  await expect(third).rejects.toThrow()
  expect(store.settings).toMatchObject({ theme: 'light', deskRows: 'dense', letterKeys: true })
})

it('of two changes of one setting the later one stays, and what another window changed is not undone', async () => {
  const store = useSettings()
  await store.load()
  const first = store.change({ theme: 'dark' })
  const second = store.change({ theme: 'sunlight' })
  store.take((core = { ...core, deskRows: 'dense' }))
  expect(store.settings).toMatchObject({ theme: 'sunlight', deskRows: 'dense' })
  changes[0]?.refuse()
  await expect(first).rejects.toThrow()
  expect(store.settings).toMatchObject({ theme: 'sunlight', deskRows: 'dense' })
  changes[1]?.refuse()
  await expect(second).rejects.toThrow()
  expect(store.settings).toMatchObject({ theme: 'light', deskRows: 'dense' })
})
