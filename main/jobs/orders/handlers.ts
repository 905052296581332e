import type { HandlersOf } from '../../../preload/contract/index.ts'
import type { Jobs } from '../jobs.ts'
import { readOrders } from './readOrders.ts'

/** The calls about what was ordered. */
export function createOrderHandlers(jobs: Jobs): HandlersOf<'orders'> {
  return {
    'orders.read': ({ base64 }) => readOrders(Buffer.from(base64, 'base64')),
    'orders.change': ({ id, order }) => {
      jobs.changeOrder(id, order)
      return {}
    }
  }
}
