import { expect, test } from 'vitest'
import type { DeviceProfile } from '../../../../preload/contract/device/deviceProfiles.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { openStore } from '../../../../main/data/store/index.ts'
import { openTestStore } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

function profile(id: string, name: string): DeviceProfile {
  return {
    id,
    name,
    savedAt: '2026-11-12T14:20:00.000Z',
    savedBy: 'A. Ruiz',
    from: { model: 'ft4', digits: '023056', vehicle: 'Unit 0007', osVersion: '4.2.1' },
    settings: [
      { kind: 'apn', value: 'internet.rionorte' },
      { kind: 'hotspotOn', value: false }
    ]
  }
}

test('a profile is there again after the folder was closed, listed by name and without its settings', () => {
  const folder = tempFolder()
  const first = openStore(folder)
  first.deviceProfiles.add(profile('b', 'Río Norte 2026'))
  first.deviceProfiles.add(profile('a', 'Alpha'))
  first.close()
  const { deviceProfiles } = openTestStore(folder)
  const { settings: _settings, ...head } = profile('a', 'Alpha')
  expect(deviceProfiles.list()).toEqual([
    { ...head, settings: 2 },
    { ...head, id: 'b', name: 'Río Norte 2026', settings: 2 }
  ])
  expect(deviceProfiles.find('b')).toEqual(profile('b', 'Río Norte 2026'))
})

test('a name is used once, in whatever case, and a profile may keep its own', () => {
  const { deviceProfiles } = openTestStore(tempFolder())
  deviceProfiles.add(profile('a', 'Río Norte'))
  deviceProfiles.add(profile('b', 'Other'))
  const used = { code: 'CONFLICT', sentence: message('deviceProfiles.nameUsed', { name: 'RÍO NORTE' }) }
  expect(() => deviceProfiles.add(profile('c', 'RÍO NORTE'))).toThrow(expect.objectContaining(used))
  expect(() => deviceProfiles.rename('b', 'RÍO NORTE')).toThrow(expect.objectContaining(used))
  deviceProfiles.rename('a', 'RÍO NORTE')
  expect(deviceProfiles.list().map(({ id, name }) => [id, name])).toEqual([
    ['b', 'Other'],
    ['a', 'RÍO NORTE']
  ])
  expect(deviceProfiles.hasName('río norte')).toBe(true)
})

test('a removed profile is gone, and cannot be renamed', () => {
  const { deviceProfiles } = openTestStore(tempFolder())
  deviceProfiles.add(profile('a', 'One'))
  deviceProfiles.remove('a')
  expect(deviceProfiles.list()).toEqual([])
  expect(deviceProfiles.find('a')).toBeUndefined()
  expect(() => deviceProfiles.rename('a', 'Two')).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }))
  // Its name is free again.
  deviceProfiles.add(profile('b', 'One'))
})

test('there is room for 200 profiles', () => {
  const { deviceProfiles } = openTestStore(tempFolder())
  for (let n = 0; n < 200; n++) deviceProfiles.add(profile(`id${n}`, `Profile ${n}`))
  expect(() => deviceProfiles.add(profile('last', 'Last'))).toThrow(
    expect.objectContaining({ code: 'CONFLICT', sentence: message('deviceProfiles.tooMany', { most: 200 }) })
  )
  expect(deviceProfiles.list()).toHaveLength(200)
})
