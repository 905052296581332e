import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { OrderLine } from '../../../preload/contract/jobs/orders.ts'
import { mostFileBytes } from '../../../preload/contract/jobs/templates.ts'
import { readOrders } from '../../jobs/orders/readOrders.ts'
import { readBounded } from './readBounded.ts'

/** The orders of a file. Throws INVALID_REQUEST with the first finding. */
export function readOrderLines(file: string): OrderLine[] {
  const { orders, findings } = readOrders(readBounded(file, mostFileBytes))
  const [finding] = findings
  if (finding) {
    const { line, column, what } = finding
    throw new AppError(
      'INVALID_REQUEST',
      line === null
        ? message('orders.wrongAt', { file, column, what })
        : message('orders.wrongAtLine', { file, line, column, what })
    )
  }
  return orders
}

/** The wanted order of a file: the only one, or the one with this vehicle, reference or device. Throws INVALID_REQUEST. */
export function readOrderFile(file: string, meant: readonly (string | undefined)[]): OrderLine {
  const orders = readOrderLines(file)
  const names = ({ order, device }: OrderLine) => [order.reference, order.vehicle, device].filter((name) => name !== '')
  const fitting = orders.length === 1 ? orders : orders.filter((one) => names(one).some((name) => meant.includes(name)))
  const [only] = fitting
  if (only && fitting.length === 1) return only
  throw new AppError(
    'INVALID_REQUEST',
    message(orders.length === 0 ? 'orders.none' : 'orders.severalInFile', {
      file,
      known: orders.map((one) => names(one)[0] ?? '')
    })
  )
}
