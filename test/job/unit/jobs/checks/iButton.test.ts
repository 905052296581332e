import { describe, expect, it } from 'vitest'
import { checkIButton } from '../../../../../main/job/jobs/checks/iButton.ts'
import {
  accessoryFields,
  eventAt,
  rowsInWords,
  runCheck,
  type Surroundings
} from '../../../../world/device/checkBench.ts'

// Asset 5 owns the ordered key, asset 6 another one.
const [key, otherKey] = ['A1B2C3D4E5F60718', 'FFFFFFFFFFFF0001']
const keys = [
  { id: key, assetId: 5 },
  { id: otherKey, assetId: 6 }
]
const nobody = eventAt(-9_000, { aid: null })
const run = (events: object[], more: Surroundings & { plan?: object } = {}, fields = accessoryFields) =>
  runCheck(checkIButton, {
    plan: { ids: [key.toLowerCase()] },
    keys,
    assets: { 5: 'Driver One', 6: 'Driver Two' },
    accessories: () => ({ events, fields }),
    ...more
  })

describe('A key', () => {
  it('passes when its owner comes back in an event of after the tap', async () => {
    const { state, summary, rows, saw } = await run([nobody, eventAt(2_000, { aid: 5 })])
    expect({ state, summary }).toEqual({ state: 'pass', summary: "The vehicle's events name Driver One" })
    expect(rowsInWords(rows)).toMatchObject([
      { label: key.toLowerCase(), wanted: 'Driver One', gateway: 'Driver One', verdict: 'agrees' }
    ])
    expect(saw).toMatchObject([{ witness: 'gateway', what: 'An event names Driver One', raw: { aid: 5 } }])
  })

  it.each<[string, object[], string]>([
    [
      'its owner was there already',
      [eventAt(-9_000, { aid: 5 }), eventAt(2_000, { aid: 5 })],
      'No event of the vehicle names a key owner'
    ],
    ['nobody knows who was there', [eventAt(2_000, { aid: 5 })], 'No event of the vehicle names a key owner'],
    [
      'its owner was there, with an event between that names nobody',
      [eventAt(-9_000, { aid: 5 }), nobody, eventAt(2_000, { aid: 5 })],
      'No event of the vehicle names a key owner'
    ],
    ["somebody else's key was held", [nobody, eventAt(2_000, { aid: 6 })], 'Someone else’s key was used: Driver Two'],
    [
      'a key was held that nobody registered',
      [nobody, eventAt(2_000, { label: 'ibutton', aid: null })],
      'The gateway does not know the key that was used'
    ],
    ['nothing was held', [nobody, eventAt(2_000, { aid: null })], 'No event of the vehicle names a key owner']
  ])('does not pass when %s', async (_what, events, summary) => {
    expect(await run(events)).toMatchObject({ state: 'fail', summary })
  })

  it('whose owner comes back as a text cannot be judged', async () => {
    expect(await run([nobody, eventAt(2_000, { aid: '5' })])).toMatchObject({
      state: 'unreadable',
      summary: 'The field aid cannot be read'
    })
  })

  it('of an owner who was there already passes by a new entry of the history alone', async () => {
    const links = (ms: number) => ms >= 3_000
    expect(await run([eventAt(-9_000, { aid: 5 }), eventAt(2_000, { aid: 5 })], { links })).toMatchObject({
      state: 'pass',
      tookMs: 3_000
    })
  })

  it('that is not ordered may be any that is registered, and is received', async () => {
    expect(await run([nobody, eventAt(2_000, { aid: 6 })], { plan: {} })).toMatchObject({
      state: 'received',
      summary: "The vehicle's events name Driver Two"
    })
  })

  it('that nobody registered is named at once, and can be registered here', async () => {
    const unknown = { plan: { ids: ['0000000000000009'] } }
    const answer =
      (text: string): Surroundings['answer'] =>
      (_ms, { kind }) =>
        kind === 'choose' ? { choose: text } : undefined
    expect(await run([nobody], { ...unknown, answer: answer('') })).toMatchObject({
      state: 'fail',
      summary: 'Key 0000000000000009 is not registered at the gateway',
      asked: [
        'Who owns key 0000000000000009? Enter the driver’s or asset’s name or id; leave the field empty if you do not know.'
      ]
    })
    const registered = await run([nobody, eventAt(2_000, { aid: 5 })], { ...unknown, answer: answer('Driver One') })
    expect(registered).toMatchObject({ state: 'pass', summary: "The vehicle's events name Driver One" })
    expect(registered.added).toEqual([{ jobId: 'job', id: '0000000000000009', assetId: 5, assetName: 'Driver One' }])
  })

  it('is not blamed where nobody may see keys or owners', async () => {
    expect(await run([nobody], { keys: null })).toMatchObject({
      state: 'fail',
      summary: 'This user may not see the registered keys'
    })
    expect(await run([nobody, eventAt(2_000, {})], {}, ['label'])).toMatchObject({
      state: 'unreadable',
      summary: 'This gateway does not report aid, so it cannot be verified'
    })
  })
})
