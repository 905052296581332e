import { z } from 'zod'
import { record, textOrNull } from './fields.ts'

/** `POST /login`: `auth` is the token. */
export const loginAnswer = z.looseObject({
  message: z.string().optional(),
  app: textOrNull.optional(),
  auth: z.string()
})

/** `expires` in seconds. */
export const sessionRecord = z.looseObject({
  origin: z.string().optional(),
  scopes: z.string().optional(),
  app: z.string().optional(),
  expires: z.number().optional(),
  token: z.string().optional(),
  app_scheme: z.string().optional(),
  scheme: z.string().optional()
})
export type SessionRecord = z.infer<typeof sessionRecord>

export const sessionList = z.looseObject({
  tokens: z.array(sessionRecord).optional(),
  session: sessionRecord.optional()
})

export const receiverToken = z.looseObject({
  origin: z.string().optional(),
  app: z.string().optional(),
  token: z.string().optional(),
  app_scheme: z.string().optional(),
  scheme: z.string().optional()
})

export const receiverStream = z.looseObject({
  size: z.number().optional(),
  items: z
    .array(
      z.looseObject({
        body: z.string().optional(),
        url: z.string().optional(),
        headers: z.string().optional(),
        time: z.string().optional(),
        method: z.string().optional(),
        remote_ip: z.string().optional()
      })
    )
    .optional()
})

/** Times in epoch seconds. `scopes`: scope name to `r` or `w`. */
export const user = z.looseObject({
  id: z.number(),
  username: z.string().optional(),
  email: z.string().optional(),
  first_name: textOrNull.optional(),
  last_name: textOrNull.optional(),
  phone: textOrNull.optional(),
  is_superuser: z.boolean().optional(),
  is_active: z.boolean().optional(),
  is_staff: z.boolean().optional(),
  scopes: z.record(z.string(), z.string()).optional(),
  groups: z.array(z.number()).optional(),
  prefs: record.optional(),
  last_login: z.number().optional(),
  date_joined: z.number().optional(),
  __updated: z.number().optional()
})

export const group = z.looseObject({ id: z.number(), name: z.string().optional() })
export type Group = z.infer<typeof group>
