import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Fitting, RoadEvent } from '../../../../../main/job/jobs/engine/ports.ts'
import { AppError } from '../../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../../preload/contract/messages.ts'
import { english, stepOfWords } from '../../../../world/window/english.ts'
import { openVirtualJob, virtualImei, type VirtualJob } from '../../../../world/device/virtualJob.ts'

// The quick profile: asked each second, listened to for 2 s, given up after 10 s.
const oldImei = '356307042441013'
const hourMs = 3_600_000
const gone = new AppError('UNREACHABLE', plainMessage('Gone.'), { retryable: true, fate: 'away' })
let bench: VirtualJob

const at = (hours: number) => Date.now() + hours * hourMs
const stay = (imei: string, from: number, until: number | null) => ({
  imei,
  fromMs: at(from),
  untilMs: until === null ? null : at(until)
})
const fitting = (now: Fitting['now'], stays: Fitting['stays'] = [], isHistoryKnown = stays.length > 0): Fitting => ({
  now,
  stays,
  isHistoryKnown,
  raw: null
})
const device = (imei: string): Fitting['now'] => ({ kind: 'device', imei })
const event = (imei: string, hours: number): RoadEvent => ({
  eventAtMs: at(hours),
  arrivedAtMs: at(hours),
  imei,
  type: 10,
  delayS: 1,
  latitude: 40,
  longitude: -3,
  isPositionValid: true,
  speedKmh: 0,
  raw: { device_id: Number(imei) }
})
const rows = (step: string) => bench.step(step).rows?.map(({ label, verdict }) => `${english(label)}: ${verdict}`)

beforeEach(async () => {
  bench = openVirtualJob([
    stepOfWords({ id: 'removed', kind: 'removed', title: 'Removed', instruction: 'Take it out.' }),
    stepOfWords({ id: 'swapped', kind: 'swapped', title: 'Swapped', instruction: 'Exchange it.' })
  ])
  await bench.connect()
})
afterEach(() => bench.close())

describe('A removed device', () => {
  it('passes when the gateway has had the vehicle without it for a while, and nothing of it comes any more', async () => {
    bench.gateway.road.readFitting = () => fitting({ kind: 'none' }, [stay(virtualImei, -500, -1)])
    bench.gateway.road.readEvents = () => ({ events: [event(virtualImei, -2)], isWhole: true })
    expect(await bench.run('removed')).toMatchObject({
      state: 'pass',
      witness: ['gateway'],
      summary: expect.stringMatching(/^The gateway has shown Truck 1 without this device since/)
    })
    expect(rows('removed')).toEqual(['Device of the vehicle: agrees'])
  })

  it('fails while its events still come for the vehicle', async () => {
    bench.gateway.road.readFitting = () => fitting({ kind: 'none' }, [stay(virtualImei, -500, -1)])
    bench.gateway.road.readEvents = () => ({ events: [event(virtualImei, -0.5)], isWhole: true })
    expect(await bench.run('removed')).toMatchObject({
      state: 'fail',
      summary: '1 event of this device arrived for the vehicle after it was removed'
    })
  })

  it('waits for the gateway while it is still there, and ends by itself when it is gone', async () => {
    bench.gateway.road.readFitting = () => fitting(device(virtualImei), [stay(virtualImei, -500, null)])
    expect(await bench.run('removed')).toMatchObject({
      state: 'deferred',
      summary: 'The gateway still shows this device in Truck 1'
    })
    bench.gateway.road.readFitting = () => fitting({ kind: 'none' }, [stay(virtualImei, -500, -0.1)])
    const finishing = bench.jobs.finishDeferred(new AbortController().signal)
    await bench.pass(1_000)
    await finishing
    expect(bench.step('removed').state).toBe('pass')
  })

  it('does not pass by a removal of years ago', async () => {
    bench.gateway.road.readFitting = () => fitting({ kind: 'none' }, [stay(virtualImei, -30_000, -20_000)])
    expect(await bench.run('removed')).toMatchObject({
      state: 'fail',
      summary: expect.stringMatching(/without this device since .*, long before this job$/)
    })
  })

  it('does not pass when nothing says when it left', async () => {
    bench.gateway.road.readFitting = () =>
      fitting({ kind: 'none' }, [{ imei: virtualImei, fromMs: null, untilMs: null }])
    expect(await bench.run('removed')).toMatchObject({
      state: 'unreadable',
      summary: 'The gateway does not say when this device left Truck 1'
    })
  })

  it('is listened to from when it is gone, where this job saw it there and the history has an older end', async () => {
    let now = device(virtualImei)
    bench.gateway.road.readFitting = () => fitting(now, [stay(virtualImei, -30_000, -20_000)])
    bench.gateway.road.readEvents = () => ({ events: [event(virtualImei, -0.5)], isWhole: true })
    bench.begin('removed')
    await bench.pass(2_000)
    now = { kind: 'none' }
    await bench.pass(3_500)
    expect(bench.step('removed').state).toBe('running')
    await bench.pass(2_000)
    expect(bench.step('removed')).toMatchObject({
      state: 'pass',
      summary: 'The gateway no longer shows this device in Truck 1'
    })
  })

  it('is judged by the clock of the gateway, not by that of this computer', async () => {
    bench.gateway.clockAheadS = 86_400 * 30
    // By the gateway it left a minute ago; by this computer that is a month ahead.
    bench.gateway.road.readFitting = () => fitting({ kind: 'none' }, [stay(virtualImei, 0, 30 * 24 - 0.02)])
    expect(await bench.run('removed')).toMatchObject({ state: 'pass' })
    bench.gateway.road.readFitting = () => fitting({ kind: 'none' }, [stay(virtualImei, -500, -1)])
    expect(await bench.run('removed')).toMatchObject({
      state: 'fail',
      summary: expect.stringContaining('long before this job')
    })
  })

  it('passes when it was unplugged and the step is run again', async () => {
    let events: RoadEvent[] = [event(virtualImei, -0.5)]
    bench.gateway.road.readFitting = () => fitting({ kind: 'none' }, [stay(virtualImei, -500, -1)])
    bench.gateway.road.readEvents = () => ({ events, isWhole: true })
    expect((await bench.run('removed')).state).toBe('fail')
    expect((await bench.run('removed')).state).toBe('pass')
    events = [event(virtualImei, 0.1)]
    expect((await bench.run('removed')).state).toBe('fail')
  })

  it('is left for later when the gateway sends no time', async () => {
    bench.gateway.clockAheadS = null
    bench.gateway.road.readFitting = () => fitting({ kind: 'none' }, [stay(virtualImei, -500, -1)])
    expect(await bench.run('removed')).toMatchObject({
      state: 'deferred',
      summary: expect.stringContaining('does not send its time')
    })
  })

  it.each<[string, Fitting, string, string]>([
    [
      'the vehicle has no device and never had this one',
      fitting({ kind: 'none' }, [], true),
      'fail',
      'Nothing shows that this device was ever in Truck 1'
    ],
    [
      'the vehicle has another device and never had this one',
      fitting(device(oldImei), [stay(oldImei, -9, null)]),
      'fail',
      'Nothing shows that this device was ever in Truck 1'
    ],
    [
      'the record does not say what is in it',
      fitting({ kind: 'unreadable' }),
      'unreadable',
      'The gateway does not show which device is in Truck 1'
    ],
    [
      'the record does not say and its stay has no end',
      fitting({ kind: 'unreadable' }, [stay(virtualImei, -9, null)]),
      'unreadable',
      'The gateway does not show which device is in Truck 1'
    ]
  ])('does not pass when %s', async (_what, answer, state, summary) => {
    bench.gateway.road.readFitting = () => answer
    expect(await bench.run('removed')).toMatchObject({ state, summary })
  })

  it('is left for later when the gateway is away, and ends by itself for the vehicle that was typed', async () => {
    bench.gateway.isAway = gone
    bench.answers = { choose: { choose: 'Truck 1' } }
    expect(await bench.run('removed', 200_000)).toMatchObject({ state: 'deferred' })
    bench.gateway.isAway = null
    bench.gateway.road.readFitting = () => fitting({ kind: 'none' }, [stay(virtualImei, -500, -1)])
    const finishing = bench.jobs.finishDeferred(new AbortController().signal)
    await bench.pass(1_000)
    await finishing
    expect(bench.step('removed').state).toBe('pass')
    expect(bench.jobs.show(bench.id).vehicle).toMatchObject({ id: 7, name: 'Truck 1' })
  })
})

describe('An exchanged device', () => {
  const own = () => fitting(device(virtualImei), [stay(virtualImei, -1, null), stay(oldImei, -9_000, -2)])
  beforeEach(() => {
    bench.gateway.road.readEvents = () => ({ events: [event(virtualImei, -0.5)], isWhole: true })
  })
  const counters = (km: number, hours = 100) => ({ values: { dev_dist: km * 1000, dev_ign: hours * 3600 }, raw: null })

  it('passes when this one is there, the old one is silent and the counters go on', async () => {
    bench.gateway.road.readFitting = own
    bench.gateway.road.readCountersOf = () => counters(412_000)
    bench.gateway.road.readCounters = () => counters(412_003)
    expect(await bench.run('swapped')).toMatchObject({
      state: 'pass',
      summary: 'Truck 1 has this device, and its counters continue'
    })
    expect(rows('swapped')).toEqual([
      'Device of the vehicle: agrees',
      'Old device …441013: agrees',
      'Distance counter: agrees',
      'Ignition counter: agrees'
    ])
  })

  it('keeps the counters while the old one is still there, and holds the later ones against them', async () => {
    bench.gateway.road.readFitting = () => fitting(device(oldImei))
    bench.gateway.road.readCounters = () => counters(412_000)
    expect(await bench.run('swapped')).toMatchObject({
      state: 'deferred',
      summary: 'The gateway does not show this device in Truck 1 yet'
    })
    bench.gateway.road.readFitting = () => fitting(device(virtualImei))
    const own = event(virtualImei, 0.001)
    bench.gateway.road.readEvents = () => ({ events: [own], isWhole: true })
    bench.gateway.road.readCounters = () => counters(3)
    expect(await bench.run('swapped')).toMatchObject({
      state: 'fail',
      summary: 'The distance counter does not continue from the old device'
    })
    expect(rows('swapped')).toContain('Distance counter: differs')
    bench.gateway.road.readCounters = () => counters(412_000)
    expect(await bench.run('swapped')).toMatchObject({ state: 'pass' })
  })

  describe('whose history has no times', () => {
    let events: RoadEvent[]
    beforeEach(() => {
      events = []
      const undated = (imei: string) => ({ imei, fromMs: null, untilMs: null })
      bench.gateway.road.readFitting = () => fitting(device(virtualImei), [undated(virtualImei), undated(oldImei)])
      bench.gateway.road.readEvents = () => ({ events, isWhole: true })
      bench.gateway.road.readCountersOf = () => counters(412_000)
      bench.gateway.road.readCounters = () => counters(412_001)
    })

    it('fails while the old one still reports', async () => {
      bench.begin('swapped')
      await bench.pass(1_000)
      events.push(event(virtualImei, 0))
      await bench.pass(2_500)
      expect(bench.step('swapped').state).toBe('running')
      events.push(event(oldImei, 0))
      await bench.pass(2_000)
      expect(bench.step('swapped')).toMatchObject({
        state: 'fail',
        summary: expect.stringMatching(/^1 event of the old device/)
      })
    })

    it('passes when this one reports and the old one has been silent since', async () => {
      bench.begin('swapped')
      await bench.pass(1_000)
      events.push(event(oldImei, 0), event(virtualImei, 0))
      await bench.pass(3_000)
      expect(bench.step('swapped').state).toBe('running')
      await bench.pass(3_000)
      expect(bench.step('swapped').state).toBe('pass')
    })

    it('waits until this one reports, and ends by itself when it does', async () => {
      events.push(event(virtualImei, -1))
      expect(await bench.run('swapped')).toMatchObject({
        state: 'deferred',
        summary: 'The gateway has no event of this device for Truck 1 yet'
      })
      events.push(event(virtualImei, 0))
      await bench.pass(5_000)
      const finishing = bench.jobs.finishDeferred(new AbortController().signal)
      await bench.pass(1_000)
      await finishing
      expect(bench.step('swapped').state).toBe('pass')
    })
  })

  it.each<[string, () => void, string, string]>([
    [
      'its exchange was years ago',
      () =>
        (bench.gateway.road.readFitting = () =>
          fitting(device(virtualImei), [stay(virtualImei, -20_000, null), stay(oldImei, -30_000, -20_000)])),
      'fail',
      'Truck 1 has had this device since'
    ],
    [
      'its events are not shown',
      () =>
        (bench.gateway.road.readEvents = () => {
          throw new AppError('NOT_PERMITTED', plainMessage('Not yours.'), { fate: 'refused' })
        }),
      'fail',
      'Not yours.'
    ],
    [
      'this one has not reported yet',
      () => (bench.gateway.road.readEvents = () => ({ events: [], isWhole: true })),
      'deferred',
      'The gateway has no event of this device for Truck 1 yet'
    ],
    [
      'the old one still reports for the vehicle',
      () =>
        (bench.gateway.road.readEvents = () => ({
          events: [event(virtualImei, -0.5), event(oldImei, -0.2)],
          isWhole: true
        })),
      'fail',
      '1 event of the old device (…441013) arrived for the vehicle after the swap'
    ],
    [
      'the counter is that of another vehicle',
      () => (bench.gateway.road.readCounters = () => counters(900_000)),
      'fail',
      'The distance counter shows more than the vehicle can have driven'
    ],
    [
      'the counters are not shown',
      () => (bench.gateway.road.readCounters = () => null),
      'warn',
      'We can’t tell whether the counters continue'
    ],
    [
      'the vehicle had no other device',
      () => (bench.gateway.road.readFitting = () => fitting(device(virtualImei), [stay(virtualImei, -1, null)])),
      'fail',
      'Truck 1 had no other device before, so nothing was swapped'
    ],
    [
      'its history is not shown',
      () => (bench.gateway.road.readFitting = () => fitting(device(virtualImei))),
      'unreadable',
      'The gateway does not show which device Truck 1 had before'
    ],
    [
      'the record does not say what is in it',
      () => (bench.gateway.road.readFitting = () => fitting({ kind: 'unreadable' })),
      'unreadable',
      'The gateway does not show which device is in Truck 1'
    ],
    [
      'the vehicle is not shown',
      () => (bench.gateway.road.readFitting = () => null),
      'fail',
      'The gateway shows you no vehicle “Truck 1”'
    ]
  ])('does not pass when %s', async (_what, change, state, summary) => {
    bench.gateway.road.readFitting = own
    bench.gateway.road.readCountersOf = () => counters(412_000)
    bench.gateway.road.readCounters = () => counters(412_003)
    change()
    const step = await bench.run('swapped')
    expect([step.state, step.summary.slice(0, summary.length)]).toEqual([state, summary])
  })
})
