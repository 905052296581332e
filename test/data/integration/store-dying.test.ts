// @module-tag long
import { expect, test } from 'vitest'
import { noVerdict } from '../../proof/dying/judge.ts'
import { diskTroubles, kills, proveDying } from '../../proof/dying/prove.ts'
import { hasStrace } from '../../proof/powercut.ts'
import { canRun } from '../../world/data/requirement.ts'

test.runIf(canRun(hasStrace(), 'dying processes and disks need strace'))(
  'a process that is killed, or whose disk is full or fails at a call, loses nothing, halves nothing, doubles nothing at the gateway, and says nothing that is not so',
  { timeout: 720_000 },
  async () => {
    const seed = Date.now() % 1_000_000
    console.log(`seed ${seed}`)
    const proofs = await proveDying([kills, ...diskTroubles], { rounds: 1, sample: 3, seed, sideBySide: 2 })
    expect([...proofs.values()].map(({ points }) => points)).toEqual([3, 3, 3, 3])
    for (const { verdict } of proofs.values()) expect(verdict).toEqual(noVerdict())
  }
)
