import { runLongForm } from './longForm.ts'

/** Handing over and taking over, with a process that dies at every instant of both; 0: work was always in one place. */
export function proveTransfers(): number {
  return runLongForm(['test/job/unit/jobs/handover'], { FITTER_TRANSFER_EVERY: '1' })
}
