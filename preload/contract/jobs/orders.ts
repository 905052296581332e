import { z } from 'zod'
import { defineCalls, nothing } from '../define.ts'
import { messageSchema } from '../messageSchema.ts'
import { orderItem } from './steps/index.ts'

/** What a customer ordered for one vehicle: the checklist of a job follows it. */
export const order = z.strictObject({
  /** The customer's own number for it. */
  reference: z.string().max(120).default(''),
  items: z.array(orderItem).max(100),
  vehicle: z.string().max(200).default(''),
  customer: z.string().max(120).default(''),
  notes: z.string().max(2_000).default('')
})
export type Order = z.infer<typeof order>

/** An order of a file, with the device and the checklist that the file names for it. */
export const orderLine = z.object({
  /** Where it begins in a table; null in JSON. */
  line: z.number().nullable(),
  /** Address or IMEI; empty where the file does not say. */
  device: z.string(),
  template: z.string(),
  order
})
export type OrderLine = z.infer<typeof orderLine>

/** Something in a file of orders that cannot be read, and where. */
export const orderFinding = z.object({ line: z.number().nullable(), column: z.string(), what: messageSchema })
export type OrderFinding = z.infer<typeof orderFinding>

export const ordersCalls = defineCalls({
  /** Reads a file of orders: a table with one line for each thing or each vehicle, or JSON. */
  'orders.read': {
    input: z.strictObject({ base64: z.base64().max(1_500_000) }),
    output: z.object({ orders: z.array(orderLine), findings: z.array(orderFinding) })
  },
  /** The job has another order from now on: its steps follow. Throws INVALID_REQUEST once it is signed, CONFLICT while a step runs. */
  'orders.change': { input: z.strictObject({ id: z.string().min(1).max(40), order: order.nullable() }), output: nothing }
})
