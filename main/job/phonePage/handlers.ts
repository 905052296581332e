import type { HandlersOf } from '../../../preload/contract/index.ts'
import type { PhonePages } from './phonePages.ts'

/** The calls about the page of a job on a phone. */
export function createPhoneHandlers(pages: PhonePages): HandlersOf<'phone'> {
  return {
    'phone.state': () => pages.state(),
    'phone.start': ({ jobId, cardId }) => pages.start(jobId, cardId),
    'phone.stop': () => pages.stop()
  }
}
