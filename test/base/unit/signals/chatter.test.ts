import { expect, it } from 'vitest'
import { chatterOf as chatterOfLine } from '../../../../main/job/jobs/checks/inputLines.ts'
import { chatterOf } from '../../../../preload/base/signals/chatter.ts'
import { isChatter } from '../../../../renderer/base/instruments/charts/lanes/measure.ts'

it.each<[string, number[], ReturnType<typeof chatterOf>]>([
  ['nine changes in 5 s', [0, 1, 2, 3, 4, 5, 6, 7, 5_000], { changes: 9, forMs: 5_000 }],
  ['nine in a little more', [0, 1, 2, 3, 4, 5, 6, 7, 5_001], null],
  ['eight: four times on and off', [0, 1, 2, 3, 4, 5, 6, 7], null],
  ['one, then nine', [0, 6_000, 6_001, 6_002, 6_003, 6_004, 6_005, 6_006, 6_007, 6_008], { changes: 9, forMs: 8 }],
  ['none', [], null]
])('%s: the same for a step of a job and for a chart', (_what, timesMs, burst) => {
  expect(chatterOf(timesMs)).toEqual(burst)
  expect(
    chatterOfLine(
      timesMs.map((atMs, n) => ({ atMs, untilMs: Infinity, on: n % 2 === 0, readAt: '2026-11-20T09:00:00.000Z' }))
    )
  ).toEqual(burst)
  expect(isChatter(timesMs.map((atMs, n) => [atMs, n % 2 === 0]))).toBe(burst !== null)
})
