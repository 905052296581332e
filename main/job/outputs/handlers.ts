import type { HandlersOf } from '../../../preload/contract/index.ts'
import type { Outputs } from './outputs.ts'

/** The calls about outputs that may be on. */
export function createOutputHandlers(outputs: Outputs): HandlersOf<'outputs'> {
  return {
    'outputs.ledger': () => ({ outputs: outputs.ledger() }),
    'outputs.switchOff': async ({ id }) => ({ outputs: await outputs.switchOff(id) }),
    'outputs.allOff': async () => ({ outputs: await outputs.allOff({ isAsked: true }) }),
    'outputs.confirmOff': async ({ id, reason }) => ({ outputs: await outputs.confirmOff(id, reason) })
  }
}
