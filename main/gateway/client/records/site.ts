import { z } from 'zod'
import { textOrNull } from './fields.ts'

/** `GET {base_url}`. `live-url` in the earlier revision, `live_url` in the later one. */
export const versionRecord = z.looseObject({
  date: z.string().optional(),
  'live-url': z.string().optional(),
  live_url: z.string().optional(),
  tag: z.string().optional(),
  name: z.string().optional(),
  domain: z.string().optional(),
  gateway_id: z.number().optional(),
  _deprecated: z.array(z.string()).optional()
})

/** `GET /tz`. */
export const timeZones = z.looseObject({ server_utc_epoch: z.number(), allowed: z.array(z.string()).optional() })

export const messageAnswer = z.looseObject({ message: z.string().optional() })

/** `en` and `es`: `<short description>:<long description>`. */
export const label = z.looseObject({
  label: z.string().optional(),
  en: textOrNull.optional(),
  es: textOrNull.optional(),
  created_at: textOrNull.optional(),
  edited_at: textOrNull.optional()
})
export type Label = z.infer<typeof label>

export const labels = z.record(z.string(), label)
export type Labels = z.infer<typeof labels>
