import { runLongForm } from './longForm.ts'

/** Whose job it is: every state of small worlds, each rule left out; 0 when all of it held. */
export function proveHolding(): number {
  const began = performance.now()
  const status = runLongForm(['test/unit/operations/holding.test.ts'], { FITTER_HOLDING: 'all' })
  process.stdout.write(`Holding: ${((performance.now() - began) / 1_000).toFixed(0)} s in all\n`)
  return status
}
