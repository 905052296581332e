import { z } from 'zod'
import { jobKind, stepKind } from '../../preload/contract/jobs.ts'
import { plug } from '../../preload/contract/jobSeen.ts'
import { storedMessage } from '../../preload/contract/messageSchema.ts'

export const outputLine = z.enum(['OUT1', 'OUT2', 'OUT3', 'OUT4'])

export const templateStep = z.strictObject({
  id: z.string(),
  kind: stepKind,
  title: storedMessage,
  /** The title in one word, for where there is little room. */
  short: storedMessage.optional(),
  instruction: storedMessage,
  /** `output` steps: the line, unless the person chooses another. */
  output: outputLine.optional(),
  /** `output` steps: the relay acts on the starter or may do so, therefore the engine must be off. */
  engineOff: z.boolean().optional(),
  /** `output` steps: what the person must see while the output is on. */
  effectQuestion: storedMessage.optional(),
  /** `inputs` steps: the inputs that the order names; left out: those that move are recorded. */
  inputs: z.array(z.string().regex(/^IN[1-7]$/)).optional(),
  /** `inputs` steps: what hangs on an input, and by which wire, where that is known. */
  wires: z.record(z.string().regex(/^IN[1-7]$/), z.strictObject({ name: storedMessage, wire: storedMessage.optional() })).optional(),
  /** `question` steps: the answer that passes. */
  expected: z.boolean().optional(),
  /** `measurement` steps. */
  unit: z.string().optional(),
  min: z.number().optional(),
  max: z.number().optional()
})
export type TemplateStep = z.infer<typeof templateStep>

/** A checklist: which steps, in which order. Copied into each job that is made from it. */
export const template = z.strictObject({
  id: z.string(),
  version: z.number(),
  name: storedMessage,
  kind: jobKind,
  description: storedMessage,
  /** The plug of the device, where the checklist is for one. */
  plug: plug.optional(),
  steps: z.array(templateStep).min(1)
})
export type Template = z.infer<typeof template>
