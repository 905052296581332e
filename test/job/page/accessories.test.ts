import { flushPromises } from '@vue/test-utils'
import { expect, test } from 'vitest'
import { message } from '../../../preload/contract/messages.ts'
import type { VehicleSheet } from '../../../preload/contract/gateway/vehicles/vehicles.ts'
import { goTo } from '../../../renderer/base/shell/router.ts'
import { createFakeBridge, FakeFailure } from '../../world/window/fakes/fakeBridge.ts'
import * as data from '../../world/data/fakeData.ts'
import { core, openWindow, page, useFakeWindow } from '../../world/window/fakes/fakeWindow.ts'

const [vehicle] = data.vehicleLines
if (!vehicle) throw new Error('no vehicle')
const sheet: VehicleSheet = {
  vehicle,
  source: 'gateway',
  readAt: data.at(0),
  note: null,
  groups: [],
  device: null,
  history: [],
  historyKnown: true,
  raw: null
}

async function open(part: string, own: Parameters<typeof createFakeBridge>[0] = {}): Promise<void> {
  await openWindow({ 'vehicles.show': () => sheet, 'accessories.tests': () => ({ tests: [] }), ...own })
  goTo('accessories', '7', part)
  await flushPromises()
}

useFakeWindow()

test('a part that the user may not read says which scope is missing, and asks the gateway for nothing', async () => {
  await open('keys', { 'gateway.status': () => ({ ...data.gateway, state: 'reachable', scopes: { vehicles: 'r' } }) })
  expect(page.text()).toContain('Not permitted for your account')
  expect(page.text()).toContain('assets')
  expect(core.made.map(({ name }) => name)).not.toContain('accessories.keys')
})

test('while the gateway is away its parts say so, and a part that failed has its reason', async () => {
  await open('keys', {
    'gateway.status': () => ({ ...data.gateway, scopes: null }),
    'accessories.keys': () => {
      throw new FakeFailure({ code: 'UNREACHABLE', message: message('gateway.noAnswer'), retryable: true })
    }
  })
  const part = page.get('section[aria-label="Driver keys"]').text()
  expect(part).toContain('The gateway does not answer')
  expect(part).toContain('did not answer in time')
})

test('J and K walk through the parts, and the address says which one is open', async () => {
  await open('navUnit', { 'gateway.status': () => ({ ...data.gateway, state: 'reachable', scopes: {} }) })
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))
  await flushPromises()
  expect(window.location.hash).toBe('#/accessories/7/journeys')
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', bubbles: true }))
  await flushPromises()
  expect(window.location.hash).toBe('#/accessories/7/navUnit')
})

test('keys stand under the name of their driver, the number behind it', async () => {
  await open('keys', {
    'gateway.status': () => ({ ...data.gateway, state: 'reachable', scopes: null }),
    'accessories.keys': () => ({
      keys: [{ id: '1FB48186C2B233E0', assetId: 31, assetName: 'Driver 03' }],
      readAt: data.at(0),
      problems: []
    })
  })
  expect(page.get('nav .item b').text()).toBe('Driver 03')
  expect(page.get('nav .item small').text()).toBe('1FB4 8186 C2B2 33E0')
})

test('keys, tags, cameras and triggers stand in one list with one state each, and J chooses through them', async () => {
  const tag = {
    mac: 'C47C8D6A0001',
    at: data.at(-9 * 86_400),
    batteryPercent: 80,
    batteryMv: null,
    humidityPercent: null,
    lightPercent: null,
    temperatureC: null,
    isButtonPressed: null,
    isFalling: null,
    isHit: null,
    isMoving: null,
    isPresent: null,
    isReedClosed: null,
    assetId: 40,
    assetName: 'Pallet 204',
    wakeReasons: []
  }
  await open('keys', {
    'gateway.status': () => ({ ...data.gateway, state: 'reachable', scopes: null }),
    'accessories.keys': () => ({
      keys: [
        { id: '1FB48186C2B233E0', assetId: 31, assetName: 'Driver 03' },
        { id: '71B55D9B98792950', assetId: null, assetName: null }
      ],
      readAt: data.at(0),
      problems: []
    }),
    'accessories.tags': () => ({ tags: [tag], readAt: data.at(0) }),
    'photos.last': () => ({
      photos: [
        {
          source: 0,
          statusNo: 4,
          outcome: 'ready',
          meaning: message('photos.ready'),
          remedy: null,
          photoId: 1,
          takenAt: data.at(-60),
          sizeBytes: null,
          sha256: null,
          base64: null
        }
      ],
      event: null,
      readAt: data.at(0)
    }),
    'triggers.list': () => ({
      triggers: [
        {
          id: 5,
          name: 'PTO while driving',
          description: '',
          category: 'vehicle',
          vehicles: [7],
          text: null,
          problems: [],
          rules: [],
          postfix: [],
          isForVehicle: true
        }
      ],
      complete: true,
      readAt: data.at(0)
    })
  })
  await flushPromises()
  expect(page.findAll('nav .item').map((row) => [row.get('b').text(), row.get('.label').text()])).toEqual([
    ['Driver 03', 'assigned'],
    ['Unknown key', 'not assigned'],
    ['Pallet 204', 'assigned, silent'],
    ['Camera 1', 'answers'],
    ['PTO while driving', 'saved']
  ])
  expect(page.findAll('nav .group b').map((n) => n.text())).toEqual(['2', '1', '1', '1'])
  const press = async (key: string) => {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    await flushPromises()
  }
  await press('j')
  expect(page.get('nav .item[aria-current]').text()).toContain('Driver 03')
  expect(page.get('section.chosen').text()).toContain('Tap test')
  for (const _ of [1, 2, 3]) await press('j')
  expect(window.location.hash).toBe('#/accessories/7/tags')
  expect(page.get('section.chosen').text()).toContain('Pallet 204')
})

test('the list of trailers and drivers floats, the arrow keys choose in it, and Enter takes the chosen one or the only hit', async () => {
  const entity = (id: number, name: string) => ({
    id,
    name,
    plate: null,
    imei: null,
    kind: 'asset' as const,
    assetType: 'trailer'
  })
  await open('keys', {
    'gateway.status': () => ({ ...data.gateway, state: 'reachable', scopes: null }),
    'accessories.keys': () => ({ keys: [], readAt: data.at(0), problems: [] }),
    'gateway.findEntities': ({ text }) => ({
      entities: [entity(12, 'Trailer 12'), entity(13, 'Trailer 13')].filter(({ name }) =>
        name.toLowerCase().includes(text)
      ),
      complete: true
    })
  })
  const field = page.get('input[role=combobox]')
  // Returns whether a dialog around it would close.
  const press = async (key: string) => {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
    const isFree = field.element.dispatchEvent(event)
    await flushPromises()
    return isFree
  }
  await field.setValue('trailer')
  await press('Enter')
  expect(page.findAll('[role=option]').map((one) => one.get('b').text())).toEqual(['Trailer 12', 'Trailer 13'])
  expect(page.find('.chosen b').exists()).toBe(false)
  await press('ArrowDown')
  expect(page.get('[role=option][aria-selected=true]').text()).toContain('Trailer 13')
  expect(field.attributes('aria-activedescendant')).toBe(page.get('[role=option][aria-selected=true]').attributes('id'))
  expect(await press('Escape')).toBe(false)
  expect(page.find('[role=listbox]').exists()).toBe(false)
  expect(await press('Escape')).toBe(true)
  await field.setValue('trailer 12')
  await press('Enter')
  expect(page.get('.chosen b').text()).toBe('Trailer 12')
})
