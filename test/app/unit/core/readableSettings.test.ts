import { expect, onTestFinished, test } from 'vitest'
import { createCore, sourceResourcesFolder } from '../../../../main/app/core.ts'
import { openStore } from '../../../../main/data/store/index.ts'
import { defaultSettings } from '../../../../preload/app/defaultSettings.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const fault = new TypeError('settings is undefined')

test.each([
  ['a data file that cannot be read', new AppError('DATA_UNUSABLE', plainMessage('The disk does not answer.')), []],
  ['a fault in Fitter, which is reported', fault, [fault]]
])('settings are the defaults with %s, and Fitter starts', async (_name, error, reported) => {
  const faults: unknown[] = []
  const dataFolder = tempFolder()
  const store = openStore(dataFolder)
  const unreadable = {
    settings: {
      ...store.settings,
      get: () => {
        throw error
      }
    }
  }
  const core = createCore({
    dataFolder,
    store: Object.assign(Object.create(store) as typeof store, unreadable),
    resourcesFolder: sourceResourcesFolder,
    inMemorySecrets: true,
    interfaces: () => ({}),
    reportFault: (one) => faults.push(one)
  })
  onTestFinished(() => core.stop())
  faults.length = 0
  expect(core.readableSettings()).toEqual(defaultSettings)
  expect(faults).toEqual(reported)
})
