import { describe, expect, it } from 'vitest'
import { checkCounters } from '../../../../../main/job/jobs/checks/counters.ts'
import { plainMessage } from '../../../../../preload/contract/messages.ts'
import { english } from '../../../../world/window/english.ts'
import { eventAt, rowsInWords, runCheck, type Surroundings } from '../../../../world/device/checkBench.ts'

const vehicle = { id: 7, name: 'Truck 1' }
/** Types these values, one after the other, and confirms each. */
function typing(...values: (number | string)[]): NonNullable<Surroundings['answer']> {
  return (_ms, { kind }) =>
    kind === 'yesNo'
      ? { answer: true }
      : kind === 'value' && values.length > 0
        ? { value: values.shift() ?? 0 }
        : undefined
}
const run = (more: Surroundings, plan: object = {}) => runCheck(checkCounters, { vehicle, plan, ...more })

describe('Odometer and engine hours', () => {
  it('are set in metres and seconds, and pass when the gateway shows them', async () => {
    const { state, summary, added, rows, saw } = await run(
      { answer: typing('123456,5', 2500) },
      { counters: ['odometer', 'engineHours'] }
    )
    expect({ state, summary }).toEqual({ state: 'pass', summary: 'Done' })
    expect(added).toEqual([
      { jobId: 'job', vid: 7, vehicle: 'Truck 1', counter: 'dev_dist', unit: 'm', value: 123_456_500, copied: [] },
      { jobId: 'job', vid: 7, vehicle: 'Truck 1', counter: 'dev_ign', unit: 's', value: 9_000_000, copied: [] }
    ])
    expect(rowsInWords(rows)).toMatchObject([
      { label: 'Odometer', wanted: '123456.5 km', gateway: 'confirmed by the gateway', verdict: 'agrees' },
      { label: 'Engine hours', verdict: 'agrees' }
    ])
    expect(saw.map(({ witness, what }) => [witness, what])).toEqual([
      ['person', 'Odometer entered: 123456.5 km'],
      ['person', 'Engine hours entered: 2500 h']
    ])
  })

  it('that the engine bus contradicts are asked twice, and are then a warning', async () => {
    const bus = { accessories: () => ({ events: [eventAt(-60_000, { ecu_distance: 120_000_000 })] }) }
    const { state, summary, shown } = await run({ ...bus, answer: typing(12_000, 12_000) })
    expect({ state, summary }).toEqual({
      state: 'warn',
      summary: 'Done. the engine bus reports 120000 km, but 12000 km was entered'
    })
    expect(shown.map(({ hint }) => hint)).toContain(
      'the engine bus reports 120000 km, but 12000 km was entered. Enter the same number again if it is right.'
    )
    expect(await run({ ...bus, answer: typing(12_000, 120_005) })).toMatchObject({ state: 'pass' })
  })

  it.each(['', 'many', '-5', 99_999_999])('are asked again when %s is typed', async (typed) => {
    const { state, asked, added } = await run({ answer: typing(typed, 5_000) })
    expect({ state, n: asked.length }).toEqual({ state: 'pass', n: 3 })
    expect(added).toMatchObject([{ value: 5_000_000 }])
  })

  it.each(['accepted', 'pending', 'unknown'])('wait while the gateway has not shown them: %s', async (operation) => {
    expect(
      await run({
        answer: typing(5_000),
        operation: { state: operation, reason: plainMessage('It waits.'), evidence: [] }
      })
    ).toMatchObject({ state: 'deferred' })
  })

  it('fail when the gateway refuses them, and are not set without a vehicle', async () => {
    expect(
      await run({
        answer: typing(5_000),
        operation: { state: 'failed', reason: plainMessage('Refused.'), evidence: [] }
      })
    ).toMatchObject({ state: 'fail', summary: 'Refused.' })
    expect(await runCheck(checkCounters, { plan: {}, answer: typing(5_000) })).toMatchObject({
      state: 'fail',
      added: [],
      asked: [],
      summary: 'Fitter can set the counters only when the gateway knows the vehicle'
    })
  })

  it('are kept for the gateway when it does not know the vehicle yet', async () => {
    const operation = { state: 'draft', reason: plainMessage('It waits.'), evidence: [] as [] }
    expect(
      await runCheck(checkCounters, { plan: {}, vehicleText: 'Truck 1', operation, answer: typing(5_000) })
    ).toMatchObject({
      state: 'deferred',
      added: [
        { jobId: 'job', vid: null, vehicle: 'Truck 1', counter: 'dev_dist', unit: 'm', value: 5_000_000, copied: [] }
      ]
    })
  })

  it.each([
    ['123.456', 123_456_000],
    ['123,456', 123_456]
  ])('%s is asked again with both readings, and the chosen one is sent', async (typed, value) => {
    const type = typing(typed)
    const choices: string[] = []
    const { state, asked, added } = await run({
      answer(ms, question) {
        if (question.kind !== 'choice') return type(ms, question)
        choices.push(...question.choices.map(({ text }) => english(text)))
        return { choose: question.choices.find(({ id }) => Number(id) * 1_000 === value)?.id ?? '' }
      }
    })
    expect({ state, asked, choices }).toEqual({
      state: 'pass',
      asked: [
        'Read the odometer of the vehicle.',
        `“${typed}” can be read in two ways. Which number do you mean?`,
        `Set the odometer of Truck 1 to ${value / 1_000} km? Driving only ever increases it.`
      ],
      choices: ['123456 km', '123.456 km']
    })
    expect(added).toMatchObject([{ value }])
  })

  it('are typed again when they are not confirmed', async () => {
    const type = typing(50_000, 5_000)
    const confirms = [false, true]
    const { added, asked } = await run({
      answer: (ms, question) => (question.kind === 'yesNo' ? { answer: confirms.shift() ?? false } : type(ms, question))
    })
    expect(added).toMatchObject([{ value: 5_000_000 }])
    expect(asked).toHaveLength(4)
  })

  it('are read in miles by a person who reads miles, and sent in metres', async () => {
    const { added, asked, saw } = await run({ units: 'imperial', answer: typing(100_000) })
    expect(added).toMatchObject([{ value: 160_934_400 }])
    expect(asked).toContain('Set the odometer of Truck 1 to 100000 mi? Driving only ever increases it.')
    expect(saw).toMatchObject([{ raw: { value: 100_000, unit: 'mi', bus: null } }])
  })

  it('engine hours have a limit of their own', async () => {
    const plan = { counters: ['engineHours'] }
    const bus = { counters: { ecu_eusage: 2_500 * 3_600 } }
    expect(await run({ ...bus, answer: typing(2_501) }, plan)).toMatchObject({ state: 'pass' })
    expect(await run({ ...bus, answer: typing(2_510, 2_510) }, plan)).toMatchObject({
      state: 'warn',
      summary: 'Done. the engine bus reports 2500 h, but 2510 h was entered'
    })
  })
})
