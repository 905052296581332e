import { describe, expect, it } from 'vitest'
import { english } from '../../../../world/window/english.ts'
import { checkIgnition } from '../../../../../main/job/jobs/checks/ignition.ts'
import type { GatewayLines } from '../../../../../main/job/jobs/engine/ports.ts'
import { AppError } from '../../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../../preload/contract/messages.ts'
import { runCheck, toggledAt } from '../../../../world/device/checkBench.ts'
import { quickProfile } from '../../../../world/device/quickProfile.ts'

// The quick profile: twice on and off, the engine within 3 s, 20 s in all. The lines are read every 250 ms, and a level
// counts after 500 ms.
const never = () => false
const gone = new AppError('UNREACHABLE', plainMessage('Gone.'))
const twice = [250, 1_000, 1_750, 2_500]
const wire = 'The ignition wire is missing or on the wrong circuit.'
const hint =
  'The engine runs but IGN is off: the ignition wire is missing. Connect it to a wire that is live with the key on.'

type Line = (ms: number) => boolean
function run(
  ignition: Line,
  engine: Line = never,
  gatewayLines: ((ms: number) => GatewayLines | null | AppError) | undefined = (ms) => at(ignition(ms))
) {
  return runCheck(checkIgnition, { io: (ms) => ({ IGN: ignition(ms), TIG: engine(ms) }), gatewayLines })
}

function at(ignition: boolean): GatewayLines {
  return { values: new Map([['io_ign', ignition]]), atMs: 0, ageS: 0, raw: null }
}

describe('Ignition that follows the key', () => {
  const good = toggledAt(...twice, 4_000)

  it('passes when the engine was seen and the gateway agrees', async () => {
    const { saw, ...result } = await run(good, toggledAt(4_500))
    expect(result).toMatchObject({
      state: 'pass',
      summary: 'Ignition followed the key twice, engine detected; gateway agrees',
      witness: ['device', 'gateway'],
      tookMs: 4_500
    })
    const line = (atMs: number, name: string, on: boolean) => ({
      atMs,
      witness: 'device',
      what: `${name} ${on ? 'off → on' : 'on → off'}`,
      raw: { line: name, on, readAt: new Date(Date.parse('2026-11-20T09:00:00Z') + atMs).toISOString() },
      thresholds: { cycles: 2, engineWithinS: 3 }
    })
    expect(saw.slice(0, -1)).toEqual([
      line(250, 'IGN', true),
      line(1_000, 'IGN', false),
      line(1_750, 'IGN', true),
      line(2_500, 'IGN', false),
      line(4_000, 'IGN', true),
      line(4_500, 'TIG', true)
    ])
    expect(saw.at(-1)).toMatchObject({ witness: 'gateway' })
  })

  it('shows how often it was seen, and then what is missing', async () => {
    const { shown } = await run(good, toggledAt(4_500))
    const shownAt = (ms: number) => shown.find(({ atMs }) => atMs === ms)
    expect(shownAt(0)).toMatchObject({
      say: 'Turn the key on and off again, twice.',
      hint: null,
      meters: [
        { label: 'Ignition now', value: 'off' },
        { label: 'Times seen', value: '0 of 2', progress: 0 },
        { label: 'Time left', value: '20 s', progress: 1 }
      ],
      leftMs: 20_000
    })
    expect(shownAt(1_500)).toMatchObject({ meters: [{}, { value: '1 of 2', progress: 0.5 }, {}], leftMs: 18_500 })
    expect(shownAt(3_000)).toMatchObject({
      say: 'Start the engine.',
      meters: [{ value: 'off' }, { label: 'Engine', value: 'not detected', target: 'within 3 s' }, {}]
    })
    expect(shownAt(4_000)).toMatchObject({ meters: [{ value: 'on' }, { value: 'not detected' }, {}] })
  })

  it('needs as many times as the profile wants, from on to off', async () => {
    expect(await run(toggledAt(0, 750, 1_500, 2_250), toggledAt(1_750, 2_500))).toMatchObject({
      state: 'fail',
      summary: 'Ignition followed the key once only',
      remedy: expect.stringMatching(/waiting two seconds/) as string,
      witness: ['device'],
      tookMs: 20_250
    })
    expect(await run(toggledAt(0, 750, 1_500, 2_250, 3_000, 3_750), toggledAt(1_750, 2_500))).toMatchObject({
      state: 'pass',
      tookMs: 4_250
    })
    expect(await run(toggledAt(500), never)).toMatchObject({
      state: 'fail',
      summary: 'Ignition followed the key never'
    })
  })

  it('counts an engine that was seen between the times, and one that follows the key a little late', async () => {
    expect(await run(toggledAt(...twice), toggledAt(2_000, 2_750))).toMatchObject({ state: 'pass', tookMs: 3_000 })
    expect(await run(toggledAt(...twice), toggledAt(4_500))).toMatchObject({ state: 'pass', tookMs: 4_500 })
    expect(await run(toggledAt(...twice), toggledAt(4_750))).toMatchObject({
      state: 'fail',
      summary: 'Ignition never changed while the engine ran'
    })
    expect(await run(toggledAt(...twice, 5_000), toggledAt(5_000))).toMatchObject({ state: 'pass', tookMs: 5_000 })
  })

  it.each([0])(
    'does not count an engine that ran, %d ms after the first reading, before the key was ever seen on',
    async (fromMs) => {
      expect(await run(toggledAt(...twice), toggledAt(fromMs, 500))).toMatchObject({ state: 'warn' })
    }
  )
})

describe('The engine that is not detected', () => {
  it('is waited for while the key is on, for as long as the profile says', async () => {
    expect(await run(toggledAt(...twice, 4_000))).toMatchObject({
      state: 'warn',
      summary: 'Ignition followed the key twice; the supply voltage did not show the engine',
      remedy: expect.stringMatching(/^This is normal for electric and hybrid vehicles/) as string,
      consequences: {
        works: [{ id: 'ignition.ignition' }, { id: 'ignition.trips' }, { id: 'ignition.drivingTime' }],
        notAvailable: [{ id: 'ignition.engineHours' }, { id: 'ignition.idling' }]
      },
      witness: ['device'],
      tookMs: 7_250
    })
    expect(await run(toggledAt(...twice, 4_000), toggledAt(7_000))).toMatchObject({ state: 'pass', tookMs: 7_000 })
  })

  it('is waited for four times as long while the key is off', async () => {
    expect(await run(toggledAt(...twice))).toMatchObject({ state: 'warn', tookMs: 15_250 })
    expect(await run(toggledAt(...twice, 12_500, 13_250, 14_000), toggledAt(14_000))).toMatchObject({
      state: 'pass',
      tookMs: 14_000
    })
  })
})

describe('A missing ignition wire', () => {
  it('is named as soon as the engine ran for a while without it', async () => {
    const { saw, shown, ...result } = await run(never, toggledAt(1_000))
    expect(result).toMatchObject({
      state: 'fail',
      summary: 'Ignition never changed while the engine ran',
      remedy: wire,
      witness: ['device'],
      tookMs: 4_250
    })
    expect(saw.at(-1)).toMatchObject({
      witness: 'device',
      what: 'TIG on for 3 s, IGN never',
      raw: { IGN: false, TIG: true },
      thresholds: { cycles: 2, engineWithinS: 3 }
    })
    expect(shown.map((one) => [one.atMs, one.hint])).toEqual(
      Array.from({ length: 17 }, (_, index) => [index * 250, index < 4 ? null : hint])
    )
    expect(result.remedySteps?.map(english)).toEqual([
      'Find the IGN wire and pull gently: is it firm in the plug?',
      'Connect it to a wire that has voltage with the key on and none with the key off.',
      'Run the step again, then turn the key on and off, twice.'
    ])
  })

  it('is named within seconds also where the engine is started and stopped again, and although the profile gives it long', async () => {
    expect(await run(never, toggledAt(1_000, 3_000, 5_000))).toMatchObject({
      state: 'fail',
      summary: 'Ignition never changed while the engine ran',
      remedy: wire,
      tookMs: 6_250
    })
    const patient = await runCheck(checkIgnition, {
      io: (ms) => ({ PWR: true, IGN: false, TIG: ms >= 1_000 }),
      profile: { ignition: { ...quickProfile.ignition, engineWithinS: 30, giveUpS: 600 } }
    })
    expect(patient).toMatchObject({ state: 'fail', remedy: wire, tookMs: 5_250 })
  })

  it('is not named while it only just runs, nor where the key is seen', async () => {
    expect(await run(never, toggledAt(1_000, 3_000))).toMatchObject({
      state: 'fail',
      summary: 'Ignition never changed',
      remedy: wire,
      witness: ['device'],
      tookMs: 20_250
    })
    expect(await run(toggledAt(0), toggledAt(1_000))).toMatchObject({ summary: 'Ignition stayed on all the time' })
    const { shown, ...result } = await run(toggledAt(500), toggledAt(1_000))
    expect(result).toMatchObject({ summary: 'Ignition followed the key never' })
    expect(shown.every(({ hint }) => hint === null)).toBe(true)
    expect(await run(toggledAt(250, 1_000), toggledAt(1_500))).toMatchObject({
      summary: 'Ignition followed the key once only'
    })
  })

  it('or a key that nobody turns: that is said when the time is over', async () => {
    expect(await run(never)).toMatchObject({
      state: 'fail',
      summary: 'Ignition never changed',
      remedy: 'Turn the key. If IGN does not change, the ignition wire is not connected or is on the wrong circuit.',
      witness: ['device'],
      tookMs: 20_250
    })
  })
})

describe('An ignition wire that comes off during the step', () => {
  it('is named within seconds of an engine that was started without it', async () => {
    expect(await run(toggledAt(500, 1_000), toggledAt(4_000))).toMatchObject({
      state: 'fail',
      summary: 'Ignition never changed while the engine ran',
      remedy: wire,
      tookMs: 7_250
    })
  })

  it('is not named of an engine that was started with the key or just after it, nor once IGN is back', async () => {
    expect(await run(toggledAt(250, 1_000), toggledAt(750, 1_250))).toMatchObject({
      summary: 'Ignition followed the key once only',
      tookMs: 20_250
    })
    expect(await run(toggledAt(250, 1_000), toggledAt(3_000))).toMatchObject({
      summary: 'Ignition followed the key once only',
      tookMs: 20_250
    })
    expect(await run(toggledAt(250, 1_000, 5_000), toggledAt(4_000))).toMatchObject({
      summary: 'Ignition followed the key once only',
      tookMs: 20_250
    })
  })
})

describe('An ignition wire on the wrong circuit', () => {
  const still = 'IGN is still on. If the key is off, the ignition wire is on a permanent feed.'

  it('is named as soon as the engine was stopped as often as the key is to be turned, and told of at the first time', async () => {
    const { saw, shown, ...result } = await run(toggledAt(0), toggledAt(1_000, 2_000, 3_000, 4_000))
    expect(result).toMatchObject({
      state: 'fail',
      summary: 'Ignition stayed on all the time',
      tookMs: 4_000,
      witness: ['device']
    })
    expect(saw.at(-1)).toMatchObject({
      witness: 'device',
      what: 'The engine stopped twice, IGN always on',
      raw: { IGN: true, TIG: false }
    })
    expect(shown.map(({ hint }) => hint)).toEqual(Array.from({ length: 16 }, (_, index) => (index < 8 ? null : still)))
  })

  it('is told of after 5 s also where nobody starts the engine, and not while it runs', async () => {
    const { shown } = await run(toggledAt(0))
    expect(shown.filter(({ hint }) => hint !== null)[0]).toMatchObject({ atMs: 5_000, hint: still })
    expect((await run(toggledAt(0), toggledAt(0))).shown.every(({ hint }) => hint === null)).toBe(true)
    expect((await run(never)).shown.every(({ hint }) => hint === null)).toBe(true)
  })

  it('is not blamed where the supply comes and goes, of which TIG is made', async () => {
    const engine = toggledAt(1_000, 2_000, 3_000, 4_000)
    const result = await runCheck(checkIgnition, {
      io: (ms) => ({ IGN: true, TIG: engine(ms), PWR: engine(ms) || ms < 1_000 })
    })
    expect(result).toMatchObject({ tookMs: 20_250 })
  })

  it('is named where IGN is on whatever the key does', async () => {
    const result = await run(toggledAt(0), toggledAt(1_000, 4_000))
    expect(result).toMatchObject({
      state: 'fail',
      summary: 'Ignition stayed on all the time',
      remedy:
        'The ignition wire is on the wrong circuit: it has voltage with the key on and off, so it is on a permanent feed.',
      witness: ['device']
    })
    expect(result.remedySteps?.map(english)[0]).toBe('Turn the key off. IGN must go off with it.')
  })
})

describe('External power beside the ignition', () => {
  const key = toggledAt(...twice, 4_000)
  const withPower = (power: Line, engine: Line = toggledAt(5_500)) =>
    runCheck(checkIgnition, {
      io: (ms) => ({ IGN: key(ms), TIG: engine(ms), PWR: power(ms) }),
      gatewayLines: (ms) => at(key(ms))
    })

  it('that drops while cranking is no pass, and the feed or the ground is named', async () => {
    const cranking =
      'Power drops during cranking: the feed is switched, or the ground is bad. Use the permanent feed and a ground on bare metal.'
    expect(await withPower((ms) => ms < 4_250 || ms >= 5_000)).toMatchObject({
      state: 'warn',
      summary: 'External power dropped once during cranking',
      remedy: cranking,
      witness: ['device']
    })
    expect(await withPower((ms) => ms < 4_250 || ms >= 5_250)).toMatchObject({ state: 'fail', remedy: cranking })
    expect(await withPower(() => true)).toMatchObject({ state: 'pass' })
  })

  it('that goes with the key is a switched feed', async () => {
    expect(await withPower((ms) => key(ms) || ms < 250)).toMatchObject({
      state: 'fail',
      summary: 'External power dropped twice with the key',
      remedy: expect.stringContaining('switched feed') as string
    })
  })

  it('that is not there leaves it open whether the engine runs, and speaks of no electric vehicle', async () => {
    expect(await withPower(never, never)).toMatchObject({
      state: 'unreadable',
      summary: 'Ignition followed the key twice; without external power the engine cannot be detected',
      witness: []
    })
  })
})

describe('The gateway beside', () => {
  const ignition = toggledAt(...twice, 4_000)
  const engine = toggledAt(4_500)

  it.each<[string, (ms: number) => GatewayLines | null | AppError, object]>([
    [
      'says otherwise: a warning',
      () => ({ ...at(false), ageS: -60 }),
      {
        state: 'warn',
        summary: expect.stringMatching(
          /^Ignition followed the key twice, engine detected; .* is off, the device reports on$/
        ) as string,
        remedy: expect.any(String) as string,
        witness: ['device'],
        tookMs: 12_500
      }
    ],
    [
      'does not show the device: a warning',
      () => null,
      { state: 'warn', summary: expect.stringMatching(/does not show this device/) as string, witness: ['device'] }
    ],
    [
      'does not show the line: a pass by the device alone',
      () => ({ ...at(true), values: new Map() }),
      {
        state: 'pass',
        summary: 'Ignition followed the key twice, engine detected; The gateway does not report ignition.',
        remedy: '',
        witness: ['device']
      }
    ],
    [
      'is away: a pass by the device alone',
      () => gone,
      { state: 'pass', summary: expect.stringMatching(/could not be checked/) as string, witness: ['device'] }
    ]
  ])('%s', async (_what, lines, wanted) => {
    expect(await run(ignition, engine, lines)).toMatchObject(wanted)
  })

  it('says what is to be done, to each its own', async () => {
    const differs = await run(ignition, engine, () => ({ ...at(false), ageS: -60 }))
    const notShown = await run(ignition, engine, () => null)
    expect(differs.remedy).toMatch(/next report/)
    expect(notShown.remedy).toMatch(/registered/)
  })

  it('is waited for, and that is shown', async () => {
    const { shown } = await run(ignition, engine, () => ({ ...at(false), ageS: -60 }))
    expect(shown.at(-1)).toMatchObject({
      say: 'Waiting for the gateway to show ignition.',
      hint: null,
      meters: [{ label: 'Time left', value: '1 s' }],
      leftMs: 1_000
    })
  })
})

describe('A device that does not tell', () => {
  it.each(['IGN', 'TIG'])('of %s leaves it open', async (missing) => {
    const io = Object.fromEntries(['IGN', 'TIG'].filter((line) => line !== missing).map((line) => [line, false]))
    expect(await runCheck(checkIgnition, { io: () => io })).toMatchObject({
      state: 'unreadable',
      summary: expect.stringMatching(new RegExp(`^Ignition cannot be read: .*${missing}`)) as string,
      tookMs: 0
    })
  })

  it('anything leaves it open; what was not read is not shown', async () => {
    const { shown, ...result } = await runCheck(checkIgnition, { io: () => gone })
    expect(result).toMatchObject({ state: 'unreadable', witness: [] })
    expect(shown[0]).toMatchObject({ hint: null, meters: [{ value: '' }, {}, {}] })
  })

  it('at the end is not blamed on the wiring', async () => {
    expect(
      await runCheck(checkIgnition, { io: (ms) => (ms > 19_000 ? gone : { IGN: false, TIG: false }) })
    ).toMatchObject({ state: 'unreadable', tookMs: 20_250 })
  })
})
