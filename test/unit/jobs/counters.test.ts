import { describe, expect, it } from 'vitest'
import { checkCounters } from '../../../main/jobs/checks/counters.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { eventAt, rowsInWords, runCheck, type Surroundings } from '../../support/checkBench.ts'

const vehicle = { id: 7, name: 'Truck 1' }
/** Types these values, one after the other. */
function typing(...values: (number | string)[]): Surroundings['answer'] {
  return (_ms, { kind }) => (kind === 'value' && values.length > 0 ? { value: values.shift() ?? 0 } : undefined)
}
const run = (more: Surroundings, plan: object = {}) => runCheck(checkCounters, { vehicle, plan, ...more })

describe('Odometer and engine hours', () => {
  it('are set in metres and seconds, and pass when the gateway shows them', async () => {
    const { state, summary, added, rows, saw } = await run({ answer: typing('123456,5', 2500) }, { counters: ['odometer', 'engineHours'] })
    expect({ state, summary }).toEqual({ state: 'pass', summary: 'Done' })
    expect(added).toEqual([
      { jobId: 'job', vid: 7, vehicle: 'Truck 1', counter: 'dev_dist', unit: 'm', value: 123_456_500, copied: [] },
      { jobId: 'job', vid: 7, vehicle: 'Truck 1', counter: 'dev_ign', unit: 's', value: 9_000_000, copied: [] }
    ])
    expect(rowsInWords(rows)).toMatchObject([{ label: 'Odometer', wanted: '123456.5 km', gateway: 'shown as set', verdict: 'agrees' }, { label: 'Engine hours', verdict: 'agrees' }])
    expect(saw.map(({ witness, what }) => [witness, what])).toEqual([['person', 'Odometer as read: 123456.5 km'], ['person', 'Engine hours as read: 2500 h']])
  })

  it('that the engine bus contradicts are asked twice, and are then a warning', async () => {
    const bus = { accessories: () => ({ events: [eventAt(-60_000, { ecu_distance: 120_000_000 })] }) }
    const { state, summary, shown } = await run({ ...bus, answer: typing(12_000, 12_000) })
    expect({ state, summary }).toEqual({ state: 'warn', summary: 'Done. the engine bus says 120000 km, typed was 12000 km' })
    expect(shown.map(({ hint }) => hint)).toContain('the engine bus says 120000 km, typed was 12000 km. Type the same number again if it is right.')
    expect(await run({ ...bus, answer: typing(12_000, 120_005) })).toMatchObject({ state: 'pass' })
  })

  it.each(['', 'many', '-5', 99_999_999])('are asked again when %s is typed', async (typed) => {
    const { state, asked, added } = await run({ answer: typing(typed, 5_000) })
    expect({ state, n: asked.length }).toEqual({ state: 'pass', n: 2 })
    expect(added).toMatchObject([{ value: 5_000_000 }])
  })

  it.each(['accepted', 'pending', 'unknown'])('wait while the gateway has not shown them: %s', async (operation) => {
    expect(await run({ answer: typing(5_000), operation: { state: operation, reason: plainMessage('It waits.'), evidence: [] } })).toMatchObject({ state: 'deferred' })
  })

  it('fail when the gateway refuses them, and are not set without a vehicle', async () => {
    expect(await run({ answer: typing(5_000), operation: { state: 'failed', reason: plainMessage('Refused.'), evidence: [] } })).toMatchObject({ state: 'fail', summary: 'Refused.' })
    const noVehicle = await runCheck(checkCounters, { plan: {}, answer: typing(5_000) })
    expect(noVehicle).toMatchObject({ state: 'deferred', added: [], summary: 'The gateway must know the vehicle before its counters can be set' })
  })
})
