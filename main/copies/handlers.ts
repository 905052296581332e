import type { HandlersOf } from '../../preload/contract/index.ts'
import type { Copies } from './copies.ts'

/** One line for each call about what is kept of the gateway. */
export function createCopyHandlers(copies: Copies): HandlersOf<'copies'> {
  return {
    'copies.status': () => copies.status(),
    'copies.refresh': () => copies.refresh(),
    'copies.stop': () => copies.hold()
  }
}
