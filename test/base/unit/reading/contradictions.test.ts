import { describe, expect, it } from 'vitest'
import {
  coordinateFault,
  dateFault,
  fixDoubts,
  movedM,
  repeatsOf,
  trackFaults,
  type PlaceReport
} from '../../../../main/base/reading/contradictions.ts'

const bogota = { latitude: 4.711, longitude: -74.0721 }
const medellin = { latitude: 6.2442, longitude: -75.5812 }
const metre = 1 / 111_195
const minutes = (n: number, of: (n: number) => Partial<PlaceReport>): PlaceReport[] =>
  Array.from({ length: n }, (_, index) => ({ atMs: index * 60_000, ...bogota, speedKmh: 0, ...of(index) }))
const north = (m: number) => ({ latitude: bogota.latitude + m * metre })

describe('Places and speeds of one device', () => {
  it.each<[string, PlaceReport[], string[]]>([
    ['one hour at 60 km/h at one point', minutes(60, () => ({ speedKmh: 60 })), ['frozen']],
    ['the same with the wander of a receiver', minutes(60, (n) => ({ speedKmh: 60, ...north(n % 7) })), ['frozen']],
    [
      'frozen for the last three minutes of a drive',
      minutes(30, (n) => ({ speedKmh: 60, ...north(Math.min(n, 26) * 1_000) })),
      ['frozen']
    ],
    ['a drive', minutes(30, (n) => ({ speedKmh: 60, ...north(n * 1_000) })), []],
    ['a drive of one kilometre and back', minutes(30, (n) => ({ speedKmh: 60, ...north((n % 2) * 1_000) })), []],
    ['a parked vehicle', minutes(60, () => ({})), []],
    ['a parked vehicle with noise in its speed', minutes(60, (n) => ({ speedKmh: n % 2, ...north(n % 9) })), []],
    [
      'a stop after a drive',
      minutes(30, (n) => ({ speedKmh: n < 20 ? 60 : 0, ...north(Math.min(n, 20) * 1_000) })),
      []
    ],
    ['two reports at 60 km/h at one point', minutes(2, () => ({ speedKmh: 60 })), []],
    ['no speeds at all at one point', minutes(60, () => ({ speedKmh: null })), []],
    ['speed 0 while the place moves', minutes(10, (n) => ({ ...north(n * 600) })), ['noSpeed']],
    [
      'speed 0 while the place moves, with reports of lines in between',
      minutes(20, (n) => ({ ...north(Math.floor(n / 2) * 600) })),
      ['noSpeed']
    ],
    ['speed 0 at three reports in traffic', minutes(10, (n) => ({ speedKmh: n < 7 ? 30 : 0, ...north(n * 600) })), []],
    [
      'speed 0 at each report of a bus from stop to stop, once at 20 km/h',
      minutes(10, (n) => ({ speedKmh: n === 8 ? 20 : 0, ...north(n * 600) })),
      []
    ],
    ['each minute Bogota, then Medellin', minutes(20, (n) => (n % 2 ? medellin : bogota)), ['twoPlaces']],
    [
      'some minutes Bogota, then Medellin, then Bogota',
      minutes(20, (n) => (n > 5 && n < 12 ? medellin : bogota)),
      ['twoPlaces']
    ],
    ['one poor fix far away', minutes(20, (n) => (n === 7 ? medellin : bogota)), []],
    ['one jump, after a transport without power', minutes(20, (n) => (n > 10 ? medellin : bogota)), []],
    [
      'a flight that takes an hour',
      [
        { atMs: 0, ...bogota, speedKmh: 0 },
        { atMs: 3_600_000, ...medellin, speedKmh: 0 },
        { atMs: 7_200_000, ...bogota, speedKmh: 0 }
      ],
      []
    ],
    [
      'latitude and longitude exchanged now and then',
      minutes(20, (n) => (n % 4 === 3 ? { latitude: bogota.longitude, longitude: bogota.latitude } : {})),
      ['exchanged']
    ],
    ['nothing', [], []]
  ])('%s', (_name, reports, kinds) => {
    expect(trackFaults(reports).map(({ kind }) => kind)).toEqual(kinds)
    expect(trackFaults(reports.toReversed()).map(({ kind }) => kind)).toEqual(kinds)
  })

  it.each<[string, number, number | null, number | null | undefined]>([
    ['10 m', 10, null, 2],
    ['16 m', 16, 16, undefined],
    ['25 m of a receiver that knows its place to 18 m', 25, null, 18],
    ['40 m of the same', 40, 40, 18],
    ['300 m of one that knows nothing', 300, 300, 20_000]
  ])('two fixes that are %s apart', (_name, apartM, moved, accuracyM) => {
    const reports = minutes(2, (n) => ({ ...north(n * apartM), ...(accuracyM === undefined ? {} : { accuracyM }) }))
    expect(movedM(reports)).toEqual(moved === null ? null : expect.closeTo(moved, 0))
  })

  it('one fix, or none, shows no movement', () => {
    expect([movedM([]), movedM(minutes(1, () => ({})))]).toEqual([null, null])
  })
})

describe('A fix against what else its receiver reports', () => {
  it.each<[string, Parameters<typeof fixDoubts>[0], string[]]>([
    ['all is well', { coords: { accuracy: 4 }, extras: { satsActive: 9, hdop: 0.8 } }, []],
    ['a poor fix', { coords: { accuracy: 45 }, extras: { satsActive: 3, hdop: 9 } }, []],
    [
      'an old place',
      { coords: { accuracy: 20_000 }, extras: { satsActive: 0, hdop: 99.99 } },
      ['satellites', 'hdop', 'accuracy']
    ],
    ['no satellites', { coords: {}, extras: { satsActive: 0 } }, ['satellites']],
    ['nothing else', {}, []],
    ['nothing', null, []]
  ])('%s', (_name, position, doubts) => expect(fixDoubts(position)).toEqual(doubts))
})

describe('Coordinates', () => {
  it.each<[number, number, string | null]>([
    [4.711, -74.07, null],
    [90, -180, null],
    [471_100, -7_407_210, 'scaled'],
    [47_110_000, -74_072_100, 'scaled'],
    [-99.13, 19.43, 'exchanged'],
    [95.5, 200.5, 'outside'],
    [471_100.5, -7_407_210.5, 'outside']
  ])('%d, %d: %s', (latitude, longitude, fault) => expect(coordinateFault(latitude, longitude)).toBe(fault))
})

describe('The dates of events', () => {
  const nowMs = Date.parse('2026-11-20T10:00:00Z')
  const weekS = 7 * 86_400
  const arrivals = (delayS: number, everyS = 60, n = 5) =>
    Array.from({ length: n }, (_, index) => ({
      arrivedAtMs: nowMs - index * everyS * 1000,
      eventAtMs: nowMs - index * everyS * 1000 - delayS * 1000
    }))
  const behind = (date: string) => (nowMs - Date.parse(date)) / 1000

  it.each<[string, number, object | null]>([
    ['2 s late', 2, null],
    ['3 h late', 10_800, null],
    ['the GPS epoch', 315_964_782, { kind: 'gpsEpoch' }],
    ['1,024 weeks behind', 1_024 * weekS + 30, { kind: 'rollover', weeks: 1_024 }],
    ['2,048 weeks behind', 2_048 * weekS, { kind: 'rollover', weeks: 2_048 }],
    ['1,024 weeks ahead', -1_024 * weekS, { kind: 'rollover', weeks: -1_024 }],
    ['the year 2000', behind('2000-01-01'), { kind: 'wrong' }],
    ['the year 2004', behind('2004-02-29'), { kind: 'wrong' }],
    ['the year 2005', behind('2005-06-01'), { kind: 'wrong' }],
    ['the year 2027', behind('2027-03-01'), { kind: 'wrong' }],
    ['the year 2038', behind('2038-01-19'), { kind: 'wrong' }],
    ['the same 32 days each time', 32 * 86_400, { kind: 'wrong' }],
    ['5 min ahead', -300, null]
  ])('%s', (_name, delayS, fault) => {
    const found = dateFault(arrivals(delayS))
    if (fault === null) expect(found).toBeNull()
    else expect(found).toMatchObject(fault)
  })

  it('of a buffer of 32 days that arrives now are right', () => {
    const buffered = Array.from({ length: 10 }, (_, n) => ({
      arrivedAtMs: nowMs - n * 1_000,
      eventAtMs: nowMs - 32 * 86_400_000 - n * 60_000
    }))
    expect(dateFault(buffered)).toBeNull()
    expect(dateFault(arrivals(32 * 86_400, 60, 2))).toBeNull()
    expect(dateFault([])).toBeNull()
  })
})

describe('An event that arrives again and again', () => {
  const eventAtMs = 1_000_000
  const again = (n: number, everyMs: number, name = (_: number) => '10 prdtst') =>
    Array.from({ length: n }, (_, index) => ({
      eventAtMs,
      arrivedAtMs: 9_000_000 - index * everyMs,
      name: name(index)
    }))

  it.each<[string, ReturnType<typeof again>, number | null]>([
    ['each minute', again(60, 60_000), 60],
    ['twice', again(2, 60_000), null],
    ['in one second', again(5, 100), null],
    ['others of the same second', again(5, 60_000, (n) => String(n)), null],
    ['once', again(1, 0), null]
  ])('%s', (_name, arrivals, times) => expect(repeatsOf(arrivals)?.times ?? null).toBe(times))
})
