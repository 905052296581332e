import { describe, expect, it } from 'vitest'
import { checkPosition } from '../../../../../main/job/jobs/checks/position.ts'
import { positionUnanswered } from '../../../../../main/device/client/failures.ts'
import { AppError } from '../../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../../preload/contract/messages.ts'
import { benchBeganMs, runCheck, type Surroundings } from '../../../../world/device/checkBench.ts'
import { quickProfile } from '../../../../world/device/quickProfile.ts'

// The quick profile: 6 satellites and 1.5 are good, 4 and 3 usable; a fix of the last 10 s; 5 s in all. Read every
// second.
const gone = new AppError('UNREACHABLE', plainMessage('Gone.'))
const signedOut = new AppError('NOT_AUTHENTICATED', plainMessage('Sign in first.'))
const thresholds = { satellitesPass: 6, hdopPass: 1.5, satellitesWarn: 4, hdopWarn: 3, ageS: 10 }
const patient = { position: { ...quickProfile.position, giveUpS: 60 } }
const sky = 'Move the vehicle outdoors. Check that the antenna is plugged in and has a clear view of the sky.'

const seconds = (ms: number) => (benchBeganMs + ms) / 1000
function gps(
  ms: number,
  { coords = {}, extras = {}, ...more }: { coords?: object; extras?: object; timestamp?: number | undefined } = {}
) {
  return {
    coords: { latitude: 40.123456, longitude: -3.5, accuracy: 2.4, speed: 0, ...coords },
    timestamp: seconds(ms),
    extras: { fix: 3, satsActive: 6, hdop: 1.5, ...extras },
    ...more
  }
}
type Change = Parameters<typeof gps>[1]
const run = (change: (ms: number) => Change | AppError, more: Surroundings = {}) =>
  runCheck(checkPosition, {
    gps(ms) {
      const changed = change(ms)
      return changed instanceof AppError ? changed : gps(ms, changed)
    },
    ...more
  })

describe('A good position', () => {
  it('passes at once, with what was seen and where', async () => {
    expect(await run(() => ({}))).toMatchObject({
      state: 'pass',
      summary: '6 satellites, HDOP 1.5',
      witness: ['device'],
      tookMs: 0,
      saw: [
        { witness: 'device', what: 'fix 3, 6 satellites, HDOP 1.5', raw: gps(0), thresholds },
        { witness: 'device', what: 'Position 40.12346, -3.50000', raw: gps(0), thresholds }
      ]
    })
  })

  it.each([
    [0, 'pass', 0],
    [-10_000, 'pass', 0],
    [-10_001, 'fail', 6_000]
  ])('may be %d ms old: %s', async (ageMs, state, tookMs) => {
    expect(await run(() => ({ timestamp: seconds(ageMs) }))).toMatchObject({ state, tookMs })
  })

  it.each([
    [60, /^6 satellites, HDOP 1.5$/],
    [-60, /^6 satellites, HDOP 1.5$/],
    [61, /clock is .* ahead of this computer’s/],
    [-61, /clock is .* behind this computer’s/]
  ])('of a clock that is %d s away passes when it moves, and says so if that is much', async (awayS, summary) => {
    expect(await run((ms) => ({ timestamp: seconds(ms) + awayS }))).toMatchObject({
      state: 'pass',
      summary: expect.stringMatching(summary) as string,
      tookMs: 1_000
    })
  })
})

describe('A position that is usable', () => {
  it.each<[object, string, string]>([
    [{ satsActive: 5, hdop: 1.5 }, 'warn', '5 satellites, HDOP 1.5: usable, not good'],
    [{ satsActive: 6, hdop: 1.51 }, 'warn', '6 satellites, HDOP 1.5: usable, not good'],
    [{ satsActive: 4, hdop: 3 }, 'warn', '4 satellites, HDOP 3: usable, not good'],
    [{ satsActive: 3, hdop: 1 }, 'fail', 'No usable position in 5 s: 3 satellites, HDOP 1'],
    [{ satsActive: 12, hdop: 3.01 }, 'fail', 'No usable position in 5 s: 12 satellites, HDOP 3.01']
  ])('with %o: %s', async (extras, state, summary) => {
    expect(await run(() => ({ extras }))).toMatchObject({
      state,
      summary,
      remedy: state === 'fail' ? sky : 'Move the antenna away from metal, or move the vehicle outdoors.',
      witness: ['device'],
      tookMs: 6_000
    })
  })

  it('is the one of the last seconds, and no older one', async () => {
    const until = (lastMs: number) =>
      run((ms) => (ms <= lastMs ? { extras: { satsActive: 5 } } : { extras: { fix: 0, satsActive: 1 } }))
    const warned = await until(3_000)
    expect(warned).toMatchObject({ state: 'warn', summary: '5 satellites, HDOP 1.5: usable, not good' })
    expect(warned.saw.at(-1)).toMatchObject({
      witness: 'device',
      what: 'Position 40.12346, -3.50000',
      raw: gps(3_000, { extras: { satsActive: 5 } }),
      thresholds
    })
    expect(await until(2_000)).toMatchObject({ state: 'fail', summary: 'No position in 5 s', remedy: sky })
  })

  it('may still become a good one', async () => {
    const { saw, ...result } = await run((ms) => ({ extras: { satsActive: ms < 3_000 ? 5 : 8 } }))
    expect(result).toMatchObject({ state: 'pass', tookMs: 3_000 })
    expect(saw.map(({ atMs, what }) => [atMs, what])).toEqual([
      [0, 'fix 3, 5 satellites, HDOP 1.5'],
      [3_000, 'fix 3, 8 satellites, HDOP 1.5'],
      [3_000, 'Position 40.12346, -3.50000']
    ])
  })

  it('keeps the best number of satellites in sight with its age, and a reading as good makes it fresh', async () => {
    const seen = [3, 5, 4, undefined, 5, 2]
    const { shown } = await run((ms) => ({
      extras: { satsActive: seen[ms / 1_000] ?? 2, ...(ms === 3_000 ? { satsActive: undefined } : {}) }
    }))
    expect(shown.slice(0, 6).map(({ meters }) => meters[1]?.best)).toEqual([
      '3, 0 s ago',
      '5, 0 s ago',
      '5, 1 s ago',
      '5, 2 s ago',
      '5, 0 s ago',
      '5, 1 s ago'
    ])
  })

  it('is shown with what is missing', async () => {
    const { shown } = await run(() => ({ extras: { satsActive: 3, hdop: 1.64 } }))
    expect(shown.at(-1)).toMatchObject({
      atMs: 6_000,
      say: 'Give the device a clear view of the sky.',
      hint: null,
      meters: [
        { label: 'Fix', value: 'yes', target: 'yes', tone: 'pass' },
        { label: 'Satellites', value: '3', target: '≥ 6', progress: 0.5 },
        { label: 'HDOP', value: '1.6', target: '≤ 1.5' },
        { label: 'Accuracy', value: '2 m' }
      ],
      leftMs: -1_000
    })
  })
})

describe('No position', () => {
  it('is what it is called where the device answers everything else: there is often no fix yet', async () => {
    const silent = positionUnanswered(new AppError('TIMEOUT', plainMessage('No answer.')))
    const result = await run(() => silent)
    expect(result).toMatchObject({
      state: 'fail',
      summary: 'The device answers, but gave no position in 5 s',
      remedy: sky,
      witness: ['device']
    })
    expect(result.shown.at(-1)).toMatchObject({
      hint: 'The device answers, but not with a position: it often has no GPS fix yet. Move the vehicle outdoors and wait a few minutes.'
    })
  })

  it('without a fix, also where the receiver leaves the rest out', async () => {
    const { shown, ...result } = await runCheck(checkPosition, { gps: () => ({ extras: { fix: 0 } }) })
    expect(result).toMatchObject({
      state: 'fail',
      summary: 'No position in 5 s',
      remedy: sky,
      witness: ['device'],
      tookMs: 6_000
    })
    expect(result.saw.map(({ what }) => what)).toEqual(['fix 0, ? satellites, HDOP ?'])
    expect(shown[0]).toMatchObject({
      hint: null,
      meters: [{ value: 'none', tone: 'live' }, { value: '', progress: 0 }, { value: '' }, { value: '' }]
    })
  })

  it.each([
    [{ latitude: 90.1, longitude: 0.1 }, 'they look exchanged'],
    [{ latitude: -91, longitude: 3 }, 'they look exchanged'],
    [{ latitude: 471_100, longitude: -7_407_210 }, 'they are whole numbers instead of degrees'],
    [{ latitude: 40, longitude: 180.5 }, 'are no place on earth']
  ])('at no place on earth: %o', async (coords, words) => {
    expect(await run(() => ({ coords }))).toMatchObject({
      state: 'fail',
      summary: expect.stringContaining(words) as string
    })
  })

  it('at 0, 0', async () => {
    const { shown, ...result } = await run(() => ({ coords: { latitude: 0, longitude: 0 } }))
    expect(result).toMatchObject({ state: 'fail', summary: 'No position in 5 s' })
    expect(shown[0]).toMatchObject({ meters: [{ value: 'none', tone: 'live' }, {}, {}, {}] })
  })

  it('where the place is an old one, which is said at once', async () => {
    const { shown, saw, ...result } = await run(() => ({ timestamp: seconds(-11_000) }))
    expect(result).toMatchObject({
      state: 'fail',
      summary: 'No fresh position in 5 s: its time does not change',
      remedy: sky,
      witness: ['device']
    })
    expect(shown[0]?.hint).toBe('The position is old: the receiver has lost the satellites.')
    expect(saw.map(({ what }) => what)).toEqual(['fix 3, 6 satellites, HDOP 1.5, too old'])
  })

  it('whose age is just right is not called an old one', async () => {
    expect(await run(() => ({ timestamp: seconds(-4_000), extras: { satsActive: 3 } }))).toMatchObject({
      state: 'fail',
      summary: 'No usable position in 5 s: 3 satellites, HDOP 1.5'
    })
  })

  it('without a geometry, as receivers say it with a 0', async () => {
    const { saw, ...result } = await run(() => ({ extras: { hdop: 0 } }))
    expect(result).toMatchObject({ state: 'fail' })
    expect(saw.map(({ what }) => what)).toEqual(['fix 3, 6 satellites, HDOP ?'])
  })
})

describe('A position that cannot be read', () => {
  it.each<[string, Change]>([
    ['extras.fix', { extras: { fix: undefined } }],
    ['coords.latitude', { coords: { latitude: undefined } }],
    ['coords.longitude', { coords: { longitude: undefined } }],
    ['extras.satsActive', { extras: { satsActive: undefined } }],
    ['extras.hdop', { extras: { hdop: undefined } }],
    ['timestamp', { timestamp: undefined }]
  ])('without %s is unreadable, and says so at once', async (path, change) => {
    const { shown, ...result } = await run(() => change)
    expect(result).toMatchObject({
      state: 'unreadable',
      summary: expect.stringMatching(new RegExp(`^The position cannot be read: .*${path}`)) as string,
      witness: [],
      tookMs: 6_000
    })
    expect(shown[0]).toMatchObject({
      hint: expect.stringContaining(path) as string,
      meters: [{ tone: 'live' }, {}, {}, {}]
    })
  })

  it.each(['extras', 'coords'])('without any %s is unreadable', async (part) => {
    const { shown, ...result } = await runCheck(checkPosition, { gps: (ms) => ({ ...gps(ms), [part]: undefined }) })
    expect(result).toMatchObject({
      state: 'unreadable',
      summary: expect.stringMatching(new RegExp(`^The position cannot be read: .*${part}`)) as string
    })
    if (part === 'extras')
      expect(shown[0]).toMatchObject({ meters: [{ label: 'Fix', value: '' }, { value: '' }, { value: '' }, {}] })
  })

  it('is waited for for 20 s on end and no longer', async () => {
    const unread = { extras: { satsActive: undefined } }
    expect(await run(() => unread, { profile: patient })).toMatchObject({ state: 'unreadable', tookMs: 20_000 })
    expect(
      await run((ms) => (ms === 5_000 ? { extras: { satsActive: 1 } } : unread), { profile: patient })
    ).toMatchObject({ state: 'unreadable', tookMs: 26_000 })
  })

  it('because the device does not tell it is not failed, unless it comes', async () => {
    expect(await run(() => gone)).toMatchObject({
      state: 'unreadable',
      summary: 'The device does not report its position: Gone.',
      witness: [],
      tookMs: 6_000,
      shown: []
    })
    expect(await run((ms) => (ms < 2_000 ? gone : {}))).toMatchObject({ state: 'pass', tookMs: 2_000 })
  })

  it('because the device is silent is unreadable after 20 s, and at once when somebody has to sign in', async () => {
    expect(await run(() => gone, { io: () => gone, profile: patient })).toMatchObject({
      state: 'unreadable',
      tookMs: 20_000
    })
    expect(await run(() => signedOut, { io: () => signedOut, profile: patient })).toMatchObject({
      state: 'unreadable',
      summary: 'Sign in first.',
      tookMs: 0
    })
  })
})
