import type { Handlers } from '../../preload/contract/index.ts'
import type { ToleranceDesk } from './tolerances.ts'

/** What a person changes of the measures of the two-witness table. */
export function createToleranceHandlers(tolerances: ToleranceDesk): Pick<Handlers, 'diagnosis.tolerances' | 'diagnosis.setTolerance' | 'diagnosis.resetTolerances'> {
  return {
    'diagnosis.tolerances': () => tolerances.list(),
    'diagnosis.setTolerance': ({ id, value }) => tolerances.set(id, value),
    'diagnosis.resetTolerances': () => tolerances.reset()
  }
}
