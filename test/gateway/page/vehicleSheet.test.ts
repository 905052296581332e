import { message, plainMessage } from '../../../preload/contract/messages.ts'
import { flushPromises, mount } from '@vue/test-utils'
import { beforeAll, expect, test } from 'vitest'
import type { VehicleSheet } from '../../../preload/contract/gateway/vehicles/vehicles.ts'
import PlaceMap from '../../../renderer/base/instruments/map/PlaceMap.vue'
import { mayDo } from '../../../renderer/gateway/site/mayDo.ts'
import CountersPane from '../../../renderer/support/vehicle/CountersPane.vue'
import { useGateway } from '../../../renderer/base/shell/gateway.store.ts'
import { goTo } from '../../../renderer/base/shell/router.ts'
import { FakeFailure } from '../../world/window/fakes/fakeBridge.ts'
import * as data from '../../world/data/fakeData.ts'
import {
  giveRoom,
  made,
  openWindow,
  page,
  putCore,
  putPage,
  useFakeWindow
} from '../../world/window/fakes/fakeWindow.ts'

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

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()
const button = (text: string) => page.findAll('button').find((one) => one.text().includes(text))

useFakeWindow()
beforeAll(() => giveRoom())

test('a vehicle that the gateway does not show says so, with a way back', async () => {
  await openWindow({
    'vehicles.show': () => {
      throw new FakeFailure({
        code: 'NOT_FOUND',
        message: message('gateway.goneOrNotYours', { what: message('gateway.thisVehicle') }),
        retryable: false
      })
    }
  })
  goTo('vehicle', '7')
  await flushPromises()
  expect(page.text()).toContain('Vehicle not available')
  expect(page.findAll('main a').map((link) => link.attributes('href'))).toContain('#/vehicles')
})

test('a vehicle shows its history by name, its counters by name and unit, and its last events in words with their delay', async () => {
  const day = (n: number) => ago(n * 86_400)
  await openWindow({
    'gateway.status': () => ({ ...data.gateway, state: 'reachable', scopes: null }),
    'vehicles.show': () => ({
      ...sheet,
      source: 'gateway' as const,
      note: null,
      device: { imei: vehicle.imei ?? '', online: true, lastReportedAt: ago(4), lines: null, raw: {} },
      state: data.stateAt(ago(4)),
      history: [
        { kind: 'device' as const, id: vehicle.imei ?? '', name: null, from: day(200), until: null },
        { kind: 'device' as const, id: '867698040009917', name: null, from: day(600), until: day(223) },
        { kind: 'asset' as const, id: '31', name: null, from: day(100), until: null }
      ],
      historyKnown: true
    }),
    'vehicles.assets': () => ({ assets: [{ id: 31, name: 'Trailer 13', type: 'trailer' }] }),
    'vehicles.counters': () => ({
      readAt: data.at(0),
      global: [
        { counter: 'counter_io_in1', value: 7200, unit: 's', settable: true },
        { counter: 'dev_idle', value: 3600, unit: 's', settable: true },
        { counter: 'ecu_dist', value: 84_310_000, unit: 'm', settable: true },
        { counter: 'dev_ign', value: 14_400, unit: 's', settable: true },
        { counter: 'new_one', value: 3, unit: null, settable: false }
      ],
      user: [],
      problems: []
    }),
    'vehicles.events': () => ({
      readAt: data.at(0),
      events: [
        {
          id: 1,
          at: data.at(-430),
          arrivedAt: data.at(0),
          delayS: 430,
          what: plainMessage('External power lost'),
          detail: null,
          type: 11,
          label: 'pwroff',
          latitude: 4.7,
          longitude: -74,
          validPosition: true,
          speedKmh: 0,
          satellites: 9,
          raw: {}
        }
      ]
    }),
    'vehicles.fences': () => ({ fences: [], complete: true, problems: [], source: 'gateway', readAt: null }),
    'vehicles.reports': () => ({ days: [{ day: day(3).slice(0, 10), reports: 4 }], readAt: data.at(0) })
  })
  goTo('vehicle', '7')
  await flushPromises()
  await flushPromises()
  const spans = page.findAll('.history .span').map((span) => span.get('[aria-hidden]').text())
  expect(spans).toEqual(['867698040009917', vehicle.imei, 'Trailer 13'])
  expect(page.get('.history').text()).toContain('no device, 23 days')
  const counters = page.findAll('.counters li').map((row) => row.text())
  expect(counters[0]).toContain('Distance, enginefrom the bus84,310 km')
  expect(counters[1]).toContain('Ignition on4 h')
  expect(counters[2]).toContain('Idling25 % of the total1 h')
  expect(counters[3]).toContain('Input 1 on2 h')
  expect(counters[4]).toContain('new_one')
  expect(page.get('.events li').text()).toContain('External power lost7 min 10 s')
  expect(page.get('.events li').classes()).toContain('late')
  expect(page.text()).toContain('reports, ')
})

const shownByGateway = { ...sheet, source: 'gateway' as const, note: null }
const place = (arrivedAt: string) => ({
  id: 1,
  at: arrivedAt,
  arrivedAt,
  delayS: 3,
  what: plainMessage('Position'),
  detail: null,
  type: 10,
  label: 'prdtst',
  latitude: 4.7,
  longitude: -74,
  validPosition: true,
  speedKmh: 0,
  satellites: 9,
  raw: {}
})

test('a record that does not show when the device reported is no vehicle that never did: its newest event is the last report', async () => {
  const device = { imei: vehicle.imei ?? '', online: null, lastReportedAt: null, lines: null, raw: {} }
  await openWindow({
    'gateway.status': () => ({ ...data.gateway, state: 'reachable', scopes: null }),
    'vehicles.show': () => ({ ...shownByGateway, device, state: data.stateAt(null) }),
    'vehicles.events': () => ({ readAt: data.at(0), events: [place(ago(52))], state: data.stateAt(ago(52)) })
  })
  goTo('vehicle', '7')
  await flushPromises()
  await flushPromises()
  expect(page.text()).not.toContain('never')
  expect(page.get('.screen-head').text()).toMatch(/reports, \d+ s ago/)
  expect(page.get('.pane.device').text()).toMatch(/Last report 5\d s ago/)
})

test('without a last report anywhere it is unknown with the reason', async () => {
  const device = { imei: vehicle.imei ?? '', online: null, lastReportedAt: null, lines: null, raw: {} }
  await openWindow({
    'gateway.status': () => ({ ...data.gateway, state: 'reachable', scopes: null }),
    'vehicles.show': () => ({ ...shownByGateway, device, state: data.stateAt(null) }),
    'vehicles.events': () => ({ readAt: data.at(0), events: [] })
  })
  goTo('vehicle', '7')
  await flushPromises()
  await flushPromises()
  expect(page.get('.screen-head').text()).toContain('unknown, last report not shown')
  expect(page.get('.screen-head').find('[data-shape=unknown]').exists()).toBe(true)
  expect(page.get('.pane.device').text()).toContain('Last report not shown')
})

test('a vehicle that reports without power is red on its page', async () => {
  await openWindow({
    'gateway.status': () => ({ ...data.gateway, state: 'reachable', scopes: null }),
    'vehicles.show': () => ({ ...shownByGateway, state: data.stateAt(ago(9), { conditions: ['noPower'] }) })
  })
  goTo('vehicle', '7')
  await flushPromises()
  await flushPromises()
  expect(page.get('.screen-head').text()).toMatch(/reports, \d+ s ago, no power/)
  expect(page.get('.screen-head').find('[data-shape=fail]').exists()).toBe(true)
  expect(page.get('.screen-head').find('[data-shape=pass]').exists()).toBe(false)
})

test('a vehicle from the copy says of when it is, and what only the gateway knows is not shown', async () => {
  await openWindow({ 'vehicles.show': () => sheet })
  goTo('vehicle', '7')
  await flushPromises()
  expect(page.get('.hint').text()).toContain('Local copy from')
  expect(page.text()).toContain('connected here')
  expect(page.text()).not.toContain('Counters')
})

/** An open job fits the signed-in device into this vehicle. */
const fitting = { jobs: [{ ...data.listedJob, vehicle: { id: 7, name: 'Truck 7' } }], next: null, total: 1 }
const listOf = (jobs: object) => ({ isMore: false, counts: {}, isSimilar: false, ...jobs }) as never

test('a signed-in device that no job fits into this vehicle is no matter of its page', async () => {
  await openWindow({
    'gateway.status': () => ({ ...data.gateway, state: 'reachable', scopes: { vehicles: 'w' } }),
    'jobs.list': () => listOf({ jobs: [], next: null, total: 0 }),
    'vehicles.show': () => ({
      ...sheet,
      source: 'gateway' as const,
      note: null,
      vehicle: { ...vehicle, imei: '867698040099999' }
    })
  })
  goTo('vehicle', '7')
  await flushPromises()
  expect(page.text()).toContain('nothing to compare')
  expect(page.text()).not.toContain('fitting')
  expect(button('Request this device')).toBeUndefined()
})

test('another device that a job fits is shown as the break it is, and the undocumented update asks for a word first', async () => {
  const other = { ...sheet, source: 'gateway' as const, note: null, vehicle: { ...vehicle, imei: '867698040099999' } }
  await openWindow({
    'gateway.status': () => ({ ...data.gateway, state: 'reachable', scopes: { vehicles: 'w' } }),
    'jobs.list': () => listOf(fitting),
    'vehicles.show': () => other,
    'vehicles.assignDevice': () => ({
      kind: 'notAssigned',
      detail: plainMessage('The gateway answers: not found or not permitted.'),
      operationId: 'x'
    })
  })
  goTo('vehicle', '7')
  await flushPromises()
  expect(page.text()).toContain('The vehicle has another device')
  await button('Request this device')?.trigger('click')
  await flushPromises()
  expect(button('Send once')?.attributes('disabled')).toBeDefined()
  await page.get('dialog input[type=checkbox]').setValue(true)
  await page.get('dialog form').trigger('submit')
  await flushPromises()
  expect(made('vehicles.assignDevice')).toEqual([{ id: 7, imei: '867698040023056', confirmed: true }])
  expect(page.get('dialog').text()).toContain('Not assigned')
})

test('what the user may not do is not offered: counters without their scope, the update without write on vehicles', async () => {
  await openWindow({
    'gateway.status': () => ({ ...data.gateway, state: 'reachable', scopes: { vehicles: 'r' }, isStaff: false }),
    'jobs.list': () => listOf(fitting),
    'vehicles.show': () => ({ ...sheet, source: 'gateway' as const, note: null, vehicle: { ...vehicle, imei: null } })
  })
  goTo('vehicle', '7')
  await flushPromises()
  expect(page.text()).toContain('No device in the vehicle')
  expect(button('Request this device')).toBeUndefined()
  expect(made('vehicles.counters')).toEqual([])
  await page.get('button[aria-label="More"]').trigger('click')
  const link = page.findAll('[role=menuitem]').find((one) => one.text() === 'Link an asset')
  expect(link?.attributes('title')).toContain('entities.link')
})

test('one dialog sets a counter in the unit that is shown, and creates a counter beside another', async () => {
  putCore({
    'vehicles.counters': () => ({
      readAt: data.at(0),
      global: [{ counter: 'dev_dist', value: 12_000, unit: 'm' as const, settable: true }],
      user: [],
      problems: []
    }),
    'vehicles.setCounter': () => ({ operationId: 'o' }),
    'vehicles.createCounter': () => ({ operationId: 'o' })
  })
  useGateway().status = { ...data.gateway, state: 'reachable', scopes: {}, isStaff: true }
  putPage(mount(CountersPane, { props: { vehicleId: 7 }, attachTo: document.body }))
  await flushPromises()
  await button('Set')?.trigger('click')
  const value = () => page.get<HTMLInputElement>('dialog input[type=number]')
  expect(value().element.value).toBe('12')
  await value().setValue('15.5')
  await page.get('dialog form').trigger('submit')
  await flushPromises()
  expect(made('vehicles.setCounter')).toEqual([{ id: 7, counter: 'dev_dist', value: 15_500 }])
  await button('New counter')?.trigger('click')
  expect(page.get<HTMLButtonElement>('dialog .primary').element.disabled).toBe(true)
  await page.get('dialog input:not([type=number])').setValue(' Tyres ')
  await value().setValue('2')
  await page.get('dialog form').trigger('submit')
  await flushPromises()
  expect(made('vehicles.createCounter')).toEqual([
    { id: 7, counter: 'dev_dist', initialValue: 2_000, description: 'Tyres' }
  ])
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

test('the map of a vehicle shows how exactly its device knows where it is', async () => {
  await openWindow({ 'vehicles.show': () => ({ ...sheet, source: 'gateway', note: null }) })
  goTo('vehicle', '7')
  for (let n = 0; n < 6; n++) await flushPromises()
  const map = page.findComponent(PlaceMap)
  expect(map.props('device')).toMatchObject({ latitude: expect.any(Number), accuracyM: 4.2 })
})

test('an engine bus whose state has no time is not called running', async () => {
  const view = { lines: [], linesAt: null, linesFailure: null, engineBusFailure: null }
  const engineBus = { isDetected: true, isEngineOn: true, isUpgrading: false }
  const open = async (updatedAt: string | null) => {
    await openWindow({
      'gateway.status': () => ({ ...data.gateway, state: 'reachable', scopes: null }),
      'vehicles.show': () => ({ ...sheet, source: 'gateway' as const, note: null }),
      'accessories.read': () => ({ ...view, engineBus: { ...engineBus, updatedAt } }) as never
    })
    goTo('vehicle', '7')
    await flushPromises()
    return page.get('.remote .bus').text()
  }
  expect(await open(null)).toContain('Engine bus state unknown')
  expect(await open(ago(30))).toMatch(/Engine running\.,? 30.s ago/)
})
