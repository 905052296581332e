import { runLongForm } from './longForm.ts'

/** Support bundles with anything changed in them, thousands of times, beside the table of attacks. */
export function proveBundles(runs: number, seed: number): number {
  return runLongForm(
    ['test/support/unit/diagnosis/bundles/fuzz.test.ts', 'test/support/unit/diagnosis/bundles/hostile.test.ts'],
    {
      FUZZ_RUNS: String(runs),
      FUZZ_SEED: String(seed)
    }
  )
}
