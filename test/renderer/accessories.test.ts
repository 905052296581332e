import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { message } from '../../preload/contract/messages.ts'
import type { VehicleSheet } from '../../preload/contract/vehicles/vehicles.ts'
import App from '../../renderer/frame/App.vue'
import { goTo } from '../../renderer/shell/router.ts'
import { loadScreens } from '../../renderer/frame/screens.ts'
import { createFakeBridge, FakeFailure, type FakeBridge } from '../support/fakeBridge.ts'
import * as data from '../support/fakeData.ts'

let core: FakeBridge
let page: VueWrapper
const [vehicle] = data.vehicleLines
if (!vehicle) throw new Error('no vehicle')
const sheet: VehicleSheet = { vehicle, source: 'gateway', readAt: data.at(0), note: null, groups: [], device: null, history: [], historyKnown: true, raw: null }

async function open(part: string, own: Parameters<typeof createFakeBridge>[0] = {}): Promise<void> {
  core = createFakeBridge({ 'vehicles.show': () => sheet, 'accessories.tests': () => ({ tests: [] }), ...own })
  window.fitter = core
  page = mount(App, { global: { plugins: [createPinia()] }, attachTo: document.body })
  await flushPromises()
  goTo('accessories', '7', part)
  await flushPromises()
}

beforeAll(loadScreens)
beforeEach(() => {
  setActivePinia(createPinia())
  goTo('start')
})
afterEach(() => page.unmount())

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
  await open('live', { 'gateway.status': () => ({ ...data.gateway, state: 'reachable', scopes: {} }) })
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))
  await flushPromises()
  expect(window.location.hash).toBe('#/accessories/7/outputs')
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', bubbles: true }))
  await flushPromises()
  expect(window.location.hash).toBe('#/accessories/7/live')
})

test('keys stand under the name of their driver, the number behind it', async () => {
  await open('keys', {
    'gateway.status': () => ({ ...data.gateway, state: 'reachable', scopes: null }),
    'accessories.keys': () => ({ keys: [{ id: '1FB48186C2B233E0', assetId: 31, assetName: 'Driver 03' }], readAt: data.at(0), problems: [] })
  })
  expect(page.get('.keys li b').text()).toBe('Driver 03')
  expect(page.get('.keys li small').text()).toBe('1FB48186C2B233E0')
})
