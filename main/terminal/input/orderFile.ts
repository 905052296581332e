import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { OrderLine } from '../../../preload/contract/job/orders.ts'
import { tableEncoding, type TableEncoding, type TableReading } from '../../../preload/contract/job/tables.ts'
import { mostFileBytes } from '../../../preload/contract/job/templates.ts'
import { readOrders } from '../../job/jobs/orders/readOrders.ts'
import type { Terminal } from '../output/terminal.ts'
import { usageError } from '../output/usage.ts'
import { readBounded } from './readBounded.ts'

export interface OrderFileOptions {
  terminal: Pick<Terminal, 'say'>
  /** The option --encoding. */
  encoding: string | undefined
}

/**
 * The orders of a file, with a line about how its table was read. Throws INVALID_REQUEST with the first finding, or if
 * its letters are unclear.
 */
export async function readOrderLines(file: string, { terminal, encoding }: OrderFileOptions): Promise<OrderLine[]> {
  const { orders, findings, reading } = await readOrders(readBounded(file, mostFileBytes), readEncoding(encoding))
  if (reading) sayReading(file, reading, terminal)
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

function readEncoding(given: string | undefined): TableEncoding | undefined {
  if (given === undefined) return undefined
  const read = tableEncoding.safeParse(given.toLowerCase())
  if (!read.success)
    throw usageError(message('terminal.takes', { what: '--encoding', choices: tableEncoding.options.join(', ') }))
  return read.data
}

function sayReading(
  file: string,
  { encoding, separator, skipped, n, notes, unclear }: TableReading,
  terminal: OrderFileOptions['terminal']
): void {
  if (unclear && encoding)
    throw new AppError(
      'INVALID_REQUEST',
      message('reading.encodingUnclear', {
        one: unclear.one,
        oneIn: encoding,
        other: unclear.other,
        otherIn: unclear.otherEncoding
      })
    )
  terminal.say(
    encoding === null || separator === null
      ? message('terminalBatch.readWorkbook', { file, n })
      : message('terminalBatch.read', { file, n, encoding, separator: separator === '\t' ? 'tab' : `“${separator}”` })
  )
  if (skipped.length > 0) terminal.say(message('terminalBatch.skipped', { n: skipped.length, text: skipped[0] ?? '' }))
  for (const note of notes) terminal.say(note)
}

/**
 * The wanted order of a file: the only one, or the one with this vehicle, reference or device. Throws INVALID_REQUEST.
 */
export async function readOrderFile(
  file: string,
  meant: readonly (string | undefined)[],
  options: OrderFileOptions
): Promise<OrderLine> {
  const orders = await readOrderLines(file, options)
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
