import { flushPromises } from '@vue/test-utils'
import { beforeAll, expect, test } from 'vitest'
import type { EventLogState, EventPicture, EventRow } from '../../../preload/contract/gateway/vehicles/eventLog.ts'
import { message } from '../../../preload/contract/messages.ts'
import { delayAt, findCommonTrouble, valueAt } from '../../../renderer/gateway/events/compare/commonTrouble.ts'
import { goTo, place } from '../../../renderer/base/shell/router.ts'
import * as data from '../../world/data/fakeData.ts'
import { core, giveRoom, openWindow, page, useFakeWindow } from '../../world/window/fakes/fakeWindow.ts'

const nowMs = Date.now()
const minute = 60_000
const kept = (fromMinute: number, toMinute: number) => ({
  kind: 'kept' as const,
  n: 9,
  fromMs: nowMs + fromMinute * minute,
  toMs: nowMs + toMinute * minute,
  arrivedFromMs: null,
  arrivedToMs: null,
  longestS: 600,
  lines: []
})
const gap = (fromMinute: number, toMinute: number, open: 'start' | 'end' | null = null) => ({
  fromMs: nowMs + fromMinute * minute,
  toMs: nowMs + toMinute * minute,
  open
})
const none = { gaps: [], kept: [], noFix: [] }

test('the longest common outage is found, and what lies before the first event of one is none', () => {
  expect(findCommonTrouble({ ...none, kept: [kept(-60, -40)] }, { ...none, kept: [kept(-50, -30)] })).toEqual({
    kind: 'kept',
    fromMs: nowMs - 50 * minute,
    toMs: nowMs - 40 * minute
  })
  expect(
    findCommonTrouble(
      { ...none, kept: [kept(-60, -55)], gaps: [gap(-30, -10)] },
      { ...none, kept: [kept(-60, -55)], gaps: [gap(-40, -15)] }
    )
  ).toEqual({ kind: 'silent', fromMs: nowMs - 30 * minute, toMs: nowMs - 15 * minute })
  expect(
    findCommonTrouble({ ...none, gaps: [gap(-600, -10, 'start')] }, { ...none, gaps: [gap(-600, -10, 'start')] })
  ).toBeNull()
  expect(findCommonTrouble({ ...none, kept: [kept(-60, -40)] }, { ...none, kept: [kept(-40.5, -30)] })).toBeNull()
  expect(findCommonTrouble({ ...none, kept: [kept(-60, -40)] }, { ...none, gaps: [gap(-60, -40)] })).toBeNull()
})

const picture = (speeds: readonly (number | null)[]): EventPicture => ({
  fromMs: nowMs - 10 * minute,
  toMs: nowMs,
  happened: [3, 2],
  kept: [0, 0],
  arrived: [3, 2],
  delayMs: [null, 4_260],
  series: [{ field: 'speed', atMs: speeds.map((_, index) => nowMs - (10 - index) * minute), values: [...speeds] }]
})

test('a value at a moment is the last one before it, and none after a silence', () => {
  const one = picture([10, 20, null, 30])
  expect(valueAt(one, 'speed', nowMs - 8.5 * minute, 600)).toBe(20)
  expect(valueAt(one, 'speed', nowMs - 7.5 * minute, 600)).toBe(20)
  expect(valueAt(one, 'speed', nowMs - 11 * minute, 600)).toBeNull()
  expect(valueAt(one, 'speed', nowMs, 300)).toBeNull()
  expect(valueAt(one, 'rpm', nowMs, 600)).toBeNull()
  expect([delayAt(one, nowMs - 9 * minute), delayAt(one, nowMs - minute)]).toEqual([null, 4.3])
})

const state = (id: string, vehicleId: number): EventLogState => ({
  id,
  vehicleId,
  fromMs: nowMs - 86_400_000,
  toMs: nowMs,
  loading: 'whole',
  problem: null,
  n: 2,
  calls: 1,
  tookMs: 9,
  coveredFromMs: nowMs - 86_400_000,
  readAt: new Date(nowMs).toISOString(),
  revision: 1,
  missing: [],
  kinds: [{ type: 10, what: message('events.position'), n: 2 }],
  limits: { silentFromS: 600, isSilenceChosen: false, lateFromS: 60 },
  found: {
    kept: vehicleId === 7 ? 212 : 196,
    keptStretches: 1,
    longestS: 600,
    gaps: 0,
    silentS: 0,
    twice: 0,
    ahead: 0,
    clock: 0,
    noFix: { n: 0, s: 0, sinceMs: null }
  },
  data: { fromMs: nowMs - 10 * minute, toMs: nowMs }
})
const row = (index: number, of: 0 | 1): EventRow => ({
  row: index,
  happenedMs: nowMs - index * minute,
  arrivedMs: null,
  delayS: 1,
  type: 10,
  what: message('events.position'),
  detail: null,
  mark: null,
  latitude: null,
  longitude: null,
  validPosition: true,
  label: null,
  fix: true,
  change: null,
  lastPlace: null,
  group: null,
  fences: [],
  values: [41, null, -80],
  of
})

async function open(): Promise<void> {
  await openWindow({
    'gateway.status': () => ({ ...data.gateway, state: 'reachable', scopes: { rawdata: 'r' } }),
    'vehicles.show': ({ id }) => ({
      vehicle: { ...data.vehicleLines[0], id, name: `Unit 00${String(id).padStart(2, '0')}` } as never,
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
      fields: [{ name: 'speed', description: 'speed', type: 'number', group: 'basic' }],
      readAt: data.at(0)
    }),
    'eventLog.open': ({ vehicleId }) => state(`log${vehicleId}`, vehicleId),
    'eventLog.state': ({ id }) => state(id, Number(id.slice(3))),
    'eventLog.stop': ({ id }) => state(id, Number(id.slice(3))),
    'eventLog.stretches': ({ id }) => ({ ...none, kept: [id === 'log7' ? kept(-9, -3) : kept(-8, -2)], isCut: false }),
    'eventLog.picture': ({ id }) => picture(id === 'log7' ? [41, 41, 41] : [55, 55, 55]),
    'eventLog.merged': ({ first, n }) => ({
      revision: 2,
      total: 2,
      events: 2,
      rows: [row(0, 1), row(1, 0)].slice(first, first + n)
    }),
    'eventLog.rows': () => ({ revision: 1, total: 1, events: 1, rows: [row(0, 0)] }),
    'eventLog.find': () => ({ index: 0, total: 1 }),
    'eventLog.event': ({ row: index }) => ({
      row: row(index, 0),
      stretch: null,
      copies: 1,
      fields: [],
      raw: {},
      problem: null,
      readAt: data.at(0)
    })
  })
  goTo('events', '7', '12')
  await flushPromises()
  await flushPromises()
}
const made = (name: string) =>
  core.made.filter((call) => call.name === name).map((call) => call.input as Record<string, unknown>)

useFakeWindow()
beforeAll(() => giveRoom())

test('two vehicles are one list with their names, and a common outage is said in words', async () => {
  await open()
  expect(made('eventLog.open').map(({ vehicleId }) => vehicleId)).toEqual([7, 12])
  expect(made('eventLog.merged').at(-1)?.['ids']).toEqual(['log7', 'log12'])
  const rows = page.findAll('[role=row]').map((one) => one.text())
  expect(rows[1]).toContain('Unit 0012')
  expect(rows[2]).toContain('Unit 0007')
  expect(page.text()).toContain('Same outage')
  expect(page.get('table').text()).toContain('Buffered21219616')
  expect(page.get('table').text()).toContain('Events22same')
})

test('an event of the other vehicle is read from its own log, and a removed vehicle leaves the other one', async () => {
  await open()
  await page.findAll('[role=row]')[1]?.trigger('click')
  await flushPromises()
  expect(made('eventLog.event').at(-1)?.['id']).toBe('log12')
  await page.get('button[aria-label="Remove Unit 0007 from the comparison"]').trigger('click')
  await flushPromises()
  expect(place.value).toEqual({ screen: 'events', id: '12', part: '' })
})
