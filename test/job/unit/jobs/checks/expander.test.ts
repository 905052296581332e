import { describe, expect, it } from 'vitest'
import { checkExpander } from '../../../../../main/job/jobs/checks/expander.ts'
import {
  accessoryFields,
  benchBeganMs,
  eventAt,
  rowsInWords,
  runCheck,
  type Surroundings
} from '../../../../world/device/checkBench.ts'

const off = { io_exp_state: true, io_exp_in1: false, io_exp_in2: false, io_exp_in3: false, io_exp_in4: false }
const toggled = (more: object = {}) => [
  eventAt(-5_000, off),
  eventAt(1_000, { ...off, io_exp_in2: true, ...more }),
  eventAt(3_000, { ...off, ...more })
]
const run = (events: object[], plan: object = { inputs: [2] }, more: Surroundings = {}, fields = accessoryFields) =>
  runCheck(checkExpander, { plan, accessories: () => ({ events, fields }), ...more })
const lines = (values: object, ms: number): ReturnType<NonNullable<Surroundings['gatewayLines']>> => ({
  values: new Map(Object.entries(values)),
  atMs: benchBeganMs + ms,
  ageS: 0,
  raw: null
})

describe('The expander', () => {
  it('passes when it answers and each ordered input was seen on and off', async () => {
    const { state, summary, rows } = await run(toggled(), { inputs: [2], names: { 2: 'Door' } })
    expect({ state, summary }).toEqual({ state: 'pass', summary: 'Switched on and off: Expander input 2 (Door)' })
    expect(rowsInWords(rows)).toMatchObject([
      { label: 'Expander', wanted: 'connected', gateway: 'connected', verdict: 'agrees' },
      {
        label: 'Expander input 2 (Door)',
        wanted: 'on and off',
        gateway: '1 time on and off, now off',
        verdict: 'agrees'
      }
    ])
  })

  it('is read from the lines of the device as well', async () => {
    const gatewayLines = (ms: number) => lines({ ...off, io_exp_in2: ms >= 2_000 && ms < 4_000 }, ms)
    expect(await run([eventAt(0, {})], { inputs: [2] }, { gatewayLines })).toMatchObject({
      state: 'pass',
      summary: 'Switched on and off: Expander input 2'
    })
  })

  it.each<[string, object[], string, string]>([
    ['an input only went on', toggled().slice(0, 2), 'fail', 'Not switched on and off: Expander input 2'],
    [
      'another input moved',
      [eventAt(-5_000, off), eventAt(1_000, { ...off, io_exp_in3: true }), eventAt(3_000, off)],
      'fail',
      'Not switched on and off: Expander input 2'
    ],
    [
      'it was operated before the step began',
      [eventAt(-9_000, { ...off, io_exp_in2: true }), eventAt(-5_000, off), eventAt(1_000, off)],
      'fail',
      'Not switched on and off: Expander input 2'
    ],
    [
      'the device does not see it',
      [eventAt(1_000, { ...off, io_exp_state: false })],
      'fail',
      'The device does not detect its expander'
    ],
    ['nothing came of it', [eventAt(1_000, {})], 'fail', 'The device does not detect its expander'],
    ['its state is a text', toggled({ io_exp_state: 'true' }), 'unreadable', 'The field io_exp_state cannot be read'],
    ['an input is a text', toggled({ io_exp_in2: 'false' }), 'unreadable', 'The field io_exp_in2 cannot be read']
  ])('does not pass when %s', async (_what, events, state, summary) => {
    expect(await run(events)).toMatchObject({ state, summary })
  })

  it('without an ordered input only has to answer, and what moved is told', async () => {
    const { state, summary, rows } = await run(toggled(), {})
    expect([state, summary, rowsInWords(rows).map(({ label, verdict }) => [label, verdict])]).toEqual([
      'pass',
      'The expander answers',
      [
        ['Expander', 'agrees'],
        ['Expander input 2', 'notOrdered']
      ]
    ])
  })

  it('is not blamed where neither the events nor the lines have it', async () => {
    expect(await run([eventAt(1_000, {})], { inputs: [2] }, {}, ['aid'])).toMatchObject({
      state: 'unreadable',
      summary: 'This gateway does not report io_exp_state, so it cannot be verified'
    })
  })
})
