import { runLongForm } from './longForm.ts'

/**
 * Whose job it is: every state of small worlds, each rule left out; then so many random sequences of three laptops with
 * real data folders and a real server. `isDaily`: of the worlds only those of the daily tests. 0 when all of it held.
 */
export function proveHolding(runs: number, seed: number, isDaily: boolean): number {
  const began = performance.now()
  const status = runLongForm(
    [
      'test/gateway/unit/waitingWork/holding.test.ts',
      'test/team/integration/team-holding-random.test.ts',
      'test/team/integration/team-server-apart.test.ts'
    ],
    {
      ...(isDaily ? {} : { FITTER_HOLDING: 'all' }),
      FITTER_HOLDING_RUNS: String(runs),
      FITTER_HOLDING_SEED: String(seed)
    },
    ['--maxWorkers', '2']
  )
  process.stdout.write(
    `Holding: ${((performance.now() - began) / 1_000).toFixed(0)} s in all, ${String(runs)} sequences, seed ${String(seed)}\n`
  )
  return status
}
