import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startTimeLimit } from '../../../main/terminal/input/timeLimit.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the limit is reached once, when its time is over', () => {
  const reached = vi.fn()
  startTimeLimit(25_000, reached)
  vi.advanceTimersByTime(24_999)
  expect(reached).not.toHaveBeenCalled()
  vi.advanceTimersByTime(100_000)
  expect(reached).toHaveBeenCalledOnce()
})

test('the time in which a person thinks about a question does not count', () => {
  const reached = vi.fn()
  const limit = startTimeLimit(25_000, reached)
  vi.advanceTimersByTime(20_000)
  limit.pause()
  vi.advanceTimersByTime(3_600_000)
  limit.resume()
  vi.advanceTimersByTime(4_999)
  expect(reached).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(reached).toHaveBeenCalledOnce()
})

test('a command that has ended reaches no limit', () => {
  const reached = vi.fn()
  startTimeLimit(25_000, reached).stop()
  vi.advanceTimersByTime(100_000)
  expect(reached).not.toHaveBeenCalled()
})
