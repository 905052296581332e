import { flushPromises } from '@vue/test-utils'
import { beforeAll, expect, test, vi } from 'vitest'
import type { CallOutput } from '../../../preload/contract/index.ts'
import type { VehicleCopy, VehicleState } from '../../../preload/contract/gateway/vehicles/vehicles.ts'
import CameraView from '../../../renderer/device/devices/label/CameraView.vue'
import { goTo } from '../../../renderer/base/shell/router.ts'
import * as data from '../../world/data/fakeData.ts'
import { core, giveRoom, made, openWindow, page, useFakeWindow } from '../../world/window/fakes/fakeWindow.ts'

const [vehicle] = data.vehicleLines
if (!vehicle) throw new Error('no vehicle')

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()
const button = (text: string) => page.findAll('button').find((one) => one.text().includes(text))

useFakeWindow()
beforeAll(() => giveRoom())

test('a VIN that the camera reads is searched for, with what its check digit says', async () => {
  await openWindow()
  goTo('vehicles')
  await flushPromises()
  await page.get('button[aria-label="Read the VIN with the camera"]').trigger('click')
  await vi.dynamicImportSettled()
  await flushPromises()
  page.getComponent(CameraView).vm.$emit('read', '1M8GDM9A0KP042788')
  await flushPromises()
  expect(page.find('dialog').exists()).toBe(false)
  expect(page.get<HTMLInputElement>('input[type=search]').element.value).toBe('1M8GDM9A0KP042788')
  expect(page.text()).toContain('Its check digit does not match: compare it with the label.')
  await vi.waitFor(
    () =>
      expect(made('vehicles.search')).toContainEqual({
        text: '1M8GDM9A0KP042788',
        filter: null,
        group: null,
        limit: 100
      }),
    15_000
  )
  await page.get('input[type=search]').setValue('hld')
  expect(page.text()).not.toContain('check digit')
})

test('vehicles are searched in the copy as one types, and the age of the copy is shown', async () => {
  await openWindow()
  goTo('vehicles')
  await flushPromises()
  expect(page.text()).toContain('2 vehicles')
  // Nothing was counted yet: no number is better than 0.
  expect(page.get('.filters').text()).toContain('Needs attention')
  expect(page.find('.filters b').exists()).toBe(false)
  expect(page.get('nav a[href="#/vehicles"]').find('.badge').exists()).toBe(false)
  vi.useFakeTimers()
  await page.get('input[type=search]').setValue('hld')
  vi.advanceTimersByTime(500)
  await flushPromises()
  expect(made('vehicles.search')).toContainEqual({ text: 'hld', filter: null, group: null, limit: 100 })
  const [first] = page.findAll('[role=grid] [aria-selected]')
  expect(first?.text()).toContain('HLD007')
  expect(first?.attributes('aria-selected')).toBe('true')
})

test('which vehicles report is asked for the rows in sight, in one call, and Enter opens the chosen one', async () => {
  await openWindow({
    'gateway.status': () => ({ ...data.gateway, state: 'reachable', scopes: { devices: 'r' } }),
    'vehicles.search': () =>
      data.vehicleList([vehicle, { ...vehicle, id: 8, name: 'Unit 0008', imei: '867698040099999' }], {
        groups: [{ id: 1, name: 'North depot' }]
      }),
    'vehicles.standings': () => ({
      standings: [standing(7, ago(3)), standing(8, ago(3 * 86_400 + 60))],
      readAt: ago(0)
    })
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  goTo('vehicles')
  await flushPromises()
  vi.advanceTimersByTime(1000)
  await flushPromises()
  expect(made('vehicles.standings')).toEqual([{ ids: [7, 8] }])
  const rows = page.findAll('[role=grid] [aria-selected]').map((row) => row.text())
  expect(rows[0]).toContain('reports')
  expect(rows[1]).toContain('silent3 d 0 h')
  expect(rows[0]).toContain('North depot')
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))
  await flushPromises()
  expect(page.get('[role=grid] .chosen').text()).toContain('Unit 0008')
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  await flushPromises()
  expect(window.location.hash).toBe('#/vehicle/8')
})

const standing = (id: number, lastReportedAt: string, own: Partial<VehicleState> = {}) => ({
  id,
  lastReportedAt,
  isOnline: null,
  state: data.stateAt(lastReportedAt, own)
})

/** A fleet of three vehicles that need attention, of which two are on the page of the filter. */
function fleet(input: { filter?: string | null; text: string }) {
  const one = data.stateAt(ago(3 * 86_400 + 2 * 3600 + 60), { readAt: ago(60), conditions: ['noPower', 'silent'] })
  const two = data.stateAt(ago(90), {
    readAt: ago(60),
    since: ago(2 * 3600 + 10),
    conditions: ['weakSignal'],
    signalDbm: -109
  })
  const conditions = { attention: 3, silent: 1, noPower: 1, noPosition: 0, weakSignal: 1 }
  const counts = { ...conditions, reports: 1100, unknown: 99, noDevice: 4, all: 1204 }
  const filter = (input.text === '' ? (input.filter ?? 'attention') : 'all') as 'attention'
  return data.vehicleList(
    [
      vehicle as NonNullable<typeof vehicle>,
      {
        ...(vehicle as NonNullable<typeof vehicle>),
        id: 8,
        name: 'Unit 0008',
        plate: 'HLD008',
        imei: '867698040099999'
      }
    ],
    {
      states: [one, two],
      counts,
      filter,
      groups: [
        { id: 1, name: 'North depot' },
        { id: 2, name: null }
      ]
    }
  )
}

test('the work list shows what needs attention first, each condition with its number, and its number in the rail', async () => {
  await openWindow({ 'vehicles.search': fleet })
  goTo('vehicles')
  await flushPromises()
  expect(page.findAll('.filters button').map((one) => one.text())).toEqual([
    'Needs attention3',
    'Silent1',
    'No GPS0',
    'No power1',
    'Weak signal1',
    'reports1,100',
    'unknown99',
    'No device4',
    'All vehicles1,204'
  ])
  expect(page.get('.filters [aria-pressed=true]').text()).toContain('Needs attention')
  expect(page.get('nav [aria-current=page] .badge').text()).toBe('33 vehicles need attention')
  const rows = page.findAll('[role=grid] [aria-selected]')
  expect(rows[0]?.get('[role=gridcell].standing').text()).toMatch(/^silent, no power \(read \d\d:\d\d\)$/)
  expect(rows[0]?.find('[data-shape=fail]').exists()).toBe(true)
  expect(rows[0]?.get('[role=gridcell].since').text()).toBe('3 d 2 h')
  // When a weak signal began is not known: the report that first showed it may not have been the first.
  expect(rows[1]?.get('[role=gridcell].since').text()).toBe('over 2 h')
  expect(rows[1]?.get('[role=gridcell].signal').text()).toBe('−109')
  expect(rows.map((row) => row.get('.do a').attributes('href'))).toEqual([
    '#/diagnose/vehicle/7',
    '#/diagnose/vehicle/8'
  ])
  expect(page.get('.foot-line').text()).toContain('of 3, longest first')
  await button('No power')?.trigger('click')
  await flushPromises()
  expect(made('vehicles.search')).toContainEqual({ text: '', filter: 'noPower', group: null, limit: 100 })
  await page.findAll('.filters > label:last-child option')[2]?.setValue(undefined)
  await flushPromises()
  expect(made('vehicles.search')).toContainEqual({ text: '', filter: 'noPower', group: 2, limit: 100 })
})

test('D diagnoses the chosen vehicle, and a fresh word of the gateway ends a silence of the copy', async () => {
  await openWindow({
    'vehicles.search': fleet,
    'gateway.status': () => ({ ...data.gateway, state: 'reachable', scopes: { devices: 'r' } }),
    'vehicles.standings': () => ({
      standings: [standing(7, ago(3), { conditions: ['noPower'] }), standing(8, ago(4))],
      readAt: ago(0)
    })
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  goTo('vehicles')
  await flushPromises()
  expect(page.get('[role=grid] [role=gridcell].standing').text()).toContain('silent')
  vi.advanceTimersByTime(1000)
  await flushPromises()
  expect(page.get('[role=grid] [role=gridcell].standing').text()).toBe('reports, no power')
  expect(page.get('[role=grid] [role=gridcell].standing').find('[data-shape=fail]').exists()).toBe(true)
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'd', bubbles: true }))
  expect(window.location.hash).toBe('#/diagnose/vehicle/8')
})

test('Enter in the search opens the only hit, and a forgiven typing error is said', async () => {
  await openWindow({
    'vehicles.search': ({ text }) =>
      text === '' ? fleet({ text }) : data.vehicleList([vehicle], { instead: 'HLD007' })
  })
  goTo('vehicles')
  await flushPromises()
  vi.useFakeTimers()
  const field = page.get('input[type=search]')
  await field.setValue('hdl007')
  vi.advanceTimersByTime(500)
  await flushPromises()
  expect(page.get('.instead').text()).toBe('Nothing matches “hdl007”. Showing “HLD007” and similar results.')
  expect(page.find('.filters [aria-pressed=true]').exists()).toBe(false)
  await field.trigger('keydown', { key: 'Enter' })
  expect(window.location.hash).toBe('#/vehicle/7')
})

test('a gateway that is away, or has few calls left, is not asked which vehicles report; the copy says how old it is', async () => {
  await openWindow()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  goTo('vehicles')
  await flushPromises()
  vi.advanceTimersByTime(1000)
  await flushPromises()
  expect(made('vehicles.standings')).toEqual([])
  expect(page.text()).toContain('The gateway cannot be reached. Showing the local copy from')
  core.emit('gateway.changed', {
    ...data.gateway,
    state: 'reachable',
    scopes: null,
    rateLimit: { limit: 30, remaining: 2, resetAt: data.at(40) }
  })
  goTo('start')
  await flushPromises()
  goTo('vehicles')
  await flushPromises()
  vi.advanceTimersByTime(1000)
  await flushPromises()
  expect(made('vehicles.standings')).toEqual([])
})

test('rows that come into view while others are asked for are asked for after them', async () => {
  const first = Promise.withResolvers<CallOutput<'vehicles.standings'>>()
  const answer = { standings: [], readAt: ago(0) }
  await openWindow({
    'gateway.status': () => ({ ...data.gateway, state: 'reachable', scopes: { devices: 'r' } }),
    'vehicles.search': ({ text }) => data.vehicleList([{ ...vehicle, id: text === '' ? 7 : 8 }]),
    'vehicles.standings': ({ ids }) => (ids.includes(7) ? first.promise : answer)
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const pass = async (): Promise<void> => {
    await flushPromises()
    vi.advanceTimersByTime(1000)
    await flushPromises()
  }
  goTo('vehicles')
  await pass()
  await page.get('input[type=search]').setValue('hld')
  await pass()
  await pass()
  expect(made('vehicles.standings')).toEqual([{ ids: [7] }])
  first.resolve(answer)
  await pass()
  expect(made('vehicles.standings')).toEqual([{ ids: [7] }, { ids: [8] }])
})

test('a gateway that answered with errors is asked again by whoever comes to the list', async () => {
  await openWindow({
    'gateway.status': () => ({ ...data.gateway, hindrance: 'failing', scopes: { devices: 'r' } }),
    'vehicles.search': () => data.vehicleList([vehicle]),
    'vehicles.standings': () => ({ standings: [], readAt: ago(0) })
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  goTo('vehicles')
  await flushPromises()
  vi.advanceTimersByTime(1000)
  await flushPromises()
  expect(made('vehicles.standings')).toEqual([{ ids: [7] }])
})

test('what the gateway said before it went away is grey and has its age', async () => {
  const status = { ...data.gateway, state: 'reachable' as const, scopes: { devices: 'r' } }
  await openWindow({
    'gateway.status': () => status,
    'vehicles.search': () => data.vehicleList([vehicle]),
    'vehicles.standings': () => ({
      standings: [standing(7, ago(4 * 60 + 30))],
      readAt: ago(0)
    })
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  goTo('vehicles')
  await flushPromises()
  vi.advanceTimersByTime(1000)
  await flushPromises()
  const reports = () => page.get('[role=grid] [role=gridcell].standing')
  const report = () => page.get('[role=grid] [role=gridcell].report')
  expect(reports().find('[data-shape=pass]').exists()).toBe(true)
  expect(reports().classes()).not.toContain('stale')
  expect(report().classes()).not.toContain('muted')
  core.emit('gateway.changed', { ...status, state: 'unreachable' })
  await flushPromises()
  expect(reports().classes()).toContain('stale')
  expect(reports().text()).toMatch(/^reports \(read \d\d:\d\d\)$/)
  expect(report().text()).toBe('4 min ago')
  expect(report().classes()).toContain('muted')
  core.emit('gateway.changed', { ...status, state: 'unreachable', hindrance: 'failing' })
  await flushPromises()
  expect(page.text()).toContain('The gateway answers with errors. Showing the local copy from')
})

test('a fleet without vehicles says so, and one that is copied in part is not called never synced', async () => {
  let copy: VehicleCopy = { ...data.vehicleCopy, count: 0, copiedAt: ago(60), complete: true }
  await openWindow({ 'vehicles.search': () => data.vehicleList([], { copy }), 'vehicles.refresh': () => copy })
  goTo('vehicles')
  await flushPromises()
  await flushPromises()
  expect(page.text()).toContain('The gateway shows this user no vehicles.')
  copy = { ...copy, count: 10_000, copiedAt: null }
  core.emit('vehicles.copied', copy)
  await flushPromises()
  expect(page.text()).toContain('10,000 vehicles · sync not finished')
})

test('while the list is open its states are read again; then its rows and counts have them, and the list does not move', async () => {
  let isPowered = false
  const lines = [vehicle, { ...vehicle, id: 8, name: 'Unit 0008' }]
  const state = () => data.stateAt(ago(9), { conditions: isPowered ? [] : ['noPower'] })
  const counts = { attention: 1, silent: 0, noPower: 1, noPosition: 0, weakSignal: 0, unknown: 0, noDevice: 0, all: 2 }
  await openWindow({
    'gateway.status': () => ({ ...data.gateway, state: 'reachable', scopes: { devices: 'r' } }),
    'vehicles.search': ({ limit }) =>
      data.vehicleList(limit === 1 ? [] : lines, {
        states: limit === 1 ? [] : lines.map(state),
        counts: { ...counts, noPower: isPowered ? 0 : 2, reports: 2 },
        fleet: data.fleetOf(2, { readAt: ago(isPowered ? 0 : 299) })
      }),
    'vehicles.lines': ({ ids }) => ({
      vehicles: lines.filter(({ id }) => ids.includes(id)),
      states: ids.map(state)
    })
  })
  goTo('vehicles')
  await flushPromises()
  expect(made('vehicles.refreshStates')).toEqual([{}])
  const standings = () => page.findAll('[role=grid] [role=gridcell].standing').map((cell) => cell.text())
  expect(standings()).toEqual(['reports, no power', 'reports, no power'])
  expect(page.text()).toMatch(/status read (4|5) min ago/)
  isPowered = true
  core.emit('vehicles.copied', { ...data.vehicleCopy, statesAt: new Date().toISOString() })
  await flushPromises()
  await flushPromises()
  expect(standings()).toEqual(['reports', 'reports'])
  expect(page.findAll('.filters button').map((one) => one.text())).toContain('No power0')
  expect(page.text()).toMatch(/status read (now|\d s ago)/)
  expect(made('vehicles.lines')).toEqual([{ ids: [7, 8] }])
})

test('what was read more than 15 minutes ago is grey with its time, and never silent for that', async () => {
  await openWindow({
    'gateway.status': () => ({ ...data.gateway, state: 'reachable', scopes: {} }),
    'vehicles.search': () =>
      data.vehicleList([vehicle], { states: [data.stateAt(ago(16 * 60), { readAt: ago(15 * 60 + 30) })] })
  })
  goTo('vehicles')
  await flushPromises()
  const cell = page.get('[role=grid] [role=gridcell].standing')
  expect(cell.text()).toMatch(/^reports \(read \d\d:\d\d\)$/)
  expect(cell.classes()).toContain('stale')
})

test('while the devices are copied the list asks for no second sync, and counts of what is not read are dashes', async () => {
  const copy: VehicleCopy = {
    ...data.vehicleCopy,
    count: 1204,
    copiedAt: null,
    running: { kind: 'devices', done: 0, total: 1204, leftMs: null }
  }
  const counts = { attention: 0, silent: 0, noPower: 0, noPosition: 0, weakSignal: 0, reports: 0 }
  const fleet = data.fleetOf(0)
  for (const filter of ['unknown', 'noDevice', 'all'] as const) fleet.known[filter] = 1204
  await openWindow({
    'vehicles.copy': () => copy,
    'vehicles.search': () =>
      data.vehicleList([], {
        copy,
        filter: 'silent',
        counts: { ...counts, unknown: 1200, noDevice: 4, all: 1204 },
        fleet
      })
  })
  goTo('vehicles')
  await flushPromises()
  await flushPromises()
  expect(page.text()).toContain('Reading the devices.')
  expect(page.findAll('button').map((one) => one.text())).not.toContain('Sync now')
  expect(page.findAll('.filters button').map((one) => one.text())).toEqual([
    'Needs attention–',
    'Silent–',
    'No GPS–',
    'No power–',
    'Weak signal–',
    'reports–',
    'unknown1,200',
    'No device4',
    'All vehicles1,204'
  ])
})

test('a copy without vehicles is made at once when somebody is signed in, and tells how far it is', async () => {
  const empty = { ...data.vehicleCopy, count: 0, copiedAt: null }
  let copy: VehicleCopy = empty
  await openWindow({
    'vehicles.search': () => data.vehicleList([], { copy }),
    'vehicles.refresh': () =>
      (copy = { ...empty, running: { kind: 'vehicles', done: 1000, total: 4000, leftMs: 9000 } })
  })
  goTo('vehicles')
  await flushPromises()
  await flushPromises()
  expect(made('vehicles.refresh')).toHaveLength(1)
  copy = { ...empty, running: { kind: 'vehicles', done: 2000, total: 4000, leftMs: 6000 } }
  core.emit('vehicles.copied', copy)
  await flushPromises()
  expect(page.get('[role=status]').text()).toContain('2,000 of 4,000')
})
