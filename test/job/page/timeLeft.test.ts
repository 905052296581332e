import { expect, it } from 'vitest'
import { ageText, leftText, timeLeft } from '../../../renderer/job/run/timeLeft.ts'

const offAtMs = Date.parse('2026-11-20T16:03:26.000Z')
const output = { out: 'OUT1', phase: 'effect', countdownMs: 3_000, offAt: new Date(offAtMs).toISOString() } as const

it('is the same whenever the news of it arrived: the end that the core names, in whole seconds', () => {
  for (const lateMs of [0, 40, 700]) {
    const heardAtMs = offAtMs - 43_200 + lateMs
    const left = timeLeft({ leftMs: 43_200, heardAtMs, output }, offAtMs - 42_999)
    expect(left).toEqual({ seconds: 43, atMs: offAtMs })
  }
})

it('and the clock add up to the time of the automatic Off at every moment of a second', () => {
  for (let agoMs = 0; agoMs < 1_000; agoMs += 50) {
    const nowMs = offAtMs - 43_000 + agoMs
    const seconds = timeLeft({ leftMs: 43_000 - agoMs, heardAtMs: nowMs, output }, nowMs)?.seconds ?? 0
    expect(Math.floor(nowMs / 1000) + seconds).toBe(offAtMs / 1000)
  }
})

it('follows the news where the clock of the core is another one, and is 0 only when it is over', () => {
  const far = { ...output, offAt: new Date(offAtMs + 60_000).toISOString() }
  expect(timeLeft({ leftMs: 5_000, heardAtMs: 1_000, output: far }, 1_400)).toEqual({ seconds: 5, atMs: 6_000 })
  expect(timeLeft({ leftMs: 5_000, heardAtMs: 1_000 }, 5_999)?.seconds).toBe(1)
  expect(timeLeft({ leftMs: 5_000, heardAtMs: 1_000 }, 6_000)?.seconds).toBe(0)
  expect(timeLeft({ leftMs: null, heardAtMs: 1_000 }, 6_000)).toBeNull()
})

it('is written as minutes and seconds; an age has tenths below one second', () => {
  expect(leftText({ seconds: 60 })).toBe('1:00')
  expect([20, 240, 990, 1_990, 8_900].map(ageText)).toEqual([
    '0.1 s ago',
    '0.2 s ago',
    '0.9 s ago',
    '1 s ago',
    '8 s ago'
  ])
})
