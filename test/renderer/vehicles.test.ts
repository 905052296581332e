import { message, plainMessage } from '../../preload/contract/messages.ts'
import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { VehicleCopy, VehicleSheet } from '../../preload/contract/vehicles.ts'
import App from '../../renderer/App.vue'
import { mayDo } from '../../renderer/features/gateway/mayDo.ts'
import { goTo } from '../../renderer/router.ts'
import { loadScreens } from '../../renderer/screens.ts'
import { createFakeBridge, type FakeBridge } from '../support/fakeBridge.ts'
import * as data from '../support/fakeData.ts'

let core: FakeBridge
let page: VueWrapper
const [vehicle] = data.vehicleLines
if (!vehicle) throw new Error('no vehicle')
const sheet: VehicleSheet = {
  vehicle,
  source: 'copy',
  readAt: data.at(-3600),
  note: message('gateway.noAnswer'),
  groups: [{ id: 1, name: 'North depot' }],
  device: null,
  history: [],
  historyKnown: false,
  raw: null
}

async function open(own: Parameters<typeof createFakeBridge>[0] = {}): Promise<void> {
  core = createFakeBridge(own)
  window.fitter = core
  page = mount(App, { global: { plugins: [createPinia()] }, attachTo: document.body })
  await flushPromises()
}
const made = (name: string) => core.made.filter((call) => call.name === name).map((call) => call.input)
const button = (text: string) => page.findAll('button').find((one) => one.text().includes(text))

beforeAll(loadScreens)
beforeEach(() => {
  setActivePinia(createPinia())
  goTo('start')
})
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

test('vehicles are searched in the copy as one types, and the age of the copy is shown', async () => {
  await open()
  goTo('vehicles')
  await flushPromises()
  expect(page.text()).toContain('2 vehicles in the copy on this computer')
  vi.useFakeTimers()
  await page.get('input[type=search]').setValue('hld')
  vi.advanceTimersByTime(500)
  await flushPromises()
  expect(made('vehicles.search')).toContainEqual({ text: 'hld', limit: 100 })
  expect(page.findAll('tbody tr').map((row) => row.text())[0]).toContain('HLD007')
})

test('a copy without vehicles is made at once when somebody is signed in, and tells how far it is', async () => {
  const empty = { ...data.vehicleCopy, count: 0, copiedAt: null }
  let copy: VehicleCopy = empty
  await open({
    'vehicles.search': () => ({ vehicles: [], more: false, copy }),
    'vehicles.refresh': () => (copy = { ...empty, running: { done: 1000, total: 4000, leftMs: 9000 } })
  })
  goTo('vehicles')
  await flushPromises()
  await flushPromises()
  expect(made('vehicles.refresh')).toHaveLength(1)
  copy = { ...empty, running: { done: 2000, total: 4000, leftMs: 6000 } }
  core.emit('vehicles.copied', copy)
  await flushPromises()
  expect(page.get('[role=status]').text()).toContain('2,000 of 4,000')
})

test('a vehicle from the copy says of when it is, and what only the gateway knows is not shown', async () => {
  await open({ 'vehicles.show': () => sheet })
  goTo('vehicle', '7')
  await flushPromises()
  expect(page.get('.hint').text()).toContain('From the copy of')
  expect(page.text()).toContain('The same device is here')
  expect(page.text()).not.toContain('Counters')
})

test('another device in the hand is shown as the break it is, and the undocumented update asks for a word first', async () => {
  const other = { ...sheet, source: 'gateway' as const, note: null, vehicle: { ...vehicle, imei: '867698040099999' } }
  await open({
    'gateway.status': () => ({ ...data.gateway, state: 'reachable', scopes: { vehicles: 'w' } }),
    'vehicles.show': () => other,
    'vehicles.assignDevice': () => ({ kind: 'notAssigned', detail: plainMessage('The gateway answers: not found or not permitted.'), operationId: 'x' })
  })
  goTo('vehicle', '7')
  await flushPromises()
  expect(page.text()).toContain('Another device is in your hand')
  await button('Ask for this device in the vehicle')?.trigger('click')
  await flushPromises()
  expect(button('Send it once')?.attributes('disabled')).toBeDefined()
  await page.get('dialog input[type=checkbox]').setValue(true)
  await page.get('dialog form').trigger('submit')
  await flushPromises()
  expect(made('vehicles.assignDevice')).toEqual([{ id: 7, imei: '867698040023056', confirmed: true }])
  expect(page.get('dialog').text()).toContain('Not assigned')
})

test('what the user may not do is not offered: counters without their scope, the update without write on vehicles', async () => {
  await open({
    'gateway.status': () => ({ ...data.gateway, state: 'reachable', scopes: { vehicles: 'r' }, isStaff: false }),
    'vehicles.show': () => ({ ...sheet, source: 'gateway' as const, note: null, vehicle: { ...vehicle, imei: null } })
  })
  goTo('vehicle', '7')
  await flushPromises()
  expect(page.text()).toContain('No device in the vehicle')
  expect(button('Ask for this device in the vehicle')).toBeUndefined()
  expect(made('vehicles.counters')).toEqual([])
  expect(button('Link an asset')?.attributes('title')).toContain('entities.link')
})

test('write includes read, remote includes its commands, staff may do all, and unknown scopes hide nothing', () => {
  const status = (scopes: Record<string, string> | null, isStaff = false) => ({ ...data.gateway, scopes, isStaff })
  expect(mayDo(status({ vehicles: 'w' }), 'vehicles', 'r')).toBe(true)
  expect(mayDo(status({ vehicles: 'r' }), 'vehicles', 'w')).toBe(false)
  expect(mayDo(status({ remote: 'w' }), 'remote.output', 'w')).toBe(true)
  expect(mayDo(status({ remote: 'r' }), 'remote.output', 'w')).toBe(false)
  expect(mayDo(status({}, true), 'triggers', 'w')).toBe(true)
  expect(mayDo(status(null), 'triggers', 'w')).toBe(true)
})
