import { z } from 'zod'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { order as orderSchema, type OrderFinding, type OrderLine } from '../../../../preload/contract/job/orders.ts'
import { mostFileBytes } from '../../../../preload/contract/job/templates.ts'
import type { TableEncoding, TableReading } from '../../../../preload/contract/job/tables.ts'
import { readTable, type Table } from '../../../base/reading/csvTable.ts'
import { readHandedJson } from '../checklists/readTemplateFile.ts'
import { schemaFindings } from '../checklists/schemaFindings.ts'
import { isOrderColumn, ordersOfTable } from './ordersOfTable.ts'

export interface ReadOrders {
  orders: OrderLine[]
  findings: OrderFinding[]
  /** How a table was read; null for JSON. */
  reading: TableReading | null
}

const jsonOrder = orderSchema.extend({
  device: z.string().max(255).default(''),
  template: z.string().max(60).default('')
})

/** Reads a table of orders as it is. Throws INVALID_REQUEST for any other file. */
export function readOrderTable(content: Uint8Array, encoding?: TableEncoding): Promise<Table> {
  return readTable(content, { knows: isOrderColumn, encoding })
}

/**
 * Reads a file of orders: JSON (an order, or a list of orders) or a table. Throws INVALID_REQUEST for any other file.
 */
export async function readOrders(content: Uint8Array, encoding?: TableEncoding): Promise<ReadOrders> {
  if (content.length > mostFileBytes)
    throw new AppError('INVALID_REQUEST', message('templates.file.tooLarge', { mostBytes: mostFileBytes }))
  const start = new TextDecoder().decode(content.subarray(0, 200)).trimStart()
  if (!/^[[{]/.test(start)) {
    const table = await readOrderTable(content, encoding)
    return { ...ordersOfTable(table), reading: table.reading }
  }
  const value = readHandedJson(new TextDecoder().decode(content))
  const parsed = (Array.isArray(value) ? value : [value]).map((one) => jsonOrder.safeParse(one))
  return {
    orders: parsed.flatMap(({ data }) => (data ? [asLine(data)] : [])),
    findings: parsed.flatMap(({ error }, index) =>
      schemaFindings(error?.issues ?? [], Array.isArray(value) ? [index] : []).map(({ path, what }) => ({
        line: null,
        column: path,
        what
      }))
    ),
    reading: null
  }
}

function asLine({ device, template, ...order }: z.infer<typeof jsonOrder>): OrderLine {
  return { line: null, device, template, order }
}
