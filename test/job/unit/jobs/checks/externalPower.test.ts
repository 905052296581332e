import { describe, expect, it } from 'vitest'
import { checkExternalPower } from '../../../../../main/job/jobs/checks/externalPower.ts'
import { AppError } from '../../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../../preload/contract/messages.ts'
import { runCheck, toggledAt } from '../../../../world/device/checkBench.ts'

// The quick profile: 2 s on end, a drop of less than 1 s, 8 s in all. The lines are read every 250 ms.
const never = () => false
const gone = new AppError('UNREACHABLE', plainMessage('Gone.'))
const loose = 'Look for a loose contact in the feed, the fuse holder or the ground.'
const switched = /switched feed/

function run(
  power: (ms: number) => boolean,
  more: { ignition?: (ms: number) => boolean; silent?: (ms: number) => boolean } = {}
) {
  const { ignition = never, silent = never } = more
  return runCheck(checkExternalPower, { io: (ms) => (silent(ms) ? gone : { PWR: power(ms), IGN: ignition(ms) }) })
}

describe('External power that stays', () => {
  it('passes as soon as it was there for the whole time, and both what was seen and the time are in the record', async () => {
    const { saw, ...result } = await run(toggledAt(0))
    expect(result).toMatchObject({
      state: 'pass',
      summary: 'Power stayed on for 2 s',
      witness: ['device'],
      tookMs: 2_000
    })
    expect(saw).toEqual([
      {
        atMs: 0,
        witness: 'device',
        what: 'PWR present',
        raw: { PWR: true, IGN: false },
        thresholds: { holdS: 2, shortDropS: 1 }
      },
      {
        atMs: 2_000,
        witness: 'device',
        what: 'PWR stayed on for 2 s',
        raw: { PWR: true, IGN: false },
        thresholds: { holdS: 2, shortDropS: 1 }
      }
    ])
  })

  it('shows how long it was held', async () => {
    const { shown } = await run(toggledAt(0))
    expect(shown.find(({ atMs }) => atMs === 1_000)).toMatchObject({
      say: 'Leave the power connected.',
      hint: null,
      meters: [
        { label: 'External power', value: 'present', target: 'present', tone: 'pass' },
        { label: 'Stable for', value: '1 s', target: '2 s', progress: 0.5 },
        { label: 'Time left', value: '1 s' }
      ],
      leftMs: 1_000
    })
  })

  it('counts from when it came; before that nothing has dropped', async () => {
    const { shown, saw, ...result } = await run(toggledAt(3_000))
    expect(result).toMatchObject({ state: 'pass', tookMs: 5_000 })
    expect(saw.map(({ atMs, what }) => [atMs, what])).toEqual([
      [0, 'PWR absent'],
      [3_000, 'PWR present'],
      [5_000, 'PWR stayed on for 2 s']
    ])
    expect(shown[0]).toMatchObject({
      hint: 'The device has no external power. Check the fuse, the permanent feed and the ground.',
      meters: [{ value: 'absent', tone: 'fail' }, { value: '0 s', progress: 0 }, { value: '2 s' }],
      leftMs: 2_000
    })
    expect(shown.find(({ atMs }) => atMs === 3_250)).toMatchObject({
      hint: null,
      meters: [{ value: 'present', tone: 'pass' }, {}, {}]
    })
  })

  it('that came late is watched for its whole time, and nothing says otherwise', async () => {
    expect(await run(toggledAt(6_000))).toMatchObject({ state: 'pass', tookMs: 8_000 })
    const { shown, ...late } = await run(toggledAt(7_750))
    expect(late).toMatchObject({ state: 'pass', summary: 'Power stayed on for 2 s', tookMs: 9_750 })
    // What it shows as time left is what it waits for.
    expect(shown.find(({ atMs }) => atMs === 8_500)?.leftMs).toBe(1_250)
    expect(await run(toggledAt(7_750, 8_500, 8_750))).toMatchObject({ state: 'warn', tookMs: 9_750 })
    expect(await run(toggledAt(7_750, 8_500))).toMatchObject({
      state: 'fail',
      summary: 'External power was missing for more than 1 s',
      tookMs: 9_500
    })
  })

  it('that came late and was then not read for a while is not watched without end', async () => {
    expect(await run(toggledAt(7_750), { silent: (ms) => ms > 8_000 && ms < 9_500 })).toMatchObject({
      state: 'unreadable',
      summary: expect.stringContaining('without a gap') as string,
      tookMs: 9_500
    })
  })

  it('that is never there fails when the time is over', async () => {
    expect(await run(never)).toMatchObject({
      state: 'fail',
      summary: 'The device has no external power',
      remedy: 'Check the fuse, the permanent feed and the ground of the device.',
      witness: ['device'],
      tookMs: 8_250
    })
  })
})

describe('External power that drops', () => {
  it('once and for less than a short drop warns', async () => {
    const { shown, ...result } = await run(toggledAt(0, 500, 1_250))
    expect(result).toMatchObject({
      state: 'warn',
      summary: 'Power stayed on for 2 s, with one drop under 1 s',
      remedy: loose,
      witness: ['device'],
      tookMs: 2_000
    })
    expect(shown.find(({ atMs }) => atMs === 1_000)).toMatchObject({
      meters: [{ value: 'absent', tone: 'fail' }, { value: '0 s', progress: 0 }, {}],
      leftMs: 2_000
    })
    expect(shown.find(({ atMs }) => atMs === 1_250)?.leftMs).toBe(750)
  })

  it('for just as long as a short drop may not last fails at once', async () => {
    const { saw, ...result } = await run(toggledAt(0, 500, 1_500))
    expect(result).toMatchObject({ state: 'warn' })
    const long = await run(toggledAt(0, 500, 1_750))
    expect(long).toMatchObject({
      state: 'fail',
      summary: 'External power was missing for more than 1 s',
      remedy: loose,
      witness: ['device'],
      tookMs: 1_500
    })
    expect(long.saw.at(-1)).toMatchObject({
      witness: 'device',
      what: 'External power was missing for more than 1 s',
      raw: { PWR: [{ on: false, readAt: '2026-11-20T09:00:00.500Z' }] },
      thresholds: { holdS: 2, shortDropS: 1 }
    })
    expect(saw.map(({ what }) => what)).toEqual(['PWR present', 'PWR absent', 'PWR present', 'PWR stayed on for 2 s'])
  })

  it('twice fails, however short', async () => {
    expect(await run(toggledAt(0, 500, 750, 1_000, 1_250))).toMatchObject({
      state: 'fail',
      summary: 'External power dropped 2 times',
      tookMs: 1_250
    })
  })

  it.each([
    ['the key was on', toggledAt(250), switched],
    ['the key was turned on in the same moment', toggledAt(1_000), switched],
    ['the key was turned off in the same moment', toggledAt(250, 1_000), switched],
    ['the key was off again', toggledAt(250, 500), /loose contact/],
    ['the key was turned on later', toggledAt(1_250), /loose contact/],
    ['the key was on from the beginning', toggledAt(0), switched],
    ['the key was never on', never, /loose contact/]
  ])('names the cause when %s', async (_when, ignition, remedy) => {
    for (const back of [1_500, 9_000])
      expect((await run(toggledAt(0, 1_000, back), { ignition })).remedy).toMatch(remedy)
  })
})

describe('External power that drops where nobody knows about the key', () => {
  it('has a loose contact', async () => {
    expect(await runCheck(checkExternalPower, { io: (ms) => ({ PWR: toggledAt(0, 500)(ms) }) })).toMatchObject({
      state: 'fail',
      remedy: loose
    })
  })
})

describe('A device that answers seldom', () => {
  it('is waited for as long as a short drop may last; after a longer gap the time begins anew', async () => {
    expect(await run(toggledAt(0), { silent: (ms) => ms > 0 && ms < 1_000 })).toMatchObject({
      state: 'pass',
      tookMs: 2_000
    })
    expect(await run(toggledAt(0), { silent: (ms) => ms > 0 && ms < 1_250 })).toMatchObject({
      state: 'pass',
      tookMs: 3_250
    })
  })

  it('leaves what it did not see open and blames no wiring', async () => {
    expect(await run(toggledAt(0), { silent: (ms) => ms % 2_000 > 500 })).toMatchObject({
      state: 'unreadable',
      summary: 'External power could not be read for 2 s without a gap: the device answered too rarely',
      remedy: 'Move closer to the device or use a cable, then run the step again.'
    })
  })

  it('is unreadable when it ends in silence', async () => {
    expect(await run(never, { silent: (ms) => ms > 7_000 })).toMatchObject({ state: 'unreadable', witness: [] })
  })

  it('is unreadable when it does not tell of the supply, and shows nothing that it did not say', async () => {
    expect(await runCheck(checkExternalPower, { io: () => ({ IGN: false }) })).toMatchObject({
      state: 'unreadable',
      summary: expect.stringMatching(/^External power cannot be read: PWR: expected true or false/) as string,
      tookMs: 0
    })
    const { shown } = await run(toggledAt(0), { silent: (ms) => ms < 500 })
    expect(shown[0]).toMatchObject({ hint: null, meters: [{ value: '', tone: 'pass' }, { value: '0 s' }, {}] })
  })
})
