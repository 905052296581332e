// @module-tag long
import { expect, test } from 'vitest'
import { playLaptops } from '../../world/team/holding/laptops.ts'
import { teamsOfTest } from '../../world/team/teamsOfTest.ts'

/** So many random sequences, always the same ones; `npm run proof -- holding` plays hundreds of others. */
const runs = Number(process.env['FITTER_HOLDING_RUNS'] ?? 2)
const seed = Number(process.env['FITTER_HOLDING_SEED'] ?? 1)
/**
 * What once went wrong: a file that nobody took while somebody else took the job over, and work that the server was
 * told of too late.
 */
const found = [102, 306]

const { server } = teamsOfTest()

test(
  'whatever three laptops do with a job, each piece of its work is applied once, and nothing is lost',
  { timeout: 7_200_000 },
  async () => {
    for (const [at, one] of [...found, ...Array.from({ length: runs }, (_, run) => seed + run)].entries()) {
      const { harms, story } = await playLaptops(server(), `Team ${String(at)}`, one)
      expect(harms, `seed ${String(one)}\n${story.join('\n')}`).toEqual([])
    }
  }
)
