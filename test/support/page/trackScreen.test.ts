import { flushPromises } from '@vue/test-utils'
import { beforeEach, expect, test, vi } from 'vitest'
import type { RoadPoint } from '../../../preload/contract/gateway/vehicles/vehicleRoad.ts'
import { trackCsv, trackGpx } from '../../../renderer/support/vehicle/track/trackFile.ts'
import { goTo } from '../../../renderer/base/shell/router.ts'
import * as data from '../../world/data/fakeData.ts'
import { core, openWindow, page, useFakeWindow } from '../../world/window/fakes/fakeWindow.ts'

// At noon: the screen shows a day, and what happened a minute ago belongs to it.
const noonMs = new Date().setHours(12, 0)
const startMs = noonMs - 3_600_000
const point = (minute: number, northM: number, speedKmh: number): RoadPoint => [
  startMs + minute * 60_000,
  40 + northM / 111_195,
  -3.7,
  speedKmh,
  1,
  false
]
/** Ten minutes at a place, three minutes of driving, ten minutes at another. */
const day = [
  ...Array.from({ length: 10 }, (_, n) => point(n, 0, 0)),
  point(10, 300, 30),
  point(11, 1_200, 62),
  point(12, 1_900, 40),
  ...Array.from({ length: 10 }, (_, n) => point(13 + n, 2_000, 0))
]
const standing = Array.from({ length: 50 }, (_, n) => point(n, 0, 0))

async function open(points: RoadPoint[]): Promise<void> {
  await openWindow({
    'gateway.status': () => ({ ...data.gateway, state: 'reachable', scopes: { rawdata: 'r', geofences: 'r' } }),
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
    'vehicles.road': () => ({
      points,
      events: points.length,
      trips: [{ kind: 'trip', fromMs: startMs, untilMs: startMs + 60_000, distanceM: 0, meanSpeedKmh: null }],
      problems: [],
      readAt: data.at(0)
    }),
    'vehicles.fences': () =>
      ({
        fences: [
          { id: 4, name: 'The yard', inside: true, shape: { type: 'Circle', center: [-3.7, 40], radiusM: 200 } }
        ],
        source: 'gateway',
        readAt: data.at(0)
      }) as never
  })
  goTo('track', '7')
  await flushPromises()
  await flushPromises()
}
async function key(name: string): Promise<void> {
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }))
  await flushPromises()
}
const list = () => page.get('ol[aria-label="Trips and stops"]')
const lines = () =>
  list()
    .findAll('li')
    .map((line) => line.text())
const sums = () => page.findAll('.sums div').map((one) => one.text())
const made = (name: string) =>
  core.made.filter((call) => call.name === name).map((call) => call.input as Record<string, unknown>)

useFakeWindow()
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: noonMs }))

test('a day is its trips and stops in turn, with the names of geofences and the sums above', async () => {
  await open(day)
  expect(sums()).toEqual(['1trip', '2stops', '2 kmdriven', '4 minmoving'])
  expect(lines()[0]).toMatch(/^1The yarduntil \d\d:\d\d9 min$/)
  expect(lines()[1]).toMatch(/^\d\d:\d\d to \d\d:\d\dmax 62 km\/h2 km$/)
  expect(lines()[2]).toMatch(/^240\.01799, -3\.70000since/)
})

test('standing all day is one stop, whatever the gateway calls a trip', async () => {
  await open(standing)
  expect(sums().slice(0, 3)).toEqual(['0trips', '1stop', '0 mdriven'])
  expect(lines()).toHaveLength(1)
})

test('J and K walk through the list, Space plays, 0 shows the day again', async () => {
  await open(day)
  const chosen = () =>
    list()
      .findAll('button')
      .findIndex((button) => button.attributes('aria-pressed') === 'true')
  await key('j')
  await key('j')
  expect(chosen()).toBe(1)
  expect(page.get('.replay').text()).toContain('trip 1 of 1')
  await key('k')
  expect(chosen()).toBe(0)
  await key('0')
  expect(chosen()).toBe(-1)
  await key(' ')
  expect(page.find('.replay button[aria-label="Pause"]').exists()).toBe(true)
  await key(' ')
  expect(page.find('.replay button[aria-label="Play"]').exists()).toBe(true)
})

test('another day is asked for whole, and there is none after today', async () => {
  await open(day)
  const button = (label: string) => page.get(`button[aria-label="${label}"]`)
  expect(button('Day after').attributes('disabled')).toBeDefined()
  await button('Day before').trigger('click')
  await flushPromises()
  const { fromMs, untilMs } = made('vehicles.road').at(-1) as { fromMs: number; untilMs: number }
  expect(untilMs - fromMs).toBeGreaterThan(22 * 3_600_000)
  expect(untilMs).toBeLessThan(Date.now())
  expect(button('Day after').attributes('disabled')).toBeUndefined()
})

test('a day without positions says so', async () => {
  await open([])
  expect(page.text()).toContain('No positions on this day')
})

test('saves the positions of each witness with the time in UTC and with the offset of the zone, and never joins them over a gap', () => {
  const at = Date.parse('2026-07-01T22:30:00Z')
  const track = {
    vehicle: 'Unit <7> & "Co"',
    gateway: [
      [at, 40, -3.7, 62, 1.5, false],
      [at + 60_500, 40.1, -3.7, null, null, true]
    ] as RoadPoint[],
    device: [[at, 40, -3.7001, 61, false]] as [number, number, number, number, boolean][]
  }
  expect(trackCsv(track, 'Europe/Madrid').split('\r\n')).toEqual([
    '\ufeff"Time, UTC",Local time with offset,Witness,Latitude,Longitude,"Speed, km/h","Delay at the gateway, s",After a gap',
    '2026-07-01T22:30:00Z,2026-07-02T00:30:00+02:00,Gateway,40,-3.7,62,1.5,0',
    '2026-07-01T22:31:00.500Z,2026-07-02T00:31:00+02:00,Gateway,40.1,-3.7,,,1',
    '2026-07-01T22:30:00Z,2026-07-02T00:30:00+02:00,Device,40,-3.7001,61,,0',
    ''
  ])
  expect(trackCsv({ ...track, device: [] }, 'America/St_Johns')).toContain('2026-07-01T20:00:00-02:30')
  const gpx = new DOMParser().parseFromString(trackGpx(track), 'application/xml')
  expect(gpx.querySelector('parsererror')).toBeNull()
  expect(
    [...gpx.querySelectorAll('trk')].map((one) => [
      one.querySelector('name')?.textContent,
      one.querySelectorAll('trkseg').length,
      one.querySelectorAll('trkpt').length
    ])
  ).toEqual([
    ['Unit <7> & "Co", Gateway', 2, 2],
    ['Unit <7> & "Co", Device', 1, 1]
  ])
  expect(gpx.querySelector('trkpt time')?.textContent).toBe('2026-07-01T22:30:00Z')
  expect(gpx.querySelector('trkpt')?.getAttribute('lat')).toBe('40')
})

test('the shown day is exported as CSV or GPX under its name', async () => {
  await open(day)
  const saved: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  for (const format of ['CSV', 'GPX']) {
    await page.get('button[title="Export"]').trigger('click')
    await flushPromises()
    expect(page.text()).toContain('23 positions of the gateway, 3 of the device. Times are UTC.')
    await page
      .findAll('button')
      .find((button) => button.text() === format)
      ?.trigger('click')
  }
  expect(saved.map((name) => name.replace(/\d{4}-\d\d-\d\d/, 'DAY'))).toEqual([
    'fitter-track-Unit-0007-DAY.csv',
    'fitter-track-Unit-0007-DAY.gpx'
  ])
})
