import { describe, expect, it } from 'vitest'
import { checkBtTag } from '../../../../../main/job/jobs/checks/btTag.ts'
import { AppError } from '../../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../../preload/contract/messages.ts'
import {
  accessoryFields,
  eventAt,
  rowsInWords,
  runCheck,
  type Surroundings
} from '../../../../world/device/checkBench.ts'

// The quick profile: battery from 20 %, -20 to 45 degrees, 20 s in all; what is wrong counts after half of it.
const [mine, theirs] = ['A4C138001122', 'A4C138009999']
const tag = (mac: string, more: object = {}) => ({
  label: 'bttag',
  btt_mac: mac,
  btt_battery: 92,
  btt_temp: 215,
  ...more
})
const run = (accessories: Surroundings['accessories'], plan: object = { macs: ['a4:c1:38:00:11:22'] }) =>
  runCheck(checkBtTag, { plan, ...(accessories && { accessories }) })

describe('A Bluetooth tag', () => {
  it('passes when the vehicle heard it since the step began, with battery and temperature in range', async () => {
    const heard = await run((ms) => ({ events: ms < 3_000 ? [eventAt(ms, {})] : [eventAt(2_000, tag(mine))] }))
    expect(heard).toMatchObject({ state: 'pass', summary: `Received: ${mine}`, witness: ['gateway'], tookMs: 3_000 })
    expect(rowsInWords(heard.rows)).toEqual([
      {
        label: mine,
        wanted: 'battery at least 20 %, −20 °C to 45 °C',
        device: null,
        gateway: 'battery 92 %, 21.5 °C',
        verdict: 'agrees'
      }
    ])
    expect(heard.saw).toMatchObject([
      {
        witness: 'gateway',
        what: `Tag ${mine} was received after 2 s`,
        raw: { btt_mac: mine },
        thresholds: { batteryPercent: 20, minDegC: -20, maxDegC: 45 }
      }
    ])
  })

  it('warns where the gateway tells a voltage of its battery, which says not how full it is', async () => {
    const heard = await run((ms) => ({ events: ms < 3_000 ? [] : [eventAt(2_000, tag(mine, { btt_battery: 2_980 }))] }))
    expect(heard).toMatchObject({
      state: 'warn',
      summary: `Received: ${mine}. The gateway tells the battery of ${mine} in millivolts, so how full it is was not compared`
    })
    expect(rowsInWords(heard.rows)).toMatchObject([{ gateway: 'battery 2.98 V, 21.5 °C', verdict: 'notExposed' }])
  })

  it.each<[string, object]>([
    ['was heard before the step began', eventAt(-10_000, tag(mine))],
    [
      'was heard before it began, and arrived after it',
      { ...eventAt(-10_000, tag(mine)), system_epoch: eventAt(5_000, {}) }
    ],
    ['belongs to an event of another device', { ...eventAt(1_000, tag(mine)), device_id: 356307042441013 }],
    [
      'has the time of a clock that runs ahead',
      { ...eventAt(3_600_000, tag(mine)), system_epoch: (eventAt(1_000, {}) as { system_epoch: number }).system_epoch }
    ]
  ])('does not pass when it %s', async (_what, event) => {
    expect(await run((ms) => ({ events: [event, eventAt(ms, {})] }))).toMatchObject({
      state: 'fail',
      summary: `Not received: ${mine}`,
      tookMs: 20_000
    })
  })

  it.each<[string, object, string, string]>([
    ['its battery is low', { btt_battery: 19 }, 'fail', `The battery of tag ${mine} is at 19 % (minimum 20 %)`],
    [
      'it measures more than it should',
      { btt_temp: 450.1 },
      'unreadable',
      `Tag ${mine} was received, but its battery or its temperature cannot be read`
    ],
    [
      'it is too cold',
      { btt_temp: -205 },
      'unreadable',
      `Tag ${mine} was received, but its battery or its temperature cannot be read`
    ],
    ['it is colder than ordered', { btt_temp: 15 }, 'fail', `Tag ${mine} measures 1.5 °C (expected 2 °C to 45 °C)`],
    [
      'its battery is a text',
      { btt_battery: '92' },
      'unreadable',
      `Tag ${mine} was received, but its battery or its temperature cannot be read`
    ],
    [
      'its temperature is missing',
      { btt_temp: null },
      'unreadable',
      `Tag ${mine} was received, but its battery or its temperature cannot be read`
    ],
    ['its address is a number', { btt_mac: 7 }, 'unreadable', 'The field btt_mac cannot be read']
  ])('does not pass when %s', async (_what, fields, state, summary) => {
    expect(await run(() => ({ events: [eventAt(0, tag(mine, fields))] }), { macs: [mine], minDegC: 2 })).toMatchObject({
      state,
      summary
    })
  })

  it('of nobody is told beside those that were ordered', async () => {
    const { state, summary, rows } = await run(() => ({ events: [eventAt(0, tag(theirs)), eventAt(0, tag(mine))] }))
    expect({ state, summary }).toEqual({
      state: 'pass',
      summary: `Received: ${mine}. Received, but not ordered: ${theirs}`
    })
    expect(rowsInWords(rows).map(({ label, verdict }) => [label, verdict])).toEqual([
      [mine, 'agrees'],
      [theirs, 'notOrdered']
    ])
  })

  it('that nobody ordered is received, and compared by the person: it may be of the vehicle beside this one', async () => {
    const near = () => ({ events: [eventAt(0, tag(theirs))] })
    const remedy = 'No tags were ordered. Compare these addresses with the labels of the tags that you fitted.'
    expect(await run(near, {})).toMatchObject({ state: 'received', summary: `Received: ${theirs}`, remedy })
    expect(await run(near, { minDegC: 2 })).toMatchObject({ state: 'warn', remedy })
    expect(await run((ms) => ({ events: [eventAt(ms, {})] }), {})).toMatchObject({
      state: 'fail',
      summary: 'No tag was received'
    })
  })

  it('is not blamed where nobody could hear of it', async () => {
    const gone = new AppError('UNREACHABLE', plainMessage('Gone.'), { fate: 'away' })
    expect(await run(() => gone)).toMatchObject({ state: 'deferred' })
    expect(await run(() => ({ events: [] }))).toMatchObject({
      state: 'unreadable',
      summary: 'No event of this device has reached the gateway since the step began'
    })
    expect(await run(() => ({ events: [{ ...eventAt(1_000, tag(mine)), device_id: 356307042441013 }] }))).toMatchObject(
      { state: 'unreadable' }
    )
    expect(
      await run(() => ({ events: [eventAt(0, {})], fields: accessoryFields.filter((field) => field !== 'btt_mac') }))
    ).toMatchObject({
      state: 'unreadable',
      summary: 'This gateway does not report btt_mac, so it cannot be verified',
      tookMs: 0
    })
  })
})
