import { flushPromises } from '@vue/test-utils'
import { beforeAll, expect, test } from 'vitest'
import type { EventLogState, EventRow } from '../../../preload/contract/gateway/vehicles/eventLog.ts'
import { message } from '../../../preload/contract/messages.ts'
import { placeOfRow, rowWords } from '../../../renderer/gateway/events/rowTexts.ts'
import { rangeOf, sayMoment, sayTime } from '../../../renderer/gateway/events/times.ts'
import { startOfDay, wallMs, wallText } from '../../../preload/base/messages/zone.ts'
import { goTo } from '../../../renderer/base/shell/router.ts'
import { createFakeBridge } from '../../world/window/fakes/fakeBridge.ts'
import * as data from '../../world/data/fakeData.ts'
import { core, giveRoom, openWindow, page, useFakeWindow } from '../../world/window/fakes/fakeWindow.ts'

const nowMs = Date.now()
const state: EventLogState = {
  id: 'log',
  vehicleId: 7,
  fromMs: nowMs - 86_400_000,
  toMs: nowMs,
  loading: 'whole',
  problem: null,
  n: 2_418,
  calls: 3,
  tookMs: 900,
  coveredFromMs: nowMs - 86_400_000,
  readAt: new Date(nowMs).toISOString(),
  revision: 3,
  missing: [],
  kinds: [
    { type: 10, what: message('events.position'), n: 2_000 },
    { type: 100, what: message('events.keepAlive'), n: 418 }
  ],
  limits: { silentFromS: 600, isSilenceChosen: false, lateFromS: 60 },
  found: {
    kept: 212,
    keptStretches: 1,
    longestS: 2_820,
    gaps: 1,
    silentS: 840,
    twice: 3,
    ahead: 0,
    clock: 0,
    noFix: { n: 0, s: 0, sinceMs: null }
  },
  data: { fromMs: nowMs - 86_400_000, toMs: nowMs }
}
const gap = { fromMs: nowMs - 5_000_000, toMs: nowMs - 4_160_000, open: null }
function rowAt(index: number): EventRow {
  const happenedMs = nowMs - index * 30_000
  return {
    row: index,
    happenedMs,
    arrivedMs: happenedMs + 4_000,
    delayS: index === 2 ? 1_732 : 4,
    type: 10,
    what: message('events.position'),
    detail: message('events.driving', { speedKmh: 41 }),
    mark: index === 2 ? 'kept' : null,
    latitude: 40.42,
    longitude: -3.7,
    validPosition: true,
    label: null,
    fix: true,
    change: null,
    lastPlace: null,
    group: null,
    fences: index === 1 ? ['The yard'] : [],
    values: [41, null, 14_100, -88, 10]
  }
}

/** A map is drawn later, and not here: where no map is meant, no event has a place. */
const withoutPlaces: Parameters<typeof createFakeBridge>[0] = {
  'eventLog.rows': ({ first, n }) => ({
    revision: 3,
    total: 2_418,
    events: 2_418,
    rows: Array.from({ length: n }, (_, index) => ({ ...rowAt(first + index), latitude: null, longitude: null }))
  })
}

async function open(own: Parameters<typeof createFakeBridge>[0] = {}): Promise<void> {
  await openWindow({
    'gateway.status': () => ({ ...data.gateway, state: 'reachable', scopes: { rawdata: 'r' } }),
    'vehicles.show': () => ({
      vehicle: { ...data.vehicleLines[0], id: 7, name: 'Unit 0007' } as never,
      source: 'gateway',
      readAt: data.at(0),
      note: null,
      groups: [],
      device: null,
      history: [],
      historyKnown: true,
      raw: null
    }),
    'eventLog.fields': () => ({
      fields: [
        { name: 'speed', description: 'speed', type: 'number', group: 'basic' },
        { name: 'label', description: 'label', type: 'string', group: 'basic' },
        { name: 'oil_level', description: 'Oil level', type: 'number', group: 'ecu' }
      ],
      readAt: data.at(0)
    }),
    'eventLog.open': () => state,
    'eventLog.state': () => state,
    'eventLog.stop': () => state,
    'eventLog.judge': ({ silentFromS }) => ({
      ...state,
      limits: { ...state.limits, silentFromS: silentFromS ?? 600, isSilenceChosen: silentFromS !== null }
    }),
    'eventLog.labels': () => ({ labels: [] }),
    'eventLog.stretches': () => ({ gaps: [gap], kept: [], noFix: [], isCut: false }),
    'eventLog.picture': ({ fromMs, toMs, fields }) => ({
      fromMs,
      toMs,
      happened: [1],
      kept: [0],
      arrived: [1],
      delayMs: [4_000],
      series: fields.map((field) => ({ field, atMs: [], values: [] }))
    }),
    'eventLog.rows': ({ first, n }) => ({
      revision: 3,
      total: 2_418,
      events: 2_418,
      rows: Array.from({ length: Math.min(n, 2_418 - first) }, (_, index) => rowAt(first + index))
    }),
    'eventLog.find': ({ at }) => ({
      index: 'row' in at ? at.row : 'ms' in at ? Math.round((nowMs - at.ms) / 30_000) : (at.changeFrom ?? -1) + 5,
      total: 2_418
    }),
    'eventLog.event': ({ row }) => ({
      row: rowAt(row),
      stretch:
        row === 2
          ? {
              kind: 'kept',
              n: 212,
              fromMs: nowMs - 3_000_000,
              toMs: nowMs - 60_000,
              arrivedFromMs: nowMs - 30_000,
              arrivedToMs: nowMs + 60_000,
              longestS: 2_820,
              lines: []
            }
          : null,
      copies: 1,
      fields: [{ name: 'speed', description: '', value: 41 }],
      raw: {},
      problem: null,
      readAt: data.at(0)
    }),
    ...own
  })
  goTo('events', '7')
  await flushPromises()
}
const made = (name: string) =>
  core.made.filter((call) => call.name === name).map((call) => call.input as Record<string, unknown>)
const button = (text: string) => page.findAll('button').find((one) => one.text().includes(text))
async function key(name: string): Promise<void> {
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }))
  await flushPromises()
}

useFakeWindow()
beforeAll(() => {
  giveRoom()
  // A window in which nothing is left out.
  ;(
    window as unknown as { happyDOM: { setViewport(size: { width: number; height: number }): void } }
  ).happyDOM.setViewport({ width: 1_700, height: 768 })
})

test('what stands out is said at the head, and the list tells how it was loaded', async () => {
  await open()
  expect(page.text()).toContain('212 buffered, sent late')
  expect(page.text()).toContain('1 gap, 14 min')
  expect(page.text()).toContain('3 sent twice')
  expect(page.get('[role=grid]').attributes('aria-rowcount')).toBe('2419')
  expect(page.get('[role=grid]').text()).toContain('The yard')
})

test('until the first rows are there, the place of the list says that they come', async () => {
  await open({ 'eventLog.rows': () => new Promise(() => undefined) })
  expect(page.find('.skeleton').exists()).toBe(true)
  expect(page.text()).not.toContain('No events match')
})

test('a screen reader hears that the list is loading, and no number that grows', async () => {
  await open({
    'eventLog.open': () => ({ ...state, loading: 'running' }),
    'eventLog.state': () => ({ ...state, loading: 'running' })
  })
  expect(page.get('.foot-line').text()).toContain('Loading: 2,418 events')
  expect(
    page
      .get('.foot-line')
      .findAll('[role=status]')
      .map((one) => one.text())
  ).toEqual(['Loading'])
})

test('J and K walk through the events, and the chosen one is explained by its own times', async () => {
  await open(withoutPlaces)
  await key('j')
  await key('j')
  await key('j')
  const aside = page.get('aside[aria-label="Selected event"]')
  expect(aside.text()).toContain('Buffered in the device for 28 min 52 s')
  expect(aside.text()).toContain('It buffered 212 events and delivered them within 90 s')
  expect(aside.text()).toContain('None of them is lost')
  await key('k')
  expect(page.get('aside[aria-label="Selected event"]').text()).toContain('Arrived 4 s after it happened')
})

/** Only events that are no keep-alive. */
async function addCondition(): Promise<void> {
  await button('Condition')?.trigger('click')
  await flushPromises()
  const form = page.get('form.one')
  await form.findAll('select')[2]?.setValue('100')
  await form.trigger('submit')
  await flushPromises()
}

test('every row has the columns of the heads, however little room there is', async () => {
  await open()
  const style = page.get('.table').attributes('style') ?? ''
  const least = /--least-width: (\d+)px/.exec(style)?.[1]
  const columns = /--columns: ([^;]+)/.exec(style)?.[1] ?? ''
  // Heads and rows take their width from the table, never from what stands in them.
  expect(columns).not.toMatch(/auto|max-content|min-content/)
  const tracks = [...columns.matchAll(/minmax\((\d+)px|(?<![\d(])(\d+)px(?!,)/g)].map(([, flexible, fixed]) =>
    Number(flexible ?? fixed)
  )
  expect(Number(least)).toBe(tracks.reduce((sum, px) => sum + px, 0) + 10 * (tracks.length - 1) + 36)
})

test('times of a list that began before today stand with their day, and a place without a fix is no place', async () => {
  expect(placeOfRow({ latitude: 0, longitude: 0 })).toBeNull()
  expect(rowWords({ ...rowAt(1), latitude: 0, longitude: 0, fences: [] }, false).where).toBe('')
  await open({
    'eventLog.rows': ({ first, n }) => ({
      revision: 3,
      total: 2_418,
      events: 2_418,
      rows: Array.from({ length: n }, (_, index) => ({
        ...rowAt(first + index),
        latitude: 0,
        longitude: 0,
        fences: []
      }))
    })
  })
  expect(page.get('[role=row] [role=gridcell]').text()).toBe(sayMoment(rowAt(0).happenedMs ?? 0, true))
  await key('j')
  const aside = page.get('aside[aria-label="Selected event"]')
  expect(aside.text()).not.toContain('0.00000')
  expect(aside.find('.map').exists()).toBe(false)
})

test('a condition is of one vehicle: the next one is shown whole', async () => {
  await open()
  await addCondition()
  expect(page.find('.condition').exists()).toBe(true)
  goTo('events', '8')
  await flushPromises()
  expect(page.find('.condition').exists()).toBe(false)
  expect(made('eventLog.rows').at(-1)?.['filter']).toEqual({ types: null, conditions: [] })
})

test('brackets go to the gaps', async () => {
  await open(withoutPlaces)
  await key('[')
  expect(made('eventLog.find')).toContainEqual(expect.objectContaining({ at: { ms: gap.fromMs } }))
  expect(page.find('aside[aria-label="Selected event"]').exists()).toBe(true)
})

test('a condition is put together from words, shown as a chip, and asked of the core', async () => {
  await open()
  await addCondition()
  expect(page.get('.condition').text()).toContain('Kind is notKeep-alive')
  expect(made('eventLog.rows').at(-1)?.['filter']).toEqual({
    types: null,
    conditions: [{ field: 'type', is: 'notEqual', value: 100 }]
  })
  await page.get('.condition button').trigger('click')
  await flushPromises()
  expect(made('eventLog.rows').at(-1)?.['filter']).toEqual({ types: null, conditions: [] })
})

test('a field that was not loaded is loaded when it is charted, and what is silent can be said', async () => {
  await open()
  expect(made('eventLog.open')).toHaveLength(1)
  await page.get('button[aria-label^="Fields in the chart"]').trigger('click')
  await page
    .findAll('label.one')
    .find((one) => one.text().includes('Oil level'))
    ?.get('input')
    .setValue(true)
  await flushPromises()
  expect(made('eventLog.open').at(-1)?.['fields']).toContain('oil_level')
  await page
    .findAll('button')
    .find((one) => one.attributes('title') === 'What counts as a gap or as late')
    ?.trigger('click')
  await page
    .findAll('select')
    .find((one) => one.text().includes('as the vehicle usually reports'))
    ?.setValue('3600')
  await flushPromises()
  expect(made('eventLog.judge')).toContainEqual({ id: 'log', silentFromS: 3_600 })
})

test('a named view is kept in the settings', async () => {
  await open()
  await button('Save this view')?.trigger('click')
  await page.get('form.save input').setValue('Moving only')
  await page.get('form.save').trigger('submit')
  await flushPromises()
  expect(made('settings.change').at(-1)?.['eventViews']).toEqual([
    {
      name: 'Moving only',
      time: { kind: 'last', hours: 24 },
      filter: { types: null, conditions: [] },
      charts: ['sv', 'speed', 'ecu_battery', 'cf_rssi'],
      columns: ['speed', 'where', 'ecu_battery', 'cf_rssi', 'sv']
    }
  ])
})

test('without the gateway, what was loaded before stays with its age and the reason', async () => {
  const failed: EventLogState = {
    ...state,
    id: 'log',
    n: 0,
    loading: 'failed',
    problem: message('gateway.away'),
    coveredFromMs: null
  }
  await open({
    'eventLog.state': () => failed,
    'eventLog.open': () => failed,
    'eventLog.last': () => ({ state: { ...state, id: 'older' } })
  })
  expect(page.text()).toContain('The gateway does not answer. These events were loaded')
  expect(page.get('[role=grid]').attributes('aria-rowcount')).toBe('2419')
})

test('times are read on the clock of the person, also over a change of the clock', () => {
  expect(wallText(Date.parse('2026-07-01T10:30:00Z'), 'Europe/Madrid')).toBe('2026-07-01T12:30')
  expect(wallMs('2026-07-01T12:30', 'Europe/Madrid')).toBe(Date.parse('2026-07-01T10:30:00Z'))
  expect(startOfDay(Date.parse('2026-03-29T12:00:00Z'), 'Europe/Madrid')).toBe(Date.parse('2026-03-28T23:00:00Z'))
  expect(startOfDay(Date.parse('2026-03-29T12:00:00Z'), 'Europe/Madrid', 1)).toBe(Date.parse('2026-03-29T22:00:00Z'))
  expect(rangeOf({ kind: 'last', hours: 6 }, nowMs)).toEqual({ fromMs: nowMs - 6 * 3_600_000, toMs: nowMs })
  expect(sayTime({ kind: 'last', hours: 72 })).toBe('Last 3 days')
})

/** Rows of a vehicle that lost GPS: a group without a fix, the loss itself, a group before it. */
const place = { latitude: 40.38, longitude: -3.65 }
const lostRows = (): EventRow[] => {
  const base = {
    ...rowAt(0),
    detail: null,
    latitude: null,
    longitude: null,
    validPosition: false,
    fix: false,
    lastPlace: { ...place, atMs: nowMs - 600_000, fences: ['The yard'] },
    values: [0, null, null, -73, 0]
  }
  return [
    { ...base, row: 99, group: { n: 48, sinceMs: nowMs - 580_000 } },
    { ...base, row: 51, happenedMs: nowMs - 590_000, change: 'gpsLost' },
    {
      ...base,
      row: 50,
      happenedMs: nowMs - 600_000,
      fix: true,
      validPosition: true,
      ...place,
      lastPlace: null,
      values: [38, null, null, -71, 9]
    }
  ]
}
const lostParts = (): Parameters<typeof createFakeBridge>[0] => {
  const noGps = { ...state, found: { ...state.found, noFix: { n: 1, s: 590, sinceMs: nowMs - 590_000 } } }
  return {
    'eventLog.open': () => noGps,
    'eventLog.state': () => noGps,
    'eventLog.rows': ({ first, n, lines }) => ({
      revision: 3,
      total: 3,
      events: 50,
      rows: lostRows()
        .slice(first, first + n)
        .map((row) => (lines?.opened.includes(row.row) ? { ...row, group: null } : row))
    }),
    'eventLog.find': ({ at }) => ({
      index:
        'row' in at
          ? Math.max(
              0,
              lostRows().findIndex(({ row }) => row === at.row)
            )
          : 'changeFrom' in at && at.changeFrom !== 51
            ? 1
            : -1,
      total: 3
    }),
    'eventLog.count': () => ({ n: 49, total: 50 })
  }
}
const cells = (row: number) =>
  page
    .findAll('[role=row]')
    [row]?.findAll('[role=gridcell]')
    .map((one) => one.text()) ?? []

test('equal events are one line with their number, and GPS that was lost says so at the head, in its row and by its last place', async () => {
  await open(lostParts())
  expect(page.get('.found').text()).toContain('No GPS since')
  expect(cells(1)[2]).toContain('× 48')
  expect(cells(1)[0]).toContain('since')
  expect(cells(1)[4]).toBe('no GPS fixlast: The yard')
  expect(page.findAll('[role=row]')[2]?.classes()).toContain('lost')
  expect(cells(2)[2]).toContain('GPS lost')
  expect(cells(3)[4]).toBe('40.38000, -3.65000')
  expect(page.get('.foot-line').text()).toContain('50 events in 3 lines')
})

test('N goes to the next change, and where there is none it says so', async () => {
  await open(lostParts())
  await key('n')
  expect(page.get('aside[aria-label="Selected event"]').text()).toContain('GPS lost')
  expect(page.get('aside[aria-label="Selected event"]').text()).toContain('No valid position since')
  expect(made('eventLog.find')).toContainEqual(expect.objectContaining({ at: { changeFrom: null, direction: 1 } }))
  await key('n')
  expect(page.text()).toContain('No earlier change in this list')
})

test('X opens the group of the chosen event, and its number does the same', async () => {
  await open(lostParts())
  await key('j')
  await key('x')
  expect(made('eventLog.rows').at(-1)?.['lines']).toEqual({ opened: [99], by: null })
  await button('Close groups')?.trigger('click')
  await flushPromises()
  await page.get('.times').trigger('click')
  await flushPromises()
  expect(made('eventLog.rows').at(-1)?.['lines']).toEqual({ opened: [99], by: null })
})

test('a pressed value says how often it occurs, and filters, hides and groups by it', async () => {
  await open(lostParts())
  const menu = () => document.querySelector('[role=menu]')
  const item = (text: string) =>
    [...(menu()?.querySelectorAll('button') ?? [])].find((one) => one.textContent.includes(text))
  const press = async (text: string): Promise<void> => {
    await page.get('.value.bad').trigger('click')
    await flushPromises()
    expect(menu()?.textContent).toContain('Satellites 0 in 49 of 50 events')
    item(text)?.click()
    await flushPromises()
    expect(menu()).toBeNull()
  }
  await press('Only this value')
  expect(made('eventLog.rows').at(-1)?.['filter']).toEqual({
    types: null,
    conditions: [{ field: 'sv', is: 'equal', value: 0 }]
  })
  await press('Hide this value')
  expect(made('eventLog.rows').at(-1)?.['filter']).toEqual({
    types: null,
    conditions: [
      { field: 'sv', is: 'equal', value: 0 },
      { field: 'sv', is: 'notEqual', value: 0 }
    ]
  })
  await press('Group by Satellites')
  expect(made('eventLog.rows').at(-1)?.['lines']).toEqual({ opened: [], by: 'sv' })
  expect(page.text()).toContain('Grouped by Satellites')
})

test('the chart begins fitted to the events, and shows the whole period on request', async () => {
  const late = { ...state, data: { fromMs: nowMs - 3_600_000, toMs: nowMs } }
  await open({ 'eventLog.open': () => late, 'eventLog.state': () => late })
  const radios = () => page.findAll('input[type=radio]').map((one) => (one.element as HTMLInputElement).checked)
  expect(radios()).toEqual([true, false])
  expect(page.find('.span-strip').text()).toContain('no events before')
  await page.findAll('input[type=radio]')[1]?.setValue()
  expect(radios()).toEqual([false, true])
  expect(page.find('.span-strip').exists()).toBe(false)
  await key('0')
  expect(radios()).toEqual([true, false])
})
