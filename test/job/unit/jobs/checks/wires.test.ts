import { describe, expect, it } from 'vitest'
import { checkIgnition } from '../../../../../main/job/jobs/checks/ignition.ts'
import { checkInputs } from '../../../../../main/job/jobs/checks/inputs.ts'
import { runCheck } from '../../../../world/device/checkBench.ts'

/** Off for 0.4 s every 3 s. */
const drops = (ms: number) => ms % 3_000 >= 400
/** 5 Hz, and as a slow reading of it would look. */
const flutters = (everyMs: number) => (ms: number) => Math.floor(ms / everyMs) % 2 === 0
const never = () => false
const always = () => true
const ignition = (key: (ms: number) => boolean, more: (ms: number) => object) =>
  runCheck(checkIgnition, { io: (ms) => ({ PWR: true, IGN: key(ms), ...more(ms) }) })
const inputs = (line: (ms: number) => boolean) =>
  runCheck(checkInputs, {
    io: (ms) => ({ IN1: line(ms), IN2: false, IN3: false, IN4: false, IN5: false, IN6: false, IN7: false }),
    plan: { inputs: ['IN1'] }
  })

describe('A wire that acts by itself is no hand', () => {
  it.each<[string, (ms: number) => boolean, (ms: number) => object, RegExp, RegExp]>([
    [
      'loose while TIG shows the engine',
      drops,
      () => ({ TIG: true }),
      /^IGN dropped out 3 times while the engine ran/,
      /^Loose contact of the ignition wire/
    ],
    [
      'loose while the supply shows the engine, 12 V',
      drops,
      () => ({ TIG: false, AN1: 14_100 }),
      /^IGN dropped out 3 times while the engine ran/,
      /^Loose contact of the ignition wire/
    ],
    [
      'loose while the supply shows the engine, 24 V',
      drops,
      () => ({ TIG: false, AN1: 27_900 }),
      /^IGN dropped out 3 times while the engine ran/,
      /^Loose contact of the ignition wire/
    ],
    [
      'loose with the key on and a stopped engine',
      drops,
      () => ({ TIG: false, AN1: 12_400 }),
      /^IGN left its value \d times .* too short for a key$/,
      /^Loose contact of the ignition wire/
    ],
    [
      'floating at 5 Hz',
      flutters(100),
      () => ({ TIG: false }),
      /^IGN changed \d+ times within .* faster than anyone turns a key$/,
      /not connected/
    ],
    ['floating at 2 Hz', flutters(250), () => ({ TIG: false }), /^IGN changed \d+ times within/, /not connected/]
  ])('ignition wire %s', async (_, key, more, summary, remedy) => {
    const result = await ignition(key, more)
    expect(result.state).toBe('fail')
    expect(result.summary).toMatch(summary)
    expect(result.remedy).toMatch(remedy)
  })

  it('a drop that lasts counts as no turn while the engine runs on', async () => {
    expect(
      (
        await ignition(
          (ms) => ms % 4_000 >= 1_000,
          () => ({ TIG: true })
        )
      ).state
    ).toBe('fail')
  })

  it('a key that is turned twice, with an engine that follows, still passes', async () => {
    const key = (ms: number) => Math.floor(ms / 2_000) % 2 === 1
    const result = await runCheck(checkIgnition, {
      io: (ms) => ({ PWR: true, IGN: key(ms), TIG: key(ms - 500) && key(ms), AN1: 14_000 }),
      gatewayLines: (ms) => ({ values: new Map([['io_ign', key(ms)]]), atMs: 0, ageS: 0, raw: null })
    })
    expect(result).toMatchObject({
      state: 'pass',
      summary: expect.stringContaining('followed the key twice') as string
    })
  })

  it.each<[string, (ms: number) => boolean, string]>([
    ['that drops out again and again', drops, 'IN1 is bouncing'],
    ['that is on for a moment again and again', (ms) => !drops(ms), 'IN1 is bouncing'],
    ['at 5 Hz', flutters(100), 'IN1 is bouncing'],
    ['at rest', never, 'IN1 never changed'],
    ['always on', always, 'IN1 never changed']
  ])('an input %s was not operated', async (_, line, summary) => {
    expect(await inputs(line)).toMatchObject({ state: 'fail', summary })
  })
})
