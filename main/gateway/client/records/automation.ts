import { z } from 'zod'
import { record, textOrNull } from './fields.ts'

export const trigger = z.looseObject({
  id: z.number().optional(),
  name: textOrNull.optional(),
  description: textOrNull.optional(),
  type: z.string().optional(),
  category: z.string().optional(),
  timezone: textOrNull.optional(),
  rules: z
    .array(z.looseObject({ id: z.string().optional(), key: textOrNull.optional(), operator: z.string().optional() }))
    .optional(),
  postfix: z.array(z.string()).optional(),
  groups: z.unknown().optional(),
  vehicles: z.array(z.number()).optional(),
  options: record.optional(),
  processes: z.array(z.unknown()).optional()
})
export type Trigger = z.infer<typeof trigger>

export const triggerStructure = z.looseObject({ structure: record })

export const task = z.looseObject({
  id: z.number().optional(),
  name: textOrNull.optional(),
  processes: z.array(z.unknown()).optional(),
  schedule: z.unknown().optional()
})

export const reportJob = z.looseObject({
  id: z.union([z.number(), z.string()]),
  engine: textOrNull.optional(),
  transaction: z.unknown().optional(),
  name: textOrNull.optional(),
  script: textOrNull.optional(),
  created_at: z.unknown().optional(),
  expires: z.unknown().optional(),
  state: z.string().optional(),
  params: z.unknown().optional(),
  result: z
    .looseObject({ files: z.array(z.string()).optional(), error: textOrNull.optional() })
    .nullable()
    .optional(),
  done_at: z.unknown().optional(),
  owner: z.unknown().optional(),
  progress: z.unknown().optional(),
  cache_key: z.unknown().optional()
})

export const engineManifest = z.looseObject({
  definitions: record.optional(),
  scripts: z.array(z.looseObject({})).optional()
})
