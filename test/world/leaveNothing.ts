import { afterAll, expect, vi } from 'vitest'

/**
 * Files of tests share a process, one after the other: what one of them put in place of the clock or of a global does
 * not reach the next.
 */
afterAll(() => {
  // What was put in place of a fake clock gives that clock back: so this first.
  vi.restoreAllMocks()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  // A fake clock has its own mark. In a file that follows, nothing that waits would ever end.
  expect(
    [setTimeout, setInterval, Date].filter((one) => 'clock' in one).map(({ name }) => name),
    'still of a fake clock'
  ).toEqual([])
})
