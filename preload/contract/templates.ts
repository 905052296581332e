import { z } from 'zod'
import { jobKind } from './jobs.ts'
import { plug } from './jobSeen.ts'
import { templateStep } from './steps/index.ts'
import { templateText } from './steps/words.ts'

/** A checklist: which steps, in which order. Copied into each job that is made from it, so that a job keeps its version. */
export const template = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/).max(60),
  version: z.number().int().min(1),
  name: templateText,
  kind: jobKind,
  description: templateText,
  /** The plug of the device, where the checklist is for one. */
  plug: plug.optional(),
  /** Limits that differ from those of the profile: `{ "position": { "satellitesPass": 8 } }`. */
  thresholds: z.record(z.string(), z.record(z.string(), z.number())).optional(),
  steps: z.array(templateStep).min(1).max(100)
})
export type Template = z.infer<typeof template>
