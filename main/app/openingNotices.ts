import type { Notice } from '../../preload/contract/app.ts'
import { message } from '../../preload/contract/messages.ts'
import type { Store } from '../store/index.ts'

/** What a person should know of how the data folder was opened, until they have read it. */
export function openingNotices(store: Pick<Store, 'opening' | 'lossRecords'>): Notice[] {
  const { opening } = store
  const mended: Notice[] = opening.how === 'mended' ? [{ id: 'data-mended', level: 'info', text: message('damage.mended', { name: opening.aside }) }] : []
  const losses = store
    .lossRecords()
    .filter(({ readAt }) => readAt === null)
    .map(({ key, message: text }): Notice => ({ id: `loss-${key}`, level: 'warn', text, loss: key }))
  return [...losses, ...mended]
}
