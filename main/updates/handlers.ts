import type { HandlersOf } from '../../preload/contract/index.ts'
import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'
import type { Updates } from './updates.ts'

/** Commands and opened support bundles have none. */
export function createUpdateHandlers(updates: Updates | undefined): HandlersOf<'updates'> {
  function own(): Updates {
    if (updates === undefined) throw new AppError('INVALID_REQUEST', message('app.onlyInWindow'))
    return updates
  }
  return {
    'updates.get': () => own().state(),
    'updates.check': () => own().check(),
    'updates.download': () => own().download(),
    'updates.install': () => own().install(),
    'updates.later': () => own().later()
  }
}
