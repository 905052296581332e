import { afterAll, vi } from 'vitest'

/** Files of tests share a process, one after the other: what one of them put in place of the clock or of a global does not reach the next. */
afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})
