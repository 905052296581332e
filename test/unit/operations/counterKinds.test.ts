import { expect, test } from 'vitest'
import { countersSetGlobal, type CounterReading } from '../../../main/operations/kinds/counters.ts'

const payload = { vid: 7, vehicle: 'Unit 7', counter: 'dev_dist', unit: 'm', value: 100_000 }
const sinceMs = 1_000_000
const signal = new AbortController().signal

function look(reading: Partial<CounterReading>) {
  const kind = countersSetGlobal({
    readCounter: async () => ({ value: 5_000, lastReportMs: null, nowMs: sinceMs + 60_000, raw: null, ...reading }),
    setCounter: async () => null,
    createCounter: async () => null,
    readUserCounters: async () => ({ descriptions: [], raw: null })
  })
  return kind.look(payload, { baseline: null, sinceMs, wording: 1, signal })
}

test.each([
  ['the value itself', { value: 100_000 }, 'found'],
  ['what a minute of driving adds', { value: 101_500 }, 'found'],
  ['more than any vehicle drives in a minute', { value: 106_000, lastReportMs: sinceMs + 30_000 }, 'absent'],
  ['the old value without a report since', { value: 5_000, lastReportMs: sinceMs - 1 }, 'waiting'],
  ['the old value and no report at all', { value: 5_000, lastReportMs: null }, 'waiting'],
  ['the old value after a report', { value: 5_000, lastReportMs: sinceMs + 1 }, 'absent'],
  ['no such counter', { value: null }, 'unreadable']
] as const)('%s means %s', async (_, reading, seen) => {
  expect((await look(reading)).seen).toBe(seen)
})

test('an accepted value is no proof, and it is never sent again by itself', async () => {
  const kind = countersSetGlobal({
    readCounter: async () => ({ value: 0, lastReportMs: null, nowMs: 0, raw: null }),
    setCounter: async () => ({ status: 200 }),
    createCounter: async () => null,
    readUserCounters: async () => ({ descriptions: [], raw: null })
  })
  expect(await kind.send(payload, signal)).toMatchObject({ isAccepted: true, what: { id: 'operations.counterAccepted' } })
  expect(kind.resendWhenAbsent).toBe(false)
})
