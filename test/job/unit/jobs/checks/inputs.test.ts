import { describe, expect, it } from 'vitest'
import { checkInputs } from '../../../../../main/job/jobs/checks/inputs.ts'
import { countCycles, isChatter, proofOfInputs, readChoice } from '../../../../../main/job/jobs/checks/inputLines.ts'
import type { GatewayLines } from '../../../../../main/job/jobs/engine/ports.ts'
import { AppError } from '../../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../../preload/contract/messages.ts'
import { runCheck, toggledAt, type Surroundings } from '../../../../world/device/checkBench.ts'

// The quick profile: twice on and off, quiet for 1 s, 20 s in all. The lines are read every 250 ms, and a level counts
// after 500 ms.
const gone = new AppError('UNREACHABLE', plainMessage('Gone.'), { fate: 'away' })
const rest = { IN1: false, IN2: false, IN3: false, IN4: false, IN5: false, IN6: false, IN7: false }
const times = [250, 1_000, 1_750, 2_500]
const twice = toggledAt(...times)
const yes = { answer: true }

type Lines = Record<string, (ms: number) => boolean>
const at = (lines: Lines, ms: number) => ({
  ...rest,
  ...Object.fromEntries(Object.entries(lines).map(([name, line]) => [name, line(ms)]))
})
const seen = (lines: Lines, ms: number): GatewayLines => ({
  values: new Map(Object.entries(at(lines, ms)).map(([name, isOn]) => [`io_${name.toLowerCase()}`, isOn])),
  atMs: 0,
  ageS: 0,
  raw: null
})

function run(lines: Lines, ordered?: string[], more: Surroundings = {}) {
  return runCheck(checkInputs, {
    io: (ms) => at(lines, ms),
    gatewayLines: (ms) => seen(lines, ms),
    plan: ordered ? { inputs: ordered } : {},
    ...more
  })
}

describe('Ordered inputs', () => {
  it('pass when each was on and off often enough and rests, and the gateway saw it', async () => {
    const { saw, ...result } = await run({ IN1: twice, IN3: toggledAt(500, 1_250, 2_000, 3_000) }, ['IN1', 'IN3'])
    expect(result).toMatchObject({
      state: 'pass',
      summary: 'IN1 and IN3 work',
      remedy: '',
      witness: ['device', 'gateway'],
      tookMs: 4_500,
      asked: ['Switch each ordered input on and off.'],
      unasked: 1
    })
    expect(
      saw
        .filter(({ what }) => what.startsWith('IN1 o'))
        .map(({ atMs, what, raw, thresholds }) => ({ atMs, what, raw, thresholds }))
    ).toEqual(
      times.map((atMs, index) => ({
        atMs,
        what: `IN1 ${index % 2 === 0 ? 'off → on' : 'on → off'}`,
        raw: {
          line: 'IN1',
          on: index % 2 === 0,
          readAt: new Date(Date.parse('2026-11-20T09:00:00Z') + atMs).toISOString()
        },
        thresholds: { cycles: 2 }
      }))
    )
    const proof = (line: string) => ({
      line,
      cycles: 2,
      wantedCycles: 2,
      isOn: false,
      isChattering: false,
      chatter: null,
      isOrdered: true,
      notWired: null,
      gateway: 'agrees',
      gatewayAfterMs: expect.any(Number) as number
    })
    expect(saw.at(-1)).toMatchObject({
      witness: 'gateway',
      raw: [proof('IN1'), proof('IN3')],
      thresholds: { cycles: 2 }
    })
    expect(result.shown.at(-1)?.inputs).toEqual([proof('IN1'), proof('IN3')])
  })

  it('need every one, as often as the profile wants', async () => {
    expect(await run({ IN1: twice }, ['IN1', 'IN3'])).toMatchObject({
      state: 'fail',
      summary: 'IN3 never changed',
      remedy: expect.stringMatching(/not connected/) as string,
      witness: ['device'],
      tookMs: 20_000
    })
    expect(await run({ IN1: toggledAt(250, 1_000, 1_750) }, ['IN1'])).toMatchObject({
      state: 'fail',
      summary: 'IN1 changed, but did not go on and off twice',
      remedy: expect.stringMatching(/^Switch this input on and off again/) as string,
      witness: ['device']
    })
    expect(await run({ IN1: toggledAt(500) }, ['IN1', 'IN3'])).toMatchObject({
      state: 'fail',
      summary: 'IN3 never changed',
      remedy: expect.stringMatching(/^An input that never changes/) as string
    })
  })

  it('where another one moved instead name it, and show that at once', async () => {
    const { shown, ...result } = await run({ IN2: twice }, ['IN1'])
    expect(result).toMatchObject({
      state: 'fail',
      summary: 'IN1 never changed',
      remedy: 'IN2 changed instead: the wire is on another input, or the switch side is not connected.',
      witness: ['device']
    })
    expect(shown.map(({ hint }) => hint).slice(0, 6)).toEqual([
      null,
      null,
      null,
      null,
      'IN2 changed, but was not ordered: the wire may be on another input.',
      'IN2 changed, but was not ordered: the wire may be on another input.'
    ])
    expect(await run({ IN2: toggledAt(500) }, ['IN1'])).toMatchObject({
      remedy: expect.stringMatching(/^An input that never changes/) as string
    })
  })

  it('that are all proved do not mind another one that moved', async () => {
    const { shown } = await run({ IN1: twice, IN2: twice }, ['IN1'])
    expect(shown.find(({ atMs }) => atMs === 3_250)).toMatchObject({
      say: 'Confirmed: IN1. Leave them at rest.',
      hint: null
    })
  })

  it('are shown with what is left to do', async () => {
    const { shown } = await run({ IN1: twice, IN3: toggledAt(4_000, 4_750, 5_500, 6_250) }, ['IN1', 'IN3'])
    const shownAt = (ms: number) => shown.find(({ atMs }) => atMs === ms)
    expect(shownAt(0)).toMatchObject({
      say: 'Switch IN1 and IN3 on and off, twice.',
      hint: null,
      meters: [
        { label: 'Inputs confirmed', value: '0 of 2', progress: 0, tone: 'live' },
        { label: 'Last change', value: '' },
        { label: 'Time left', value: '20 s', progress: 1 }
      ],
      leftMs: 20_000
    })
    expect(shownAt(3_000)).toMatchObject({
      say: 'Switch IN3 on and off, twice.',
      meters: [{ value: '1 of 2', progress: 0.5, tone: 'pass' }, { value: 'IN1' }, { value: '17 s', progress: 0.85 }]
    })
    expect(shownAt(4_000)).toMatchObject({ meters: [{}, { value: 'IN3' }, {}] })
    expect(shownAt(6_750)).toMatchObject({ say: 'Confirmed: IN1 and IN3. Leave them at rest.', hint: null })
    expect(shownAt(1_500)?.inputs).toEqual([
      {
        line: 'IN1',
        cycles: 1,
        wantedCycles: 2,
        isOn: false,
        isChattering: false,
        chatter: null,
        isOrdered: true,
        notWired: null,
        gateway: null
      },
      {
        line: 'IN3',
        cycles: 0,
        wantedCycles: 2,
        isOn: false,
        isChattering: false,
        chatter: null,
        isOrdered: true,
        notWired: null,
        gateway: null
      }
    ])
  })

  it('that cannot be read leave it open', async () => {
    expect(await run({}, ['IN1'], { io: () => ({ ...rest, IN1: undefined }) })).toMatchObject({
      state: 'unreadable',
      summary: expect.stringMatching(/^An input cannot be read: .*IN1/) as string,
      witness: [],
      tookMs: 0
    })
    expect(
      await run({ IN2: twice }, ['IN2'], { io: (ms) => ({ ...rest, IN1: undefined, IN2: twice(ms) }) })
    ).toMatchObject({ state: 'pass' })
  })

  it('of a silent device leave it open, and blame no wiring', async () => {
    expect(await run({}, ['IN1'], { io: (ms) => (ms > 19_000 ? gone : rest) })).toMatchObject({
      state: 'unreadable',
      witness: [],
      tookMs: 20_000
    })
  })

  it('that change faster than a hand can fail', async () => {
    const fast = toggledAt(...Array.from({ length: 10 }, (_, index) => 500 + 250 * index))
    const { shown, ...result } = await run({ IN1: fast, IN2: twice }, ['IN1', 'IN2'])
    expect(result).toMatchObject({
      state: 'fail',
      summary: 'IN1 is bouncing',
      remedy: expect.stringMatching(/^Loose contact/) as string,
      witness: ['device']
    })
    expect(result.inputs).toMatchObject([
      { line: 'IN1', chatter: { changes: 10, forMs: 2_250 } },
      { line: 'IN2', chatter: null }
    ])
    expect(shown.find(({ atMs }) => atMs === 500)?.hint).toBeNull()
    const chattering = await run({ IN1: toggledAt(500), IN2: fast }, ['IN1', 'IN2'])
    expect(chattering.shown.at(-1)?.hint).toBe('IN2 is bouncing: loose contact.')
  })
})

describe('Inputs that are not wired', () => {
  const kit = 'The kit comes in May'
  const leftOut = (lines: string[], reason: string | null) => ({ notWired: { lines, reason } })
  /** Says it once, at that moment. */
  const saidAt = (...said: [atMs: number, answer: object][]) => ({
    answer: (ms: number) => said.find(([atMs]) => ms >= atMs && ms < atMs + 250)?.[1]
  })

  it('are left out with a reason, and the step is no plain pass', async () => {
    const { saw, shown, ...result } = await run({ IN1: twice }, ['IN1', 'IN6'], saidAt([250, leftOut(['IN6'], kit)]))
    expect(result).toMatchObject({
      state: 'warn',
      summary: `IN1 works; IN6 not wired: ${kit}`,
      witness: ['device', 'gateway', 'person']
    })
    expect(saw).toContainEqual(expect.objectContaining({ witness: 'person', what: `IN6 not wired: ${kit}` }))
    expect(shown.at(-1)?.inputs).toMatchObject([
      { line: 'IN1', notWired: null },
      { line: 'IN6', notWired: kit }
    ])
  })

  it('are asked for again when the person takes that back', async () => {
    const { saw, ...result } = await run(
      { IN1: twice },
      ['IN1', 'IN6'],
      saidAt([250, leftOut(['IN6'], kit)], [750, leftOut(['IN6'], null)])
    )
    expect(result).toMatchObject({ state: 'fail', summary: 'IN6 never changed' })
    expect(saw).toContainEqual(expect.objectContaining({ witness: 'person', what: 'IN6 is wired now' }))
  })

  it('leave nothing to prove when they are all', async () => {
    expect(await run({}, ['IN1', 'IN6'], saidAt([250, leftOut(['IN1', 'IN6'], kit)]))).toMatchObject({
      state: 'notApplicable',
      summary: 'No inputs are wired'
    })
  })

  it('are named by what the order says hangs on them', async () => {
    const wires = { IN1: { name: plainMessage('Panic button'), wire: plainMessage('white and red') } }
    const { shown } = await run({}, ['IN1'], { plan: { inputs: ['IN1'], wires } })
    expect(shown[0]).toMatchObject({
      say: 'Switch Panic button on and off, twice.',
      inputs: [{ line: 'IN1', ...wires.IN1 }]
    })
  })

  it('are told how each is operated, and judged by its name', async () => {
    const wires = {
      IN1: { name: plainMessage('Panic button'), instruction: plainMessage('Press the red button under the seat.') },
      IN3: { name: plainMessage('Doors') }
    }
    const { shown, inputs, ...result } = await run({ IN1: twice, IN5: toggledAt(500, 1_250) }, ['IN1', 'IN3'], {
      plan: { inputs: ['IN1', 'IN3'], wires }
    })
    expect(shown[0]).toMatchObject({
      say: 'Switch Panic button and Doors on and off, twice.',
      hint: 'Press the red button under the seat.'
    })
    expect(inputs?.find(({ line }) => line === 'IN1')).toMatchObject({
      name: plainMessage('Panic button'),
      instruction: plainMessage('Press the red button under the seat.')
    })
    expect(result).toMatchObject({ state: 'fail', summary: 'Doors (IN3) never changed' })
  })

  it('tell beside a pass what moved and was not ordered', async () => {
    expect(await run({ IN1: twice, IN5: toggledAt(500, 1_250) }, ['IN1'])).toMatchObject({
      summary: expect.stringContaining('IN5 also changed, but was not ordered') as string
    })
  })
})

describe('Inputs that nobody ordered', () => {
  const whenSaid = (afterMs: number, given = yes) => ({ answer: (ms: number) => (ms >= afterMs ? given : undefined) })

  it('are found by their movement, once a person says that these are all', async () => {
    const { shown, saw, ...result } = await run({ IN2: twice }, undefined, whenSaid(3_500))
    expect(result).toMatchObject({
      state: 'pass',
      summary: 'IN2 works',
      witness: ['device', 'gateway'],
      tookMs: 4_000,
      asked: ['Switch each wired input on and off, then confirm that these are all.'],
      unasked: 1
    })
    expect(shown[0]).toMatchObject({
      say: 'Switch each wired input on and off, twice.',
      hint: null,
      meters: [{ value: '0', progress: null, tone: 'live' }, {}, {}],
      inputs: []
    })
    expect(shown.find(({ atMs }) => atMs === 3_000)).toMatchObject({
      say: 'Confirmed: IN2. Is anything else wired?',
      meters: [{ value: '1', tone: 'pass' }, { value: 'IN2' }],
      leftMs: null,
      inputs: [{ line: 'IN2', isOrdered: false }]
    })
    expect(saw.at(-1)).toMatchObject({ witness: 'gateway' })
  })

  it('are waited for: a further one may come', async () => {
    expect(
      await run({ IN2: twice, IN4: toggledAt(1_250, 2_000, 2_750, 3_500) }, undefined, whenSaid(2_750))
    ).toMatchObject({ state: 'pass', summary: expect.stringMatching(/^IN2 and IN4 work/) as string, tookMs: 5_000 })
  })

  it('are asked for again when these are not all', async () => {
    expect(
      await run({ IN2: twice }, undefined, {
        answer: (ms, { kind, text }) =>
          ms < 3_500 || kind !== 'lines'
            ? undefined
            : JSON.stringify(text).includes('operateOthers')
              ? ms >= 6_000
                ? yes
                : undefined
              : { answer: false }
      })
    ).toMatchObject({
      state: 'pass',
      asked: [
        'Switch each wired input on and off, then confirm that these are all.',
        'Switch the others on and off, then confirm that these are all.'
      ],
      tookMs: 6_000
    })
  })

  it('that were confirmed wait for the person as long as it takes', async () => {
    expect(await run({ IN2: twice }, undefined, whenSaid(90_000))).toMatchObject({
      state: 'pass',
      witness: ['device', 'gateway'],
      tookMs: 90_000
    })
  })

  it('fail when none moved', async () => {
    expect(await run({})).toMatchObject({
      state: 'fail',
      summary: 'No input changed',
      remedy: expect.stringMatching(/^An input that never changes/) as string
    })
    expect(await run({}, undefined, whenSaid(1_000))).toMatchObject({
      state: 'fail',
      summary: 'No input changed',
      tookMs: 20_000
    })
    expect(await run({ IN5: toggledAt(500) })).toMatchObject({
      state: 'fail',
      summary: 'IN5 changed, but did not go on and off twice',
      remedy: expect.stringMatching(/^Switch this input on and off again/) as string
    })
  })

  it('may be none at all', async () => {
    const { saw, ...result } = await run({}, undefined, { answer: () => ({ choose: 'none' }) })
    expect(result).toMatchObject({ state: 'notApplicable', summary: 'No inputs are wired', witness: ['person'] })
    expect(saw).toEqual([
      {
        atMs: expect.any(Number) as number,
        witness: 'person',
        what: 'No inputs are wired',
        raw: { choose: 'none' },
        thresholds: undefined
      }
    ])
  })

  it('may be named by the person: then they are ordered', async () => {
    expect(await run({ IN2: twice }, undefined, { answer: () => ({ choose: 'in2, IN3' }) })).toMatchObject({
      state: 'fail',
      summary: 'IN3 never changed'
    })
    expect(await run({ IN2: twice }, undefined, { answer: () => ({ choose: 'IN2' }) })).toMatchObject({
      state: 'pass',
      summary: 'IN2 works',
      tookMs: 4_000
    })
  })

  it('cannot have a name that does not exist', async () => {
    expect(await run({}, undefined, { answer: () => ({ choose: 'IN9' }) })).toMatchObject({
      state: 'fail',
      summary: '“IN9” is not an input',
      remedy: 'Enter IN1 to IN7, or “none”, and run the step again.',
      witness: ['person']
    })
  })

  it('are unreadable only when none can be read', async () => {
    expect(await run({}, undefined, { io: () => ({}) })).toMatchObject({ state: 'unreadable', tookMs: 0 })
    expect(await run({}, undefined, { io: (ms) => ({ IN2: twice(ms) }), ...whenSaid(2_500) })).toMatchObject({
      summary: expect.stringMatching(/^IN2/) as string
    })
  })
})

describe('The gateway beside', () => {
  const without =
    (...names: string[]) =>
    (lines: Lines) =>
    (ms: number) => {
      const given = seen(lines, ms)
      return { ...given, values: new Map([...given.values].filter(([name]) => !names.includes(name))) }
    }
  const both = { IN1: twice, IN2: twice }

  it('that does not show one of them: a warning that names it', async () => {
    const { saw, ...result } = await run(both, ['IN1', 'IN2'], { gatewayLines: without('io_in2')(both) })
    expect(result).toMatchObject({
      state: 'warn',
      summary: 'IN1 and IN2: on and off twice at the device; the gateway does not show IN2',
      remedy: 'The gateway does not show this input; it was checked at the device only.',
      witness: ['device']
    })
    expect(saw.at(-1)).toMatchObject({ witness: 'device', raw: [{ gateway: 'agrees' }, { gateway: 'notExposed' }] })
  })

  it('that says otherwise: a warning, with what it says', async () => {
    const { shown, ...result } = await run({ IN1: twice }, ['IN1'], {
      gatewayLines: () => ({ values: new Map([['io_in1', true]]), atMs: 0, ageS: -60, raw: null })
    })
    expect(result).toMatchObject({
      state: 'warn',
      summary: 'IN1: on and off twice at the device; IN1 at the gateway is on, the device reports off',
      remedy: expect.stringMatching(/next report/) as string,
      witness: ['device']
    })
    expect(shown.at(-2)).toMatchObject({
      say: 'Waiting for the gateway to show IN1.',
      hint: null,
      meters: [{ label: 'Time left' }],
      inputs: [{ line: 'IN1', cycles: 2, gateway: null }]
    })
  })

  it('that does not show the device: a warning', async () => {
    expect(await run(both, ['IN1', 'IN2'], { gatewayLines: () => null })).toMatchObject({
      state: 'warn',
      summary: 'IN1 and IN2: on and off twice at the device; the gateway does not show this device',
      remedy: expect.stringMatching(/registered/) as string,
      witness: ['device']
    })
  })

  it('that is away: a pass by the device, asked for the first one only', async () => {
    let asked = 0
    const { saw, ...result } = await run(both, ['IN1', 'IN2'], { gatewayLines: () => ((asked += 1), gone) })
    expect(result).toMatchObject({
      state: 'pass',
      summary: 'IN1 and IN2: on and off twice at the device; The gateway could not be checked: Gone.',
      witness: ['device']
    })
    expect(saw.at(-1)).toMatchObject({ raw: [{ gateway: 'away' }, { gateway: 'away' }] })
    expect(asked).toBe(3)
  })
})

describe('A gateway that goes away in between', () => {
  it('keeps what it said of the first one', async () => {
    const lines = { IN1: twice, IN2: twice }
    let asked = 0
    const { saw } = await run(lines, ['IN1', 'IN2'], {
      gatewayLines: (ms) => ((asked += 1) === 1 ? seen(lines, ms) : gone)
    })
    expect(saw.at(-1)).toMatchObject({ witness: 'device', raw: [{ gateway: 'agrees' }, { gateway: 'away' }] })
  })
})

describe('What a line tells', () => {
  const changes = (...times: number[]) =>
    times.map((atMs, index) => ({ atMs, untilMs: atMs, on: index % 2 === 0, readAt: '' }))
  const story = (count: number, heldMs: number) =>
    Array.from({ length: count + 1 }, (_, index) => ({
      atMs: index * 1_000,
      untilMs: index * 1_000 + heldMs,
      on: index % 2 === 1,
      readAt: ''
    }))

  it.each([
    [0, 0],
    [1, 0],
    [2, 1],
    [3, 1],
    [4, 2]
  ])('%d changes are %d times', (count, cycles) => {
    expect(countCycles(story(count, 500))).toBe(cycles)
    expect(countCycles(story(count, 499))).toBe(0)
  })

  it('nine changes within five seconds are no hand, eight are, and nine in more time', () => {
    expect(isChatter(changes(0, 1, 2, 3, 4, 5, 6, 7, 5_000))).toBe(true)
    expect(isChatter(changes(0, 1, 2, 3, 4, 5, 6, 7, 5_001))).toBe(false)
    expect(isChatter(changes(0, 1, 2, 3, 4, 5, 6, 7))).toBe(false)
    expect(isChatter(changes(0, 6_000, 6_001, 6_002, 6_003, 6_004, 6_005, 6_006, 6_007, 6_008))).toBe(true)
  })

  it.each<[string, string[] | 'none' | undefined]>([
    ['IN1, IN3', ['IN1', 'IN3']],
    ['in7;in2', ['IN2', 'IN7']],
    ['IN2  and IN4', ['IN2', 'IN4']],
    ['', 'none'],
    ['  ', 'none'],
    [' None ', 'none'],
    ['ninguna', 'none'],
    ['-', 'none'],
    ['nonesuch', undefined],
    ['all but none', undefined],
    ['IN8', undefined],
    ['IN11', undefined]
  ])('%j chooses %j', (text, chosen) => {
    expect(readChoice(text)).toEqual(chosen)
  })

  it('an input whose value is not known is shown as that', () => {
    expect(
      proofOfInputs({
        lines: { changes: () => [], story: () => [], latest: () => undefined },
        wantedCycles: 2,
        ordered: ['IN4'],
        gateway: new Map([['IN4', { gateway: 'away' }]]),
        wires: undefined,
        notWired: new Map()
      })
    ).toEqual([
      {
        line: 'IN4',
        cycles: 0,
        wantedCycles: 2,
        isOn: null,
        isChattering: false,
        chatter: null,
        isOrdered: true,
        notWired: null,
        gateway: 'away'
      }
    ])
  })
})
