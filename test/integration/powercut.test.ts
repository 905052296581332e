import { expect, test } from 'vitest'
import { hasStrace, provePowercuts } from '../proof/powercut.ts'
import { canRun } from '../support/requirement.ts'

test.runIf(canRun(hasStrace(), 'power cuts need strace'))('a power cut at any point loses nothing that was acknowledged and damages nothing', { timeout: 120_000 }, () => {
  const seed = Date.now() % 1_000_000
  const { events, states, acknowledged, lost, broken } = provePowercuts({ entries: 8, seed })
  console.log(`${events} events, ${states} states, seed ${seed}`)
  expect(acknowledged).toBe(8)
  expect(states).toBeGreaterThan(100)
  expect(lost).toEqual([])
  expect(broken).toEqual([])
})
