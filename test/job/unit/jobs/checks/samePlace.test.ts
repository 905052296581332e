import { describe, expect, it } from 'vitest'
import { distanceM } from '../../../../../preload/base/maps/distance.ts'
import { checkSamePlace } from '../../../../../main/job/jobs/checks/samePlace.ts'
import type { GatewayEvent } from '../../../../../main/job/jobs/engine/ports.ts'
import { AppError } from '../../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../../preload/contract/messages.ts'
import { benchBeganMs, benchImei, runCheck, type Surroundings } from '../../../../world/device/checkBench.ts'
import { quickProfile } from '../../../../world/device/quickProfile.ts'

// The quick profile: 50 m are the same place, 200 m may be; parked up to 1 km/h; 10 s in all. Asked every second.
const here = { latitude: 40, longitude: -3 }
const gone = new AppError('UNREACHABLE', plainMessage('Gone.'), { fate: 'away' })
const refused = new AppError('NOT_FOUND', plainMessage('Not found.'), { fate: 'refused' })
const signedOut = new AppError('NOT_AUTHENTICATED', plainMessage('Sign in first.'))
const thresholds = { passM: 50, warnM: 200, parkedKmh: 1, fixAgeS: 10, eventAgeS: 300 }

function event(more: Partial<GatewayEvent> = {}): GatewayEvent {
  return {
    eventAtMs: benchBeganMs,
    ageS: 3,
    delayS: 1,
    ...here,
    type: 10,
    label: 'prdtst',
    isPositionValid: true,
    raw: { device_id: Number(benchImei) },
    ...more
  }
}
const away = (meters: number) => event({ latitude: here.latitude + meters / 111_195 })
const gps = (ms: number, coords: object = {}, more: object = {}) => ({
  coords: { ...here, speed: 0, ...coords },
  timestamp: (benchBeganMs + ms) / 1000,
  extras: { fix: 3 },
  ...more
})

const run = (events: Surroundings['events'], more: Surroundings = {}) =>
  runCheck(checkSamePlace, { gps: (ms) => gps(ms), ...(events && { events }), ...more })

describe('The same place', () => {
  it('passes at once; the record has both places', async () => {
    const asked: unknown[] = []
    const { saw, shown, ...result } = await run((_ms, request) => (asked.push(request), [away(40)]), {
      vehicle: { id: 7, name: 'Truck 1' }
    })
    expect(result).toMatchObject({
      state: 'pass',
      summary: '40 m difference',
      witness: ['device', 'gateway'],
      tookMs: 0
    })
    expect(saw).toEqual([
      {
        atMs: 0,
        witness: 'gateway',
        what: '40 m difference',
        raw: {
          device: { ...here, speedKmh: 0 },
          gateway: away(40).raw,
          gatewayPlace: { latitude: away(40).latitude, longitude: away(40).longitude }
        },
        thresholds
      }
    ])
    expect(shown).toEqual([])
    expect(asked).toEqual([{ imei: benchImei, vehicleId: 7 }])
  })

  it.each<[string, GatewayEvent[], string]>([
    [
      'whole numbers instead of degrees',
      [event({ latitude: 4_000_000, longitude: -300_000 })],
      'they are whole numbers instead of degrees'
    ],
    ['latitude and longitude exchanged', [event({ latitude: -99.13, longitude: 19.43 })], 'they look exchanged'],
    [
      'two devices with one IMEI',
      [0, 60, 120, 180].map((agoS, n) =>
        event({ ageS: agoS + 3, eventAtMs: benchBeganMs - agoS * 1000, ...(n % 2 === 1 && { latitude: 42 }) })
      ),
      'two devices report with the same IMEI'
    ]
  ])('is not compared with %s', async (_what, events, words) => {
    expect(await run(() => events)).toMatchObject({
      state: 'fail',
      summary: expect.stringContaining(words) as string,
      witness: ['gateway'],
      tookMs: 0
    })
  })

  it('is not believed of a device whose place moves at a speed of 0', async () => {
    const moving = (ms: number) => gps(ms, { latitude: here.latitude + (ms / 1000) * (10 / 111_195) })
    const { state, remedy } = await run(
      (ms) => [event({ ageS: 3, latitude: here.latitude + 0.002 + (ms / 1000) * (10 / 111_195) })],
      { gps: moving }
    )
    expect([state, remedy]).toEqual(['unreadable', expect.any(String)])
  })

  it('is asked for without a vehicle where none is known', async () => {
    const asked: unknown[] = []
    await run((_ms, request) => (asked.push(request), [event()]))
    expect(asked).toEqual([{ imei: benchImei, vehicleId: null }])
  })

  it.each([
    [100, 'warn', 'Wait for a better position and run the step again.'],
    [
      300,
      'fail',
      'The gateway shows another position. Another device may report under this IMEI, or the last report is old.'
    ]
  ])('is given time before %d m apart are judged: %s', async (meters, state, remedy) => {
    const { saw, shown, ...result } = await run(() => [away(meters)])
    expect(result).toMatchObject({
      state,
      summary: `${meters} m difference`,
      remedy,
      witness: ['device', 'gateway'],
      tookMs: 6_000
    })
    expect(saw).toHaveLength(1)
    expect(shown.at(-1)).toMatchObject({
      atMs: 5_000,
      say: 'Comparing the position with the gateway.',
      hint: null,
      meters: [
        { label: 'Difference', value: `${meters} m`, target: '≤ 50 m' },
        { label: 'Speed', value: '0 km/h', target: 'parked' },
        { label: 'Time left', value: '5 s' }
      ],
      leftMs: 5_000
    })
  })

  it('is given a minute at most', async () => {
    expect(
      await run(() => [away(100)], { profile: { samePlace: { ...quickProfile.samePlace, giveUpS: 500 } } })
    ).toMatchObject({ state: 'warn', tookMs: 61_000 })
  })

  it('begins its time anew when one of the places is lost in between', async () => {
    expect(await run((ms) => (ms === 2_000 ? [] : [away(100)]))).toMatchObject({ state: 'warn', tookMs: 9_000 })
  })

  it.each([
    ['passM', 'pass', 0],
    ['warnM', 'warn', 6_000]
  ])('holds exactly at %s: %s', async (limit, state, tookMs) => {
    const there = { latitude: 40.001, longitude: -3 }
    const samePlace = { ...quickProfile.samePlace, [limit]: distanceM(here, there) }
    expect(await run(() => [event(there)], { profile: { samePlace } })).toMatchObject({ state, tookMs })
  })

  it('takes the newest event that tells it', async () => {
    expect(
      await run(() => [
        event({ latitude: null }),
        event({ longitude: null }),
        event({ isPositionValid: false }),
        event({ isPositionValid: null }),
        event({ ageS: 301 }),
        event({ raw: { device_id: 1 } }),
        event({ ageS: 300 }),
        away(300)
      ])
    ).toMatchObject({ state: 'pass', summary: '0 m difference' })
  })
})

describe('Two places that cannot be compared', () => {
  const noEvent = 'The two positions could not be compared: the gateway has no fresh position of this device'
  const notParked = 'The two positions could not be compared: the vehicle is not parked'
  const noFix = 'The two positions could not be compared: the device has no fresh position'

  it.each<[string, Partial<GatewayEvent>]>([
    ['no latitude', { latitude: null }],
    ['no longitude', { longitude: null }],
    ['a place that is not valid', { isPositionValid: false }],
    ['a place of which nobody knows whether it is valid', { isPositionValid: null }],
    ['an event that is too old', { ageS: 301 }],
    ['an event of another device', { raw: { device_id: 1 } }]
  ])('because the gateway has %s', async (_what, more) => {
    expect(await run(() => [event(more)])).toMatchObject({
      state: 'unreadable',
      summary: noEvent,
      remedy: expect.stringMatching(/^This step needs a position/) as string,
      witness: [],
      tookMs: 10_000
    })
  })

  it.each([
    [1, 'pass', '0 m difference'],
    [1.1, 'unreadable', notParked]
  ])('because of a speed of %d km/h: %s', async (speed, state, summary) => {
    const { shown, ...result } = await run(() => [event()], { gps: (ms) => gps(ms, { speed }) })
    expect(result).toMatchObject({ state, summary })
    expect(shown[0]?.say).toBe(state === 'pass' ? undefined : 'Park the vehicle.')
  })

  it('because the speed cannot be read', async () => {
    const { shown, ...result } = await run(() => [event()], { gps: (ms) => gps(ms, { speed: undefined }) })
    expect(result).toMatchObject({ state: 'unreadable', summary: notParked })
    expect(shown[0]).toMatchObject({
      say: 'Comparing the position with the gateway.',
      meters: [{ value: '' }, { value: '' }, {}]
    })
  })

  it.each<[string, object, object]>([
    ['no latitude', { latitude: undefined }, {}],
    ['no longitude', { longitude: undefined }, {}],
    ['no fix', {}, { extras: { fix: 0 } }],
    ['an old fix', {}, { timestamp: benchBeganMs / 1000 - 10.001 }]
  ])('because the device has %s', async (_what, coords, more) => {
    expect(await run(() => [event()], { gps: (ms) => gps(ms, coords, more) })).toMatchObject({
      state: 'unreadable',
      summary: noFix
    })
  })

  it('unless the fix is just fresh enough', async () => {
    expect(
      await run(() => [event()], { gps: (ms) => gps(ms, {}, { timestamp: benchBeganMs / 1000 - 10 }) })
    ).toMatchObject({ state: 'pass' })
  })

  it('because the device no longer answers for its place', async () => {
    expect(await run(() => [away(100)], { gps: (ms) => (ms < 3_000 ? gps(ms) : gone) })).toMatchObject({
      state: 'unreadable'
    })
  })

  it('because somebody has to sign in to the device', async () => {
    expect(await run(() => [], { io: () => signedOut })).toMatchObject({
      state: 'unreadable',
      summary: 'Sign in first.',
      tookMs: 0
    })
  })
})

describe('A device that is connected and sends no position', () => {
  const keepAlives = [3, 63, 123].map((ageS) =>
    event({ type: 100, label: 'keepalive', latitude: null, longitude: null, isPositionValid: null, ageS })
  )
  const withLast =
    (positionAgeS: number | null): Surroundings['events'] =>
    (_ms, { sinceMs, isOfReceiver = false }) => {
      const isThere =
        positionAgeS !== null && (sinceMs ?? benchBeganMs - 1_800_000) <= benchBeganMs - positionAgeS * 1000
      const position = isThere ? [event({ ageS: positionAgeS, eventAtMs: benchBeganMs - positionAgeS * 1000 })] : []
      return [...(isOfReceiver ? [] : keepAlives), ...position]
    }

  const profile = { delivered: { ...quickProfile.delivered, giveUpS: 300 } }

  it.each<[string, number | null, object, string]>([
    ['never', null, {}, 'The device is connected, but sends only keep-alives and no position.'],
    [
      'since yesterday',
      26 * 3_600,
      {},
      'The device is connected, but the last position is 26 h old: only keep-alives arrive.'
    ],
    [
      'for two hours with the ignition on',
      7_200,
      { IGN: true },
      'The device is connected and the ignition is on, but no position has arrived for 2 h.'
    ]
  ])('%s is told so', async (_what, positionAgeS, io, summary) => {
    const { saw, ...result } = await run(withLast(positionAgeS), { profile, io: () => io })
    expect(result).toMatchObject({
      state: 'fail',
      summary,
      remedy:
        'Check the GPS antenna and its plug. If the device itself shows a position, check its reporting configuration.',
      witness: ['gateway']
    })
    expect(saw.at(-1)).toMatchObject({ witness: 'gateway', what: summary })
  })

  it('for two hours with the ignition off may report rarely', async () => {
    expect(await run(withLast(7_200), { profile, io: () => ({ IGN: false }) })).toMatchObject({ state: 'unreadable' })
  })

  it('is not told so by two events, or by old ones', async () => {
    expect(await run(() => keepAlives.slice(0, 2), { profile })).toMatchObject({ state: 'unreadable' })
    expect(await run(() => keepAlives.map((one) => ({ ...one, ageS: one.ageS + 300 })), { profile })).toMatchObject({
      state: 'unreadable'
    })
  })
})

describe('The gateway', () => {
  it('that says no fails the step', async () => {
    expect(await run(() => refused)).toMatchObject({
      state: 'fail',
      summary: 'Not found.',
      witness: ['gateway'],
      tookMs: 0
    })
  })

  it('that is away three times leaves it for later, and says why meanwhile', async () => {
    const { shown, ...result } = await run(() => gone)
    expect(result).toMatchObject({
      state: 'deferred',
      summary: expect.stringMatching(/Gone\./) as string,
      tookMs: 2_000
    })
    expect(shown.map(({ hint }) => hint)).toEqual(['Gone.', 'Gone.'])
    expect(await run((ms) => (ms === 0 ? gone : [event()]))).toMatchObject({ state: 'pass', tookMs: 1_000 })
  })
})
