import { describe, expect, it } from 'vitest'
import { checkClock, judgeLater } from '../../../../../main/job/jobs/checks/clock.ts'
import { gpsEpochLateS } from '../../../../../main/base/reading/contradictions.ts'
import type { GatewayEvent } from '../../../../../main/job/jobs/engine/ports.ts'
import { AppError } from '../../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../../preload/contract/messages.ts'
import { stepOfWords } from '../../../../world/window/english.ts'
import { openVirtualJob } from '../../../../world/device/virtualJob.ts'
import {
  benchBeganMs,
  benchImei,
  rowsInWords,
  runCheck,
  type Surroundings
} from '../../../../world/device/checkBench.ts'

// The quick profile: 5 s apart are good, 60 s may be; 5 s in all. Read every second, and twice a tick is a clock.
const gone = new AppError('UNREACHABLE', plainMessage('Gone.'), { fate: 'away' })
const signedOut = new AppError('NOT_AUTHENTICATED', plainMessage('Sign in first.'))
const unixS = (ms: number) => Math.floor((benchBeganMs + ms) / 1000)

function event(delayS: number | null): GatewayEvent {
  return {
    eventAtMs: benchBeganMs - (delayS ?? 0) * 1000,
    ageS: 3,
    delayS,
    latitude: 0,
    longitude: 0,
    type: 10,
    label: 'prdtst',
    isPositionValid: true,
    raw: { device_id: Number(benchImei) }
  }
}

/** A device whose clock is so many seconds ahead. */
const run = (aheadS: number, more: Surroundings = {}) =>
  runCheck(checkClock, { gps: (ms) => ({ timestamp: unixS(ms) + aheadS }), events: () => [event(1)], ...more })

describe('Three clocks', () => {
  it('that agree pass, each with its time', async () => {
    const { rows, ...result } = await run(0)
    expect(result).toMatchObject({
      state: 'pass',
      summary: 'Device and gateway agree (0 s ahead)',
      remedy: '',
      witness: ['device', 'gateway'],
      tookMs: 2_000
    })
    expect(rowsInWords(rows)).toEqual([
      { label: 'Device', wanted: 'within 5 s', device: '09:00:02', gateway: null, verdict: 'agrees' },
      { label: 'Gateway', wanted: null, device: null, gateway: '09:00:02', verdict: 'received' },
      {
        label: 'This computer',
        wanted: 'within 60 s',
        device: null,
        gateway: null,
        verdict: 'agrees',
        note: '09:00:02'
      },
      {
        label: 'Latest event',
        wanted: 'not ahead of its arrival',
        device: null,
        gateway: expect.stringContaining('08:59:59') as string,
        verdict: 'agrees'
      }
    ])
    expect(result.saw.at(-1)).toMatchObject({
      witness: 'gateway',
      thresholds: { passS: 5, warnS: 60 },
      raw: { device: { assumed: 'unix', aheadOfComputerS: 0 } }
    })
  })

  it.each([
    [1_024 * 7 * 86_400, 'GPS week rollover'],
    [-1_024 * 7 * 86_400, 'GPS week rollover'],
    [10_000 * 86_400, 'the device’s clock is wrong']
  ])('that agree, while events arrive now that are dated %d s before, fail', async (delayS, words) => {
    const events: Surroundings['events'] = (_ms, { sinceMs = benchBeganMs - 1_800_000, untilMs = Infinity }) => {
      const dated = event(delayS)
      return dated.eventAtMs >= sinceMs && dated.eventAtMs <= untilMs ? [dated] : []
    }
    expect(await run(0, { events })).toMatchObject({
      state: 'fail',
      summary: expect.stringContaining(words) as string,
      witness: ['device', 'gateway']
    })
  })

  it('that agree, while each event of the last minutes is dated 32 days back, fail', async () => {
    const events: Surroundings['events'] = (_ms, { sinceMs = benchBeganMs - 1_800_000, untilMs = Infinity }) =>
      [0, 1, 2, 3]
        .map((n) => ({ ...event(32 * 86_400), eventAtMs: benchBeganMs - 32 * 86_400_000 - n * 60_000 }))
        .filter(({ eventAtMs }) => eventAtMs >= sinceMs && eventAtMs <= untilMs)
    expect(await run(0, { events })).toMatchObject({
      state: 'fail',
      summary: 'Events arrive now, but are dated 32 days in the past: the device’s clock is wrong.',
      remedy:
        'Give the device a clear view of the sky for a few minutes: satellites set its clock. Events sent until then have wrong times.',
      witness: ['device', 'gateway']
    })
  })

  it.each([
    [5, 'pass', 'Device and gateway agree (5 s ahead)'],
    [6, 'warn', 'The device’s clock is 6 s ahead'],
    [-60, 'warn', 'The device’s clock is 60 s behind'],
    [61, 'fail', 'The device’s clock is wrong: 61 s ahead'],
    [-900, 'fail', 'The device’s clock is wrong: 15 min behind']
  ])('of which the device is %d s off: %s', async (aheadS, state, summary) => {
    expect(await run(aheadS)).toMatchObject({ state, summary, witness: ['device', 'gateway'] })
  })

  it('are told from the GPS epoch, which is named', async () => {
    const { rows, ...result } = await run(-gpsEpochLateS)
    expect(result).toMatchObject({
      state: 'pass',
      summary: 'Device and gateway agree (0 s ahead); the device counts from the GPS epoch'
    })
    expect(rowsInWords(rows)[0]).toMatchObject({
      verdict: 'agrees',
      note: 'The clock counts from the GPS epoch; Fitter takes this into account.'
    })
    expect(await run(-gpsEpochLateS + 18)).toMatchObject({
      state: 'warn',
      summary: 'The device’s clock is 18 s ahead: it counts from the GPS epoch and ignores leap seconds'
    })
  })

  it('fail where the events themselves are dated by the GPS epoch, which lie years back', async () => {
    const asked: (number | undefined)[] = []
    const result = await run(-gpsEpochLateS, {
      events(_ms, { sinceMs }) {
        asked.push(sinceMs)
        return sinceMs === undefined ? [] : [event(gpsEpochLateS + 2)]
      }
    })
    expect(result).toMatchObject({
      state: 'fail',
      summary: 'The device dates its events by the GPS epoch, so the gateway shows them years in the past'
    })
    expect(rowsInWords(result.rows).at(-1)).toMatchObject({ label: 'Latest event', verdict: 'differs' })
    expect(asked).toEqual([undefined, benchBeganMs + 2_000 - gpsEpochLateS * 1000 - 1_800_000])
  })

  it('do not agree where events come from the future; a late one says nothing of a clock', async () => {
    expect(await run(0, { events: () => [event(-6)] })).toMatchObject({
      state: 'warn',
      summary: 'Event times are 6 s ahead of their arrival'
    })
    expect(await run(0, { events: () => [event(-61)] })).toMatchObject({ state: 'fail' })
    expect(await run(0, { events: () => [event(700)] })).toMatchObject({ state: 'pass' })
    expect(await run(0, { events: () => [{ ...event(-61), raw: { device_id: 1 } }] })).toMatchObject({ state: 'pass' })
  })

  it('of which this computer is the wrong one say so, and blame nobody else', async () => {
    expect(await run(120, { gatewayClock: () => 120 })).toMatchObject({
      state: 'warn',
      summary: 'Device and gateway agree; this computer’s clock is 2 min behind',
      remedy: 'Set this computer’s clock: the report uses it for its times.'
    })
    expect(await run(0, { gatewayClock: () => 120 })).toMatchObject({
      state: 'fail',
      summary: 'The device’s clock is wrong: 2 min behind'
    })
  })

  it.each([
    ['does not answer', () => gone, 'Gone.'],
    ['is not signed in to', () => signedOut, 'Sign in first.']
  ])('wait for the gateway while it %s', async (_what, gatewayClock, why) => {
    const result = await run(0, { gatewayClock })
    expect(result).toMatchObject({
      state: 'deferred',
      summary: `The device’s clock is 0 s ahead, compared with this computer; the gateway could not be checked: ${why}`,
      witness: []
    })
    expect(result.saw.at(-1)).toMatchObject({
      witness: 'device',
      raw: { device: { aheadOfComputerS: 0, assumed: 'unix' } }
    })
  })

  it('never pass where the gateway does not tell its time', async () => {
    expect(await run(0, { gatewayClock: () => null })).toMatchObject({
      state: 'warn',
      summary: 'The device’s clock agrees with this computer’s (0 s ahead); the gateway was not checked',
      remedy: expect.stringContaining('the gateway does not report its time') as string,
      witness: ['device']
    })
    expect(await run(900, { gatewayClock: () => null })).toMatchObject({
      state: 'warn',
      summary: 'The device’s clock is 15 min ahead, compared with this computer only'
    })
  })
})

describe('A clock that was compared without the gateway', () => {
  const limits = { passS: 5, warnS: 60, giveUpS: 5 }

  it.each([
    [0, 1, 'pass'],
    [0, 20, 'warn'],
    [900, 0, 'warn'],
    [900, 900, 'warn']
  ])('%d s ahead of this computer then, the gateway %d s ahead of it now: %s', (aheadS, gatewayS, state) => {
    expect(judgeLater({ aheadS, isGps: false }, gatewayS, limits)).toMatchObject({
      state,
      witness: ['device', 'gateway']
    })
  })

  it('ends by itself when the gateway answers again', async () => {
    const job = openVirtualJob([
      stepOfWords<'clock'>({ id: 'clock', kind: 'clock', title: 'Clocks', instruction: 'Wait.' })
    ])
    try {
      job.gateway.isAway = gone
      await job.connect()
      expect(await job.run('clock')).toMatchObject({ state: 'deferred' })
      job.gateway.isAway = null
      const finishing = job.jobs.finishDeferred(new AbortController().signal)
      await job.pass(2_000)
      await finishing
      expect(job.step('clock')).toMatchObject({ state: 'pass', witness: ['device', 'gateway'] })
    } finally {
      await job.close()
    }
  })
})

describe('A clock of the device', () => {
  it('that stands still is none', async () => {
    expect(await runCheck(checkClock, { gps: () => ({ timestamp: unixS(0) }) })).toMatchObject({
      state: 'unreadable',
      summary: 'The device’s clock is not running',
      witness: []
    })
  })

  it.each([undefined, null, '1795165200', [1]])('that reads %o is unreadable', async (timestamp) => {
    expect(await runCheck(checkClock, { gps: () => ({ timestamp }) })).toMatchObject({
      state: 'unreadable',
      summary: expect.stringMatching(/^The device’s clock cannot be read: .*timestamp/) as string,
      witness: []
    })
  })

  it('that does not answer is unreadable', async () => {
    expect(await runCheck(checkClock, { gps: () => gone })).toMatchObject({
      state: 'unreadable',
      summary: 'The device’s clock cannot be read: Gone.'
    })
  })
})
