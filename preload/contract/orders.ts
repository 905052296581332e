import { z } from 'zod'
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
