import { beforeEach, expect, test } from 'vitest'
import { createLineWindow } from '../../../../main/job/phonePage/lineWindow.ts'
import type { JobLines } from '../../../../preload/contract/job/jobs.ts'

let nowMs = 0
beforeEach(() => {
  nowMs = 0
})

const news = (more: Partial<JobLines>): JobLines => ({
  jobId: 'j',
  story: 's',
  since: null,
  mark: 100_000,
  nowMs: 100_000,
  fromMs: 0,
  readMs: 100_000,
  lines: [],
  gaps: [],
  voltages: [],
  pace: { everyMs: 250, longestMs: 300 },
  problem: null,
  lostForMs: null,
  ...more
})
const open = () => createLineWindow(() => nowMs)

test('shows the last 40 s of a line, as the time before now', () => {
  const window = open()
  expect(
    window.take(
      news({
        lines: [
          {
            name: 'IGN',
            changes: [
              [0, false],
              [50_000, true],
              [70_000, false],
              [90_000, true]
            ]
          }
        ]
      })
    )
  ).toBe(true)
  expect(window.parts('IGN')).toEqual([
    { fromMs: 40_000, toMs: 30_000, on: true },
    { fromMs: 30_000, toMs: 10_000, on: false },
    { fromMs: 10_000, toMs: 0, on: true }
  ])
  expect([window.isOn('IGN'), window.isOn('PWR'), window.parts('PWR')]).toEqual([true, null, []])
})

test('continues with the news, whatever was told twice, and wants all of it when something is missing', () => {
  const window = open()
  window.take(
    news({
      lines: [{ name: 'IGN', changes: [[90_000, true]] }],
      voltages: [{ name: 'AN1', points: [[99_000, 12_400, 12_500]] }]
    })
  )
  expect(
    window.take(
      news({
        since: 95_000,
        mark: 101_000,
        nowMs: 101_000,
        readMs: 101_000,
        lines: [
          {
            name: 'IGN',
            changes: [
              [90_000, true],
              [100_500, false]
            ]
          }
        ]
      })
    )
  ).toBe(true)
  expect(window.parts('IGN')).toEqual([
    { fromMs: 11_000, toMs: 500, on: true },
    { fromMs: 500, toMs: 0, on: false }
  ])
  expect(window.millivolts('AN1')).toBe(12_500)
  expect(window.take(news({ since: 102_000, mark: 103_000 }))).toBe(false)
  expect(window.take(news({ since: 101_000, mark: 102_000, story: 'another' }))).toBe(false)
})

test('a time without readings is never joined, and an unreadable line is no line', () => {
  const window = open()
  window.take(
    news({
      lines: [
        {
          name: 'IGN',
          changes: [
            [60_000, true],
            [95_000, null]
          ]
        }
      ],
      gaps: [[70_000, 80_000]]
    })
  )
  expect(window.parts('IGN')).toEqual([
    { fromMs: 40_000, toMs: 30_000, on: true },
    { fromMs: 30_000, toMs: 20_000, on: null },
    { fromMs: 20_000, toMs: 5_000, on: true },
    { fromMs: 5_000, toMs: 0, on: null }
  ])
})

test('ages grow while nothing is heard, and a silent device leaves a gap until now', () => {
  const window = open()
  expect([window.ageMs(), window.lostForMs()]).toEqual([null, null])
  window.take(news({ readMs: 99_600, lines: [{ name: 'IGN', changes: [[90_000, true]] }] }))
  nowMs = 300
  expect(window.ageMs()).toBe(700)
  nowMs = 5_000
  expect(window.parts('IGN')).toEqual([
    { fromMs: 15_000, toMs: 5_400, on: true },
    { fromMs: 5_400, toMs: 0, on: null }
  ])
  window.take(news({ since: 100_000, mark: 100_000, nowMs: 105_000, readMs: 99_600, lostForMs: 5_400 }))
  nowMs = 6_000
  expect([window.ageMs(), window.lostForMs()]).toEqual([6_400, 6_400])
})

test('older news changes nothing, and never makes the last reading look younger', () => {
  const window = open()
  window.take(news({ lines: [{ name: 'IGN', changes: [[90_000, true]] }] }))
  nowMs = 2_000
  expect(
    window.take(
      news({
        since: 90_000,
        mark: 95_000,
        nowMs: 95_000,
        readMs: 95_000,
        lostForMs: 1_000,
        lines: [{ name: 'IGN', changes: [[94_000, false]] }]
      })
    )
  ).toBe(true)
  expect([window.ageMs(), window.lostForMs(), window.isOn('IGN')]).toEqual([2_000, null, true])
})
