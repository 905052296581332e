import { describe, expect, it } from 'vitest'
import { checkAnalog } from '../../../../../main/job/jobs/checks/analog.ts'
import { checkMeasurement, checkQuestion } from '../../../../../main/job/jobs/checks/answers.ts'
import { checkApn } from '../../../../../main/job/jobs/checks/apn.ts'
import { checkBtTag } from '../../../../../main/job/jobs/checks/btTag.ts'
import { checkCamera } from '../../../../../main/job/jobs/checks/camera.ts'
import { checkEngineBus } from '../../../../../main/job/jobs/checks/engineBus.ts'
import { checkIButton } from '../../../../../main/job/jobs/checks/iButton.ts'
import { checkHotspot, checkWifi } from '../../../../../main/job/jobs/checks/radio.ts'
import { checkTemperature } from '../../../../../main/job/jobs/checks/temperature.ts'
import { checkTyres } from '../../../../../main/job/jobs/checks/tyres.ts'
import { withRows, pass } from '../../../../../main/job/jobs/engine/check.ts'
import { message, plainMessage } from '../../../../../preload/contract/messages.ts'
import type { SeenRow } from '../../../../../preload/contract/job/jobSeen.ts'
import { benchImei, eventAt, rowsInWords, runCheck, type Surroundings } from '../../../../world/device/checkBench.ts'

type Run = (plan: object) => Promise<{ state: string; rows?: SeenRow[] | undefined }>

const mac = 'A4C138001122'
const key = '7E000001A2B3C401'
const at = (fields: object): Pick<Surroundings, 'accessories'> => ({
  accessories: () => ({ events: [eventAt(0, fields)] })
})
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]).toString('base64')
const picture = { source: 0, status_no: 4, photo_id: 1, epoch: 1_763_629_200, b64data: jpeg }
const instruction = plainMessage('What does it say?')
const typed =
  (value: string | number): Surroundings['answer'] =>
  (_ms, { kind }) =>
    kind === 'value' || kind === 'text' ? { value } : undefined
const choices = [
  { id: 'red', text: plainMessage('Red') },
  { id: 'blue', text: plainMessage('Blue') }
]

/** Each check whose order may contain nothing to compare, a plan without it, and one with it. */
const checks: [string, Run, object, object][] = [
  [
    'APN',
    (plan) =>
      runCheck(checkApn, {
        plan,
        configuration: () => ({ APN: 'internet.example' }),
        modem: () => ({ GSM_REG: '1', GPRS_REG: '1', IP: '10.0.0.7' })
      }),
    {},
    { apn: 'internet.example' }
  ],
  [
    'Bluetooth tags',
    (plan) => runCheck(checkBtTag, { plan, ...at({ label: 'bttag', btt_mac: mac, btt_battery: 92, btt_temp: 215 }) }),
    {},
    { macs: [mac] }
  ],
  [
    'temperature probes',
    (plan) => runCheck(checkTemperature, { plan, ...at({ ea_b: 548 }) }),
    {},
    { probes: [{ probe: 'b', minDegC: 15, maxDegC: 25 }] }
  ],
  [
    'tyres',
    (plan) =>
      runCheck(checkTyres, {
        plan,
        ...at({
          ecu_tires_psi: '000105',
          ecu_tires_tmp: '00031',
          ecu_tpms_warnings: '0000000',
          ecu_tpms_provision: '000201,0000000184512'
        })
      }),
    {},
    { wheels: [{ axle: 0, wheel: 0 }] }
  ],
  [
    'engine bus',
    (plan) =>
      runCheck(checkEngineBus, {
        plan,
        io: () => ({ TIG: true }),
        system: () => ({ hostname: `ft4-${benchImei}` }),
        engineBus: (ms) => ({
          isDetected: true,
          isEngineOn: true,
          isUpgrading: false,
          problem: null,
          parameters: [{ name: 'battery', description: 'battery' }],
          heardAgeS: 3,
          events: [
            {
              atMs: ms,
              ageS: 3,
              values: [{ name: 'battery', flag: 'T', meaning: message('engineBus.engineRuns'), value: 14_100 + ms }]
            }
          ],
          raw: { ms }
        })
      }),
    {},
    { parameters: ['battery'] }
  ],
  [
    'measurement',
    (plan) => runCheck(checkMeasurement, { plan: { instruction, unit: 'V', ...plan }, answer: typed(12.6) }),
    {},
    { min: 12 }
  ],
  [
    'question for a number',
    (plan) => runCheck(checkQuestion, { plan: { instruction, form: 'number', ...plan }, answer: typed(3) }),
    {},
    { max: 5 }
  ],
  [
    'question with a choice',
    (plan) =>
      runCheck(checkQuestion, {
        plan: { instruction, form: 'choice', choices, ...plan },
        answer: (_ms, { kind }) => (kind === 'choice' ? { choose: 'red' } : undefined)
      }),
    {},
    { choices: [choices[0], { ...choices[1], passes: false }] }
  ],
  [
    'camera',
    (plan) =>
      runCheck(checkCamera, {
        plan,
        answer: (_ms, { kind }) => (kind === 'picture' ? { answer: true } : undefined),
        photos: (_ms, captures) => ({ photos: captures === 0 ? [] : [picture] })
      }),
    {},
    { views: [{ source: 0 }] }
  ],
  [
    'key fob',
    (plan) =>
      runCheck(checkIButton, {
        plan,
        keys: [{ id: key, assetId: 7 }],
        assets: { 7: 'Ana Ruiz' },
        accessories: () => ({ events: [eventAt(-9_000, { aid: null }), eventAt(2_000, { aid: 7 })] })
      }),
    {},
    { ids: [key] }
  ],
  [
    'Wi-Fi',
    (plan) =>
      runCheck(checkWifi, {
        plan,
        wifi: () => ({ state: 'Completed', connected: true, ssid: 'Yard', ip: '10.0.0.2' })
      }),
    {},
    { ssid: 'Yard' }
  ],
  [
    'hotspot',
    (plan) => runCheck(checkHotspot, { plan, hotspot: () => ({ state: 'Enabled', ssid: 'FT4-13' }) }),
    {},
    { isOn: true }
  ],
  [
    'analog channels',
    (plan) => runCheck(checkAnalog, { plan, io: () => ({ AN1: 12_600, AN2: 20, DAN: 0 }) }),
    {},
    { channels: [{ channel: 'AN1', minMv: 11_000, maxMv: 15_000 }] }
  ]
]

describe('Without anything to compare', () => {
  it.each(checks)(
    '%s: received, and no value of it agrees; with an expectation: passed',
    async (name, run, without, ordered) => {
      const received = await run(without)
      expect(received.state, name).toBe('received')
      expect(received.rows?.filter((row) => row.wanted === null && row.verdict !== 'received') ?? []).toEqual([])
      const compared = await run(ordered)
      expect(compared.state, name).toBe('pass')
      expect(rowsInWords(compared.rows ?? []).filter(({ verdict }) => verdict === 'received')).toEqual([])
    }
  )

  it('a free text is received: any answer fits', async () => {
    expect(
      await runCheck(checkQuestion, { plan: { instruction, form: 'text' }, answer: typed('blue cable') })
    ).toMatchObject({ state: 'received', summary: 'blue cable', witness: ['person'] })
  })

  it('a pass needs a row that was compared', () => {
    const row = { label: plainMessage('x'), wanted: null, device: null, gateway: null }
    const passed = pass('Fine.', ['device'])
    expect(withRows([{ ...row, verdict: 'received' }], passed).state).toBe('received')
    expect(withRows([{ ...row, verdict: 'notOrdered' }], passed).state).toBe('received')
    expect(
      withRows(
        [
          { ...row, verdict: 'received' },
          { ...row, verdict: 'agrees' }
        ],
        passed
      ).state
    ).toBe('pass')
    expect(withRows([], passed).state).toBe('pass')
  })
})
