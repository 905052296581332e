import { expect, test } from 'vitest'
import { countersSetGlobal, type CounterReports } from '../../../../main/gateway/waitingWork/kinds/counters.ts'

const payload = { vid: 7, vehicle: 'Unit 7', counter: 'dev_dist', unit: 'm', value: 100_000 }
const sinceMs = 1_000_000
const signal = new AbortController().signal

/** The counter of a gateway: what it shows a minute after the attempt, and what the device told since. */
function kindOf(value: number | null, reports: CounterReports, sent: number[] = []) {
  return countersSetGlobal({
    readCounter: () => Promise.resolve({ value, nowMs: sinceMs + 60_000, raw: null }),
    readReports: () => Promise.resolve(reports),
    setCounter: (_vid, _counter, amount) => Promise.resolve(void sent.push(amount)).then(() => null),
    createCounter: () => Promise.resolve(null),
    readUserCounters: () => Promise.resolve({ descriptions: [], raw: null }),
    findExact: (_kind, text) =>
      Promise.resolve(
        text === 'Unit 7'
          ? {
              kind: 'one',
              entity: { id: 7, name: 'Unit 7', plate: null, imei: null, kind: 'vehicle', assetType: null }
            }
          : { kind: 'none', similar: [] }
      )
  })
}

async function seen({
  shows,
  before = 5_000,
  reports,
  isAnswered = false
}: {
  shows: number | null
  before?: number | null
  reports: CounterReports
  isAnswered?: boolean
}): Promise<string> {
  return (
    await kindOf(shows, reports).look(payload, {
      baseline: { value: before, atMs: sinceMs - 1_000, counted: 0 },
      sinceMs,
      wording: 1,
      isAnswered,
      signal
    })
  ).seen
}

const none = { lastReportMs: null, counted: null, shown: null, raw: null }
const old = { ...none, lastReportMs: sinceMs - 1 }
const told = (counted: number | null, shown: number | null = null) => ({
  lastReportMs: sinceMs + 30_000,
  counted,
  shown,
  raw: { shown }
})

test.each([
  ['the value itself', { shows: 100_000, reports: none }, 'found'],
  ['what a minute of driving adds', { shows: 101_500, reports: told(1_500) }, 'found'],
  ['the same, where the events do not tell what was driven', { shows: 101_500, reports: told(null) }, 'found'],
  ['more than was driven', { shows: 106_000, reports: told(1_000) }, 'conflict'],
  ['the old value without a report since', { shows: 5_000, reports: old }, 'waiting'],
  ['the old value and no report at all', { shows: 5_000, reports: none }, 'waiting'],
  ['the old value after a report', { shows: 5_000, reports: told(0) }, 'absent'],
  ['the old value and what was driven', { shows: 8_000, reports: told(3_000) }, 'absent'],
  ['what somebody else set meanwhile', { shows: 700_000, reports: told(0) }, 'conflict'],
  ['another value where nobody knows the one before', { shows: 5_000, before: null, reports: told(0) }, 'conflict'],
  ['no such counter', { shows: null, reports: none }, 'unreadable']
] as const)('%s means %s', async (_, what, expected) => {
  expect(await seen(what)).toBe(expected)
})

test.each([
  ['without a report, the old value is no proof', { shows: 101_000, before: 101_000, reports: none }, 'waiting'],
  ['a vehicle that stood shows the old value', { shows: 101_000, before: 101_000, reports: told(0) }, 'absent'],
  ['what it drove tells the two apart', { shows: 102_500, before: 101_000, reports: told(1_500) }, 'absent'],
  [
    'where nobody knows what it drove, a person looks',
    { shows: 102_500, before: 101_000, reports: told(null) },
    'unreadable'
  ],
  [
    'where the gateway said that it took it, it is there',
    { shows: 102_500, before: 101_000, reports: told(null), isAnswered: true },
    'found'
  ]
] as const)('a counter that is set back by little: %s', async (_, what, expected) => {
  expect(await seen(what)).toBe(expected)
})

test.each([
  [
    'the event after the attempt shows it, and the counters are not asked',
    { shows: null, reports: told(1_500, 101_500), isAnswered: true },
    'found'
  ],
  [
    'an event from before says nothing',
    { shows: 5_000, reports: { ...old, shown: 100_000 }, isAnswered: true },
    'waiting'
  ],
  [
    'an event that shows another value is no verdict: the counters are asked',
    { shows: 100_000, reports: told(0, 5_000), isAnswered: true },
    'found'
  ],
  [
    'without an answer of the gateway the counters are asked',
    { shows: 5_000, reports: told(0, 100_000), isAnswered: false },
    'absent'
  ]
] as const)('what the gateway took: %s', async (_, what, expected) => {
  expect(await seen(what)).toBe(expected)
})

test('an accepted value is no proof', async () => {
  const sent: number[] = []
  expect(
    await kindOf(0, none, sent).send(payload, signal, {
      baseline: { value: 0, atMs: sinceMs, counted: 0 },
      isAgain: false
    })
  ).toMatchObject({ isAccepted: true, what: { id: 'operations.counterAccepted' } })
  expect(sent).toEqual([100_000])
})

test('what is sent again is carried forward by what the counter grew by since the vehicle was read', async () => {
  const sent: number[] = []
  await kindOf(8_000, told(3_000), sent).send(payload, signal, {
    baseline: { value: 5_000, atMs: sinceMs, counted: 0 },
    isAgain: true
  })
  expect(sent).toEqual([103_000])
})

test.each([
  ['as an event shows it', 8_000, null],
  ['as the counters show it, where the event shows another value', 700_000, 8_000]
])('what is sent again is carried forward %s', async (_, shown, value) => {
  const sent: number[] = []
  await kindOf(value, told(3_000, shown), sent).send(payload, signal, {
    baseline: { value: 5_000, atMs: sinceMs, counted: 0 },
    isAgain: true
  })
  expect(sent).toEqual([103_000])
})

test('what somebody else set meanwhile is not gone over', async () => {
  const sent: number[] = []
  const again = kindOf(700_000, told(3_000), sent).send(payload, signal, {
    baseline: { value: 5_000, atMs: sinceMs, counted: 0 },
    isAgain: true
  })
  await expect(again).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(sent).toEqual([])
})

test('what waited for hours is sent with what was driven since the vehicle was read', async () => {
  const sent: number[] = []
  const kind = kindOf(8_000, told(3_000), sent)
  const baseline = (await kind.baseline?.(payload, signal, sinceMs - 3_600_000)) ?? null
  expect(baseline).toEqual({ value: 5_000, atMs: sinceMs - 3_600_000, counted: 3_000 })
  await kind.send(payload, signal, { baseline, isAgain: false })
  expect(sent).toEqual([103_000])
})

test('a vehicle that was typed while the gateway was away is found before the counter is sent', async () => {
  const kind = kindOf(null, none)
  expect(await kind.finalise?.({ ...payload, vid: null }, signal)).toMatchObject({
    kind: 'ready',
    payload,
    key: 'counter:7:dev_dist'
  })
  expect(await kind.finalise?.({ ...payload, vid: null, vehicle: 'Unit' }, signal)).toMatchObject({
    kind: 'stuck',
    raw: { wanted: 'Unit' }
  })
  expect(await kind.finalise?.(payload, signal)).toMatchObject({ kind: 'ready', payload })
})
