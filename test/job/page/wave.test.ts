import { expect, it } from 'vitest'
import { wavePath } from '../../../renderer/job/run/evidence/wave.ts'

const box = { nowMs: 60_000, windowMs: 20_000, width: 100, height: 22 }

it('draws nothing before the first known value', () => {
  expect(wavePath([], box)).toBe('')
  expect(wavePath([[50_000, false]], box)).toBe('M50.0 21H100')
})

it('rises where the line went on, and keeps what it was before', () => {
  expect(
    wavePath(
      [
        [10_000, false],
        [45_000, true],
        [50_000, false]
      ],
      box
    )
  ).toBe('M0.0 21H25.0V1H50.0V21H100')
})

it('leaves out what has not happened yet by its own clock', () => {
  expect(
    wavePath(
      [
        [10_000, true],
        [61_000, false]
      ],
      box
    )
  ).toBe('M0.0 1H100')
})

it('joins nothing over a time in which the line could not be read', () => {
  expect(
    wavePath(
      [
        [10_000, true],
        [45_000, null],
        [50_000, true]
      ],
      box
    )
  ).toBe('M0.0 1H25.0M50.0 1H100')
})
