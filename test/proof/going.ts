import { runLongForm } from './longForm.ts'

/** Every kind of step in so many random orders; in every second something runs, a person is asked, or a wait is named. */
export function proveGoing(runs: number, seed: number): number {
  const env = { FITTER_GOING_RUNS: String(runs), FITTER_GOING_SEED: String(seed) }
  return runLongForm(['test/job/unit/jobs/engine/goingOnOrders.test.ts'], env)
}
