import { describe, expect, it } from 'vitest'
import { checkTyres } from '../../../../../main/job/jobs/checks/tyres.ts'
import { accessoryFields, eventAt, rowsInWords, runCheck } from '../../../../world/device/checkBench.ts'

// Two wheels of the first axle (000, 001) and one of the second (016); the quick profile wants 1.4 bar to 10.3 bar.
const good = {
  ecu_tires_psi: '000105,001104,016098',
  ecu_tires_tmp: '00031,00130,01633',
  ecu_tpms_warnings: '0000000,0010000,0160000',
  ecu_tpms_provision: '000203,0000000184512,0010000184513,0160000184520'
}
const wheels = [
  { axle: 0, wheel: 0, sensorId: '184512' },
  { axle: 0, wheel: 1, sensorId: '184513' },
  { axle: 1, wheel: 0, sensorId: '0000184520' }
]
const run = (fields: object, plan: object = { wheels }, known = accessoryFields) =>
  runCheck(checkTyres, { plan, accessories: () => ({ events: [eventAt(0, fields)], fields: known }) })

describe('Tyre modules', () => {
  it('pass when each ordered one is in its wheel, with a pressure in range and no warning', async () => {
    const { state, summary, rows, tookMs } = await run(good)
    expect({ state, summary, tookMs }).toEqual({
      state: 'pass',
      summary: 'The modules of 3 wheels report, measured 6.8 bar to 7.2 bar',
      tookMs: 0
    })
    expect(rowsInWords(rows)).toEqual([
      {
        label: 'Axle 1 wheel 1',
        wanted: 'module 184512, 1.4 bar to 10.3 bar',
        device: null,
        gateway: '7.2 bar, 31 °C, module 184512',
        verdict: 'agrees'
      },
      {
        label: 'Axle 1 wheel 2',
        wanted: 'module 184513, 1.4 bar to 10.3 bar',
        device: null,
        gateway: '7.2 bar, 30 °C, module 184513',
        verdict: 'agrees'
      },
      {
        label: 'Axle 2 wheel 1',
        wanted: 'module 184520, 1.4 bar to 10.3 bar',
        device: null,
        gateway: '6.8 bar, 33 °C, module 184520',
        verdict: 'agrees'
      }
    ])
  })

  it.each<[string, object, string, string]>([
    [
      'two modules sit in the wheels of each other',
      { ecu_tpms_provision: '000203,0000000184520,0010000184513,0160000184512' },
      'fail',
      'Module 184512 belongs to Axle 1 wheel 1, but is in Axle 2 wheel 1'
    ],
    [
      'another module sits in a wheel',
      { ecu_tpms_provision: '000203,0000000999999,0010000184513,0160000184520' },
      'fail',
      'Axle 1 wheel 1 has module 999999 instead of 184512'
    ],
    ['a wheel gives no pressure', { ecu_tires_psi: '000105,001104' }, 'fail', 'No data from: Axle 2 wheel 1'],
    [
      'nobody says which modules there are',
      { ecu_tpms_provision: null },
      'fail',
      'No data from: Axle 1 wheel 1, Axle 1 wheel 2 and Axle 2 wheel 1'
    ],
    [
      'a tyre is flat',
      { ecu_tires_psi: '000019,001104,016098' },
      'fail',
      'Axle 1 wheel 1: 1.3 bar measured, 1.4 bar to 10.3 bar allowed'
    ],
    ['a tyre leaks', { ecu_tpms_warnings: '0000000,0013000,0160000' }, 'fail', 'Axle 1 wheel 2: the tyre leaks'],
    [
      'a module is defective',
      { ecu_tpms_warnings: '0000000,0010100,0160000' },
      'fail',
      'Axle 1 wheel 2: the module is defective'
    ],
    [
      'a module is loose',
      { ecu_tpms_warnings: '0000000,0010010,0160000' },
      'fail',
      'Axle 1 wheel 2: the module is loose'
    ],
    [
      'a module has turned',
      { ecu_tpms_warnings: '0000000,0010020,0160000' },
      'fail',
      'Axle 1 wheel 2: the module is loose'
    ],
    [
      'the battery of a module is low',
      { ecu_tpms_warnings: '0000000,0010001,0160000' },
      'warn',
      'Axle 1 wheel 2: the battery of the module is low'
    ],
    [
      'the monitor is faulty',
      { ecu_tpms_provision: '010203,0000000184512,0010000184513,0160000184520' },
      'fail',
      'The tyre monitor reports an internal fault'
    ],
    [
      'the warnings are missing',
      { ecu_tpms_warnings: null },
      'warn',
      'The modules of 3 wheels report, measured 6.8 bar to 7.2 bar. The gateway shows no list of warnings'
    ],
    [
      'a warning has another form',
      { ecu_tpms_warnings: '0000000,00190x0' },
      'unreadable',
      'The field ecu_tpms_warnings cannot be read'
    ],
    ['the pressures are a number', { ecu_tires_psi: 105 }, 'unreadable', 'The field ecu_tires_psi cannot be read']
  ])('do not pass when %s', async (_what, fields, state, summary) => {
    expect(await run({ ...good, ...fields })).toMatchObject({ state, summary })
  })

  it('do not pass when the newest list of warnings cannot be read, although an event without any came after it', async () => {
    const events = [eventAt(0, { ...good, ecu_tpms_warnings: '0000000,00190x0,0160000' }), eventAt(1_000, {})]
    expect(await runCheck(checkTyres, { plan: { wheels }, accessories: () => ({ events }) })).toMatchObject({
      state: 'unreadable',
      summary: 'The field ecu_tpms_warnings cannot be read'
    })
  })

  it('that do not tell whether they are loose are not blamed for it', async () => {
    expect(await run({ ...good, ecu_tpms_warnings: '0000030,0010030,0160030' })).toMatchObject({ state: 'pass' })
    expect(await run({ ...good, ecu_tpms_warnings: '' })).toMatchObject({ state: 'pass' })
  })

  it('that nobody ordered are told, and without an order the monitor says which ones there are', async () => {
    expect(rowsInWords((await run(good, { wheels: wheels.slice(0, 2) })).rows).at(-1)).toMatchObject({
      label: 'Axle 2 wheel 1',
      wanted: null,
      verdict: 'notOrdered'
    })
    const { state, rows } = await run(good, {})
    expect([state, rowsInWords(rows).map(({ wanted }) => wanted)]).toEqual(['received', [null, null, null]])
    expect((await run(good, { minPsi: 90, maxPsi: 110 })).state).toBe('pass')
    expect(await run({ ...good, ecu_tires_psi: '000105,001104' }, {})).toMatchObject({
      state: 'fail',
      summary: 'No data from: Axle 2 wheel 1'
    })
    expect(await run({}, {})).toMatchObject({ state: 'fail', summary: 'No event contained data of the tyre monitor' })
  })

  it('are not blamed at a gateway whose events have no such field', async () => {
    expect(await run(good, { wheels }, ['aid'])).toMatchObject({
      state: 'unreadable',
      summary: 'This gateway does not report ecu_tires_psi, so it cannot be verified'
    })
  })
})
