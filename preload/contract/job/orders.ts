import { z } from 'zod'
import { defineCalls, nothing } from '../define.ts'
import { messageSchema } from '../base/messageSchema.ts'
import { orderItem } from './steps/index.ts'
import { tableEncoding, tableReading } from './tables.ts'

/** The order of a customer for one vehicle, which the checklist of a job follows. */
export const order = z.strictObject({
  reference: z.string().max(120).default(''),
  items: z.array(orderItem).max(100),
  vehicle: z.string().max(200).default(''),
  customer: z.string().max(120).default(''),
  notes: z.string().max(2_000).default('')
})
export type Order = z.infer<typeof order>

export const orderLine = z.object({
  /** Its first line in a table; null in JSON. */
  line: z.number().nullable(),
  /** Address or IMEI; empty when the file has none. */
  device: z.string(),
  template: z.string(),
  order
})
export type OrderLine = z.infer<typeof orderLine>

export const orderFinding = z.object({ line: z.number().nullable(), column: z.string(), what: messageSchema })
export type OrderFinding = z.infer<typeof orderFinding>

export const ordersCalls = defineCalls({
  /** Reads a file of orders: a table with one line for each item or each vehicle, or JSON. */
  'orders.read': {
    input: z.strictObject({ base64: z.base64().max(1_500_000), encoding: tableEncoding.optional() }),
    output: z.object({
      orders: z.array(orderLine),
      findings: z.array(orderFinding),
      /** How a table was read; null for JSON. */ reading: tableReading.nullable()
    })
  },
  /**
   * Replaces the order of the job: its steps follow. Throws INVALID_REQUEST after the sign-off, CONFLICT while a step
   * runs.
   */
  'orders.change': {
    input: z.strictObject({ id: z.string().min(1).max(40), order: order.nullable() }),
    output: nothing
  }
})
