import { runLongForm } from './longForm.ts'

/**
 * Every kind of gateway work through every network outcome, crash point and cache; each rule left out; and so many
 * random sequences. `isDaily`: of the cases only those of the daily tests. A counterexample is printed with its seed,
 * made as small as it goes, and belongs into the tests.
 */
export function proveOperations(runs: number, seed: number, isDaily: boolean): number {
  const began = performance.now()
  const files = ['matrix', 'live', 'rules', 'sequences'].map(
    (name) => `test/gateway/integration/operations-${name}.test.ts`
  )
  const env = {
    ...(isDaily ? {} : { FITTER_OPERATIONS: 'all' }),
    FITTER_OPERATIONS_RUNS: String(runs),
    FITTER_OPERATIONS_SEED: String(seed),
    FITTER_OPERATIONS_SHRINK: 'yes'
  }
  const status = runLongForm(files, env, ['--maxWorkers', '2'])
  process.stdout.write(
    `Operations: ${((performance.now() - began) / 1_000).toFixed(0)} s in all, ${String(runs)} sequences, seed ${String(seed)}\n`
  )
  return status
}
