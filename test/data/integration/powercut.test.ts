// @module-tag long
import { expect, test } from 'vitest'
import { hasStrace, provePowercuts } from '../../proof/powercut.ts'
import { canRun } from '../../world/data/requirement.ts'

const canCut = canRun(hasStrace(), 'power cuts need strace')

test.runIf(canCut)(
  'a power cut at any point loses nothing that was acknowledged and damages nothing',
  { timeout: 360_000 },
  () => {
    const seed = Date.now() % 1_000_000
    const { events, states, acknowledged, lost, broken } = provePowercuts({ rounds: 2, seed, share: 0.12 })
    console.log(`${events} events, ${states} states, seed ${seed}`)
    expect(acknowledged).toBe(6)
    expect(states).toBeGreaterThan(100)
    expect(lost).toEqual([])
    expect(broken).toEqual([])
  }
)

test.runIf(canCut)('a writer that does not wait for the disk is found out', { timeout: 360_000 }, () => {
  expect(provePowercuts({ rounds: 2, seed: 1, synchronous: 'normal' }).lost).not.toEqual([])
})
