import { describe, expect, it } from 'vitest'
import { checkTemperature } from '../../../../../main/job/jobs/checks/temperature.ts'
import { accessoryFields, eventAt, rowsInWords, runCheck } from '../../../../world/device/checkBench.ts'

// 1271 mV are 0 degrees, 528 mV are 20, 189..4252 mV the range of the sensor ("Analog temperature sensor").
const run = (fields: object, plan: object = {}, known = accessoryFields) =>
  runCheck(checkTemperature, { plan, accessories: () => ({ events: [eventAt(0, fields)], fields: known }) })
const ordered = {
  probes: [
    { probe: 'a', name: 'Freezer', minDegC: -5, maxDegC: 5 },
    { probe: 'b', minDegC: 15, maxDegC: 25 }
  ]
}

describe('Temperature probes', () => {
  it('pass when each ordered one measures what it should, and what nobody ordered is told', async () => {
    const { state, summary, rows, tookMs } = await run({ ea_a: 1271, ea_b: 548, ea_c: 548 }, ordered)
    expect({ state, tookMs }).toEqual({ state: 'pass', tookMs: 0 })
    expect(summary).toBe('Probe A (Freezer): −0.3 °C and Probe B: 19.9 °C')
    expect(rowsInWords(rows).map(({ label, wanted, verdict }) => [label, wanted, verdict])).toEqual([
      ['Probe A (Freezer)', '−5 °C to 5 °C', 'agrees'],
      ['Probe B', '15 °C to 25 °C', 'agrees'],
      ['Probe C', null, 'notOrdered']
    ])
  })

  it.each<[string, object, string, string | RegExp]>([
    ['the wire is shorted', { ea_a: 12, ea_b: 548 }, 'fail', 'Probe A (Freezer) reads 0.01 V: its wire is shorted'],
    [
      'the wire is broken',
      { ea_a: 4900, ea_b: 548 },
      'fail',
      'Probe A (Freezer) reads 4.90 V: its wire is broken, or the probe is not connected'
    ],
    ['one is missing', { ea_a: 1271 }, 'fail', 'No temperature from: Probe B'],
    [
      'one is too warm',
      { ea_a: 780, ea_b: 548 },
      'fail',
      /^Probe A \(Freezer\) measures 1\d(\.\d)? °C \(expected −5 °C to 5 °C\)$/
    ],
    [
      'both are where the other should be',
      { ea_a: 548, ea_b: 1271 },
      'fail',
      'Probe A (Freezer) measures 19.9 °C and Probe B measures −0.3 °C. Each is in the range of the other, so the probes are probably swapped'
    ],
    ['one is a text', { ea_a: '1271', ea_b: 548 }, 'unreadable', 'The field ea_a cannot be read']
  ])('do not pass when %s', async (_what, fields, state, summary) => {
    const result = await run(fields, ordered)
    expect(result.state).toBe(state)
    expect(result.summary).toEqual(typeof summary === 'string' ? summary : expect.stringMatching(summary))
  })

  it('are not called exchanged when only one is out of its range', async () => {
    expect((await run({ ea_a: 548, ea_b: 548 }, ordered)).summary).toMatch(/^Probe A \(Freezer\) measures/)
  })

  it('without an order are those that answer, and are received', async () => {
    const { state, rows } = await run({ ea_b: 548 })
    expect([state, rowsInWords(rows).map(({ label, wanted }) => [label, wanted])]).toEqual([
      'received',
      [['Probe B', null]]
    ])
    expect(await run({})).toMatchObject({ state: 'fail', summary: 'No event contained a probe temperature' })
  })

  it('are not blamed at a gateway whose events have no such field', async () => {
    expect(
      await run(
        { ea_b: 548 },
        { probes: [{ probe: 'a' }] },
        accessoryFields.filter((field) => field !== 'ea_a')
      )
    ).toMatchObject({ state: 'unreadable', summary: 'This gateway does not report ea_a, so it cannot be verified' })
  })
})
