import { z } from 'zod'
import { numberOrNull, textOrNull } from './fields.ts'

/** Answer to a command for the device: `oids` are the ids of the queued commands. */
export const commandAnswer = z.looseObject({
  msg: z.string().optional(),
  device_is_online: z.boolean().optional(),
  oids: z.array(z.number()).optional(),
  ts_message_id: z.number().optional(),
  job_message_id: z.number().optional()
})

/** `time` in epoch seconds. */
export const outputLogItem = z.looseObject({
  state: z.boolean().optional(),
  otype: textOrNull.optional(),
  out: z.number().optional(),
  user: textOrNull.optional(),
  time: z.number().optional()
})

export const ecuState = z.looseObject({
  protocol_name: textOrNull.optional(),
  protocol: z.unknown().optional(),
  upgrading: z.boolean().optional(),
  ecu_fw: numberOrNull.optional(),
  ecu_fw_full: textOrNull.optional(),
  detected: z.boolean().optional(),
  engineison: z.boolean().optional(),
  ecu_parameters_0: numberOrNull.optional(),
  ecu_parameters_1: numberOrNull.optional(),
  params_numbers: z.array(z.unknown()).optional(),
  /** [name, description] pairs; some descriptions state a divisor. */
  params: z.array(z.array(z.unknown())).optional(),
  _epoch: numberOrNull.optional(),
  ecu_updateepoch: numberOrNull.optional()
})
