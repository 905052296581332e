import { z } from 'zod'
import { textOrNull } from './fields.ts'

export const navscreenState = z.looseObject({ state: z.number().optional(), pending: z.number().optional() })

/** `time` in epoch milliseconds. */
export const navscreenMessages = z.looseObject({
  skip: z.number().optional(),
  set: z.number().optional(),
  total: z.number().optional(),
  data: z
    .array(
      z.looseObject({
        id: z.number().optional(),
        msg: z.string().optional(),
        type: textOrNull.optional(),
        user: textOrNull.optional(),
        time: z.number().optional(),
        imei: z.number().optional(),
        isread: z.boolean().nullable().optional(),
        deleted: z.boolean().nullable().optional(),
        update_time: z.unknown().optional()
      })
    )
    .optional()
})
