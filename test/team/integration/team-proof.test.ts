// @module-tag long
import { expect, it } from 'vitest'
import { proveTeam, wrongOf } from '../../proof/team/prove.ts'

it(
  'nothing is lost, doubled or broken in the team log whatever breaks, and every fork is found',
  { timeout: 360_000 },
  async () => {
    // Each kind once; `npm run proof -- team` is the long form.
    const proof = await proveTeam({ rounds: 10, seed: 13 })
    expect(wrongOf(proof)).toEqual([])
    expect(proof.entries).toBeGreaterThan(300)
    expect(proof.kinds.size + proof.leftOut.length).toBe(10)
  }
)
