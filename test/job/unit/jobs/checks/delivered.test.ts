import { describe, expect, it } from 'vitest'
import { checkDelivered, judgeArrival } from '../../../../../main/job/jobs/checks/delivered.ts'
import type { GatewayEvent } from '../../../../../main/job/jobs/engine/ports.ts'
import { AppError } from '../../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../../preload/contract/messages.ts'
import { benchBeganMs, benchImei, runCheck, type Surroundings } from '../../../../world/device/checkBench.ts'
import { orNothing, stepOfWords } from '../../../../world/window/english.ts'
import { quickProfile } from '../../../../world/device/quickProfile.ts'
import { event as gatewayEvent, openVirtualJob } from '../../../../world/device/virtualJob.ts'

// The quick profile: 60 s old and 30 s under way are good, 300 s usable; 15 s in all. Asked every second.
const gone = new AppError('UNREACHABLE', plainMessage('Gone.'), { fate: 'away' })
const refused = new AppError('NOT_FOUND', plainMessage('Not found.'), { fate: 'refused' })
const limits = quickProfile.delivered
const thresholds = { eventAgePassS: 60, delayPassS: 30, eventAgeWarnS: 300 }
const raw = { device_id: Number(benchImei) }

/** An event as the gateway shows it so many milliseconds after the check began. */
function event(
  ms: number,
  { ageS, apartS = 0, ...more }: Partial<GatewayEvent> & { ageS: number; apartS?: number }
): GatewayEvent {
  return {
    eventAtMs: benchBeganMs + ms - (ageS + apartS) * 1000,
    ageS,
    delayS: 1,
    latitude: null,
    longitude: null,
    type: 10,
    label: 'prdtst',
    isPositionValid: null,
    raw,
    ...more
  }
}
const run = (events: Surroundings['events'], more: Surroundings = {}) =>
  runCheck(checkDelivered, { ...(events && { events }), ...more })

describe('An event that arrived', () => {
  it('passes at once, and is in the record', async () => {
    const asked: unknown[] = []
    const { saw, ...result } = await run(
      (ms, request) => (asked.push(request), [event(ms, { ageS: 60, delayS: 30 })]),
      { vehicle: { id: 7, name: 'Truck 1' } }
    )
    expect(result).toMatchObject({
      state: 'pass',
      summary: 'event 60 s old, delivered in 30 s',
      witness: ['gateway'],
      tookMs: 0,
      shown: []
    })
    expect(saw).toEqual([
      { atMs: 0, witness: 'gateway', what: 'Latest event 60 s old, delivered in 30 s', raw, thresholds }
    ])
    expect(asked).toEqual([{ imei: benchImei, vehicleId: 7 }])
  })

  it.each<[string, Parameters<typeof event>[1], string]>([
    ['a little old', { ageS: 61 }, 'warn'],
    ['a little slow', { ageS: 60, delayS: 31 }, 'warn'],
    ['just not too old', { ageS: 300 }, 'warn'],
    ['too old', { ageS: 301 }, 'fail'],
    ['quick by nobody knows how much', { ageS: 3, delayS: null }, 'warn']
  ])('and is %s: %s', async (_what, more, state) => {
    expect(await run((ms) => [event(ms, more)])).toMatchObject({ state, witness: ['gateway'], tookMs: 16_000 })
  })

  it('with a date of 1,024 weeks before is found, and is no silence', async () => {
    const weeksS = 1_024 * 7 * 86_400
    const dated = (ms: number) => event(ms, { ageS: weeksS + 5, delayS: weeksS })
    const events: Surroundings['events'] = (ms, { sinceMs = benchBeganMs - 1_800_000, untilMs = Infinity }) =>
      dated(ms).eventAtMs >= sinceMs && dated(ms).eventAtMs <= untilMs ? [dated(ms)] : []
    expect(await run(events)).toMatchObject({
      state: 'fail',
      summary: expect.stringContaining('GPS week rollover') as string,
      remedy: expect.stringContaining('new firmware') as string
    })
  })

  const dayS = 86_400
  /** What the gateway shows of these times between two dates: the newest ten by arrival, or by date. */
  const shownOf =
    (all: (ms: number) => GatewayEvent[]): Surroundings['events'] =>
    (ms, { sinceMs = benchBeganMs - 1_800_000, untilMs = Infinity, by }) =>
      all(ms)
        .filter(({ eventAtMs }) => eventAtMs >= sinceMs && eventAtMs <= untilMs)
        .sort((a, b) =>
          by === 'arrival'
            ? b.eventAtMs + (b.delayS ?? 0) * 1000 - a.eventAtMs - (a.delayS ?? 0) * 1000
            : b.eventAtMs - a.eventAtMs
        )
        .slice(0, 10)
  const eachMinute = [5, 65, 125, 185, 245]
  /** Before its clock was wrong, and before it was offline. */
  const earlier = (ms: number) => Array.from({ length: 20 }, (_, n) => event(ms, { ageS: 40_000 + n * 60 }))

  it('with a date of 32 days before each time is found among right ones, and is no silence', async () => {
    const events = shownOf((ms) => [
      ...eachMinute.map((agoS) => event(ms, { ageS: 32 * dayS + agoS, delayS: 32 * dayS })),
      ...earlier(ms)
    ])
    const { saw, ...result } = await run(events)
    expect(result).toMatchObject({
      state: 'fail',
      summary: 'Events arrive now, but are dated 32 days in the past: the device’s clock is wrong.',
      remedy: expect.stringMatching(/^Give the device a clear view of the sky/) as string
    })
    expect(saw.at(-1)).toMatchObject({
      witness: 'gateway',
      what: expect.stringMatching(/^Latest event 32 days old, delivered in 32 days$/) as string,
      raw
    })
  })

  it.each([
    ['a few minutes old', 200],
    ['hours old', 7_000]
  ])('again and again, %s, is a repeated one', async (_what, firstS) => {
    const events = shownOf((ms) => [
      ...eachMinute.map((agoS) => event(0, { ageS: firstS, delayS: firstS - agoS + Math.floor(ms / 60_000) * 60 })),
      ...earlier(ms)
    ])
    expect(
      await runCheck(checkDelivered, { ...(events && { events }), profile: { delivered: limits } }, 200_000)
    ).toMatchObject({
      state: 'fail',
      summary: expect.stringMatching(
        /^The same event has arrived 5 times since .*: the device repeats what nobody confirms\.$/
      ) as string,
      remedy: expect.stringMatching(/^Ask support whether the gateway acknowledges/) as string
    })
  })

  it('two hours late is late: nobody looks for a wrong APN', async () => {
    const events = shownOf((ms) =>
      eachMinute.map((agoS, n) => event(ms, { ageS: 7_200 + agoS * 2, delayS: 7_200 + n * 60 }))
    )
    expect(await run(events)).toMatchObject({
      state: 'fail',
      summary: 'Events arrive 2 h 2 min after their time. They are late, or the device’s clock is behind.',
      remedy: 'Check the signal; if it is good, check the reporting configuration.'
    })
  })

  it('slowly is waited for: two reporting intervals, or the whole time', async () => {
    const slow = (ms: number) => [event(ms, { ageS: 3, delayS: null })]
    expect(
      await run(slow, { profile: { delivered: { ...limits, giveUpS: 200 } } }).catch(() => undefined)
    ).toBeUndefined()
    expect(
      await runCheck(checkDelivered, { events: slow, profile: { delivered: { ...limits, giveUpS: 200 } } }, 150_000)
    ).toMatchObject({
      state: 'warn',
      summary: 'event 3 s old',
      remedy: 'Data arrives slowly. Check the signal, then run the step again.',
      tookMs: 121_000
    })
  })

  it('is noted once, and again when a newer one came', async () => {
    const { saw } = await run((ms) => [
      { ...event(0, { ageS: 70, delayS: null }), eventAtMs: benchBeganMs - 70_000 + (ms < 5_000 ? 0 : 1_000) }
    ])
    expect(saw.map(({ atMs, what }) => [atMs, what])).toEqual([
      [0, 'Latest event 70 s old'],
      [5_000, 'Latest event 70 s old']
    ])
  })

  it('is shown with its age and its time under way', async () => {
    const { shown } = await run((ms) => (ms < 2_000 ? [] : [event(ms, { ageS: 70.4, delayS: ms < 4_000 ? 31 : null })]))
    expect(shown[0]).toMatchObject({
      say: 'Waiting for the device to report to the gateway.',
      hint: null,
      meters: [
        { label: 'Latest event', value: '', target: '≤ 60 s' },
        { label: 'Delivered in', value: '', target: '≤ 30 s' },
        { label: 'Time left', value: '15 s' }
      ],
      leftMs: 15_000
    })
    expect(shown[2]).toMatchObject({ meters: [{ value: '70 s old' }, { value: '31 s' }, { value: '13 s' }] })
    expect(shown[4]).toMatchObject({ meters: [{ value: '70 s old' }, { value: '' }, {}] })
    expect(shown.at(-1)?.leftMs).toBe(0)
  })
})

describe('No event', () => {
  it('of this device fails when the time is over', async () => {
    expect(await run(() => [])).toMatchObject({
      state: 'fail',
      summary: 'No event at the gateway in 15 s',
      remedy: expect.stringMatching(/Check the APN/) as string,
      witness: ['gateway'],
      tookMs: 16_000
    })
    expect(await run((ms) => [event(ms, { ageS: 301 })])).toMatchObject({
      state: 'fail',
      summary: 'The latest event at the gateway is 5 min 1 s old'
    })
  })

  it('that names this device is no event of it', async () => {
    expect(await run((ms) => [event(ms, { ageS: 3, raw: { device_id: 1 } })])).toMatchObject({
      state: 'unreadable',
      summary: 'The events of this vehicle at the gateway do not name this device',
      witness: [],
      tookMs: 16_000
    })
    expect(await run((ms) => [event(ms, { ageS: 3, raw: { device_id: 1 } }), event(ms, { ageS: 4 })])).toMatchObject({
      state: 'pass',
      summary: 'event 4 s old, delivered in 1 s'
    })
    expect(await run((ms) => (ms < 3_000 ? [event(ms, { ageS: 3, raw: { device_id: 1 } })] : []))).toMatchObject({
      state: 'fail',
      summary: 'No event at the gateway in 15 s'
    })
  })
})

describe('Clocks', () => {
  it.each([
    [60, 'pass'],
    [-60, 'pass'],
    [61, 'unreadable'],
    [-61, 'unreadable']
  ])('that are %d s apart: %s', async (apartS, state) => {
    const frozen = event(0, { ageS: 20, apartS })
    expect(await run((ms) => [{ ...frozen, eventAtMs: frozen.eventAtMs, ageS: 20 + ms / 1000 }])).toMatchObject({
      state,
      ...(state === 'pass'
        ? { tookMs: 0 }
        : {
            tookMs: 16_000,
            summary: expect.stringMatching(/differ by 61 s/) as string,
            remedy: 'Set this computer’s clock, then run the step again.'
          })
    })
  })

  it('that are apart prove nothing by a newer event either: all of them may be old', async () => {
    expect(await run((ms) => [event(ms, { ageS: 2, apartS: 86_400 })])).toMatchObject({
      state: 'unreadable',
      summary: expect.stringMatching(/^The clocks of the gateway and of this computer differ by/) as string
    })
  })

  it('that are far apart are not taken for an event from the future', async () => {
    expect(await run((ms) => [{ ...event(0, { ageS: 20, apartS: -100 }), ageS: 20 + ms / 1000 }])).toMatchObject({
      state: 'unreadable',
      summary: expect.stringMatching(/^The clocks/) as string
    })
  })

  it('that are apart say nothing of an event that is too old by any of them', async () => {
    expect(await run(() => [event(0, { ageS: 300, apartS: 600 })])).toMatchObject({ state: 'unreadable' })
    expect(await run(() => [event(0, { ageS: 301, apartS: 600 })])).toMatchObject({ state: 'fail' })
  })

  it.each<[string, Partial<GatewayEvent> & { ageS: number }, string]>([
    ['its delay', { ageS: 3, delayS: -60 }, 'pass'],
    ['its delay', { ageS: 3, delayS: -61 }, 'fail'],
    ['our clock', { ageS: 0, eventAtMs: benchBeganMs + 76_000, delayS: null }, 'warn'],
    ['our clock', { ageS: 0, eventAtMs: benchBeganMs + 77_000, delayS: null }, 'fail']
  ])('ahead, by %s, with %o: %s', async (_by, more, state) => {
    const result = await run((ms) => [event(ms, more)])
    expect(result.state).toBe(state)
    if (state === 'fail')
      expect(result).toMatchObject({
        summary: 'The latest event is 61 s in the future',
        remedy: expect.stringMatching(/^The device’s clock is wrong/) as string,
        witness: ['gateway']
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
  })

  it('that only ever says "later" names no other device', async () => {
    const later = new AppError('RATE_LIMITED', plainMessage('Later.'))
    expect((await run(() => later)).summary).not.toMatch(/do not name this device/)
  })

  it('that is away for a moment proves nothing by what it said before', async () => {
    const slow = (ms: number) => [event(ms, { ageS: 3, delayS: null })]
    expect(await run((ms) => (ms >= 16_000 ? gone : slow(ms)))).toMatchObject({ state: 'fail' })
  })
})

describe('An event that arrived some time ago', () => {
  it.each<[Parameters<typeof event>[1], string, string]>([
    [{ ageS: 9_000, delayS: 30 }, 'pass', ''],
    [{ ageS: 9_000, delayS: 31 }, 'warn', ''],
    [{ ageS: 9_000, delayS: 300 }, 'warn', ''],
    [{ ageS: 9_000, delayS: 301 }, 'none', 'it was already 5 min 1 s old when it arrived'],
    [{ ageS: 3, delayS: null }, 'warn', ''],
    [{ ageS: 300, delayS: null }, 'warn', ''],
    [{ ageS: 301, delayS: null }, 'none', 'it was already 5 min 1 s old when it arrived'],
    [{ ageS: 3, delayS: -61 }, 'none', 'its time is 61 s in the future']
  ])('with %o proves: %s', (more, verdict, why) => {
    const judged = judgeArrival(event(0, more), limits, new Date(benchBeganMs))
    expect({ ...judged, why: orNothing(judged.why) }).toEqual({ verdict, why })
  })

  it.each([
    [30, 'pass'],
    [29, 'warn']
  ])('must also be new enough for a live check that takes %d s at most', (eventAgePassS, verdict) => {
    expect(
      judgeArrival(event(0, { ageS: 3, delayS: 30 }), { ...limits, eventAgePassS }, new Date(benchBeganMs)).verdict
    ).toBe(verdict)
  })
})

describe('A step that waited for the gateway', () => {
  it('ends with what is wrong with the dates, where every event is 32 days late', async () => {
    const job = openVirtualJob([
      stepOfWords<'delivered'>({ id: 'delivered', kind: 'delivered', title: 'Delivered', instruction: 'Wait.' })
    ])
    try {
      job.gateway.isAway = gone
      await job.connect()
      expect(await job.run('delivered')).toMatchObject({ state: 'deferred' })
      const daysS = 32 * 86_400
      job.gateway.events = () =>
        [0, 60, 120, 180].map((agoS) =>
          gatewayEvent(job.vehicle, {
            eventAtMs: Date.now() - (daysS + agoS) * 1000,
            ageS: daysS + agoS,
            delayS: daysS
          })
        )
      await job.pass(240_000)
      job.gateway.isAway = null
      const finishing = job.jobs.finishDeferred(new AbortController().signal)
      await job.pass(5_000)
      await finishing
      expect(job.step('delivered')).toMatchObject({
        state: 'fail',
        summary: 'Events arrive now, but are dated 32 days in the past: the device’s clock is wrong.',
        witness: ['gateway']
      })
    } finally {
      await job.close()
    }
  })
})
