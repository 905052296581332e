import { z } from 'zod'
import { numberOrNull, record, textOrNull } from './fields.ts'

/** `device` is unchanged: the document does not say whether it is an IMEI, a record or null for vehicles. */
export const vehicle = z.looseObject({
  id: z.number(),
  name: z.string().optional(),
  info: record.optional(),
  device: z.unknown().optional(),
  groups: z.array(z.unknown()).optional()
})
export type Vehicle = z.infer<typeof vehicle>

/** `GET /devices/:imei?select=ios_state`: false or true by line, `_epoch` in seconds. */
export const iosState = z.looseObject({
  io_pwr: z.boolean().optional(),
  io_ign: z.boolean().optional(),
  io_in1: z.boolean().optional(),
  io_in2: z.boolean().optional(),
  io_in3: z.boolean().optional(),
  io_out1: z.boolean().optional(),
  io_out2: z.boolean().optional(),
  io_out1_short: z.boolean().nullable().optional(),
  io_out2_short: z.boolean().nullable().optional(),
  io_exp_in1: z.boolean().optional(),
  io_exp_in2: z.boolean().optional(),
  io_exp_in3: z.boolean().optional(),
  io_exp_in4: z.boolean().optional(),
  io_exp_out1: z.boolean().optional(),
  io_exp_out2: z.boolean().optional(),
  io_exp_out3: z.boolean().optional(),
  io_exp_out4: z.boolean().optional(),
  io_exp_out1_short: z.boolean().nullable().optional(),
  io_exp_out2_short: z.boolean().nullable().optional(),
  io_exp_out3_short: z.boolean().nullable().optional(),
  io_exp_out4_short: z.boolean().nullable().optional(),
  io_exp_state: z.boolean().optional(),
  _epoch: z.number().optional()
})

/** Keyed by IMEI (a number). `latest`: last reported data in an undocumented shape. */
export const device = z.looseObject({
  imei: z.number(),
  ios_state: iosState.optional(),
  latest: record.nullable().optional()
})
export type Device = z.infer<typeof device>

/** `id` / `resource_id` is the API id; `iccid` the 20-digit id. */
export const sim = z.looseObject({
  id: z.number().optional(),
  resource_id: z.number().optional(),
  iccid: z.string().optional(),
  line_number: textOrNull.optional()
})
export type Sim = z.infer<typeof sim>

export const asset = z.looseObject({
  id: z.number(),
  name: z.string().optional(),
  type: z.string().optional(),
  info: record.optional(),
  ibuttons: z.array(z.string()).optional(),
  groups: z.array(z.number()).optional(),
  device: numberOrNull.optional(),
  counters: record.nullable().optional()
})
export type Asset = z.infer<typeof asset>

/** A vehicle or an asset (`GET /entities/:id`). */
export const entity = z.looseObject({ id: z.number(), name: z.string().optional(), info: record.optional() })

/** `id`: 16 letters and digits; `entity`: asset id. */
export const ibutton = z.looseObject({ id: z.string(), entity: numberOrNull.optional() })
