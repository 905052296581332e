import { z } from 'zod'
import { defineCalls, json, nothing } from '../define.ts'
import { jobKind } from './jobs.ts'
import { plug } from './jobSeen.ts'
import { messageSchema } from '../base/messageSchema.ts'
import { order } from './orders.ts'
import { stepKind, templateStep } from './steps/index.ts'
import { templateText } from './steps/texts.ts'

export const templateId = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  .max(60)

/** A checklist: its steps in order. Each job gets a copy, so it keeps its version. */
export const template = z.strictObject({
  $schema: z.string().max(500).optional(),
  id: templateId,
  version: z.number().int().min(1),
  name: templateText,
  kind: jobKind,
  description: templateText,
  plug: plug.optional(),
  /** Limits that differ from those of the profile: `{ "position": { "satellitesPass": 8 } }`. */
  thresholds: z.record(z.string(), z.record(z.string(), z.number())).optional(),
  /** Names that its conditions may use for ordered items, besides their kinds: `{ "starterRelay": … }`. */
  orderNames: z.record(z.string().min(1).max(60), templateText).optional(),
  steps: z.array(templateStep).min(1).max(100)
})
export type Template = z.infer<typeof template>

/** A problem in a checklist, and its place: `steps[3].when.ordered`. A checklist with warnings can be used. */
export const templateFinding = z.object({ path: z.string(), level: z.enum(['error', 'warning']), what: messageSchema })
export type TemplateFinding = z.infer<typeof templateFinding>

export const listedTemplate = z.object({
  id: z.string(),
  version: z.number(),
  name: messageSchema,
  kind: jobKind,
  description: messageSchema,
  steps: z.number(),
  /** Built-in checklists never change: copy one to edit it. */
  origin: z.enum(['shipped', 'own'])
})
export type ListedTemplate = z.infer<typeof listedTemplate>

export const templateSaved = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('kept'), id: z.string(), version: z.number(), findings: z.array(templateFinding) }),
  /** It equals the newest version. */
  z.object({
    outcome: z.literal('unchanged'),
    id: z.string(),
    version: z.number(),
    findings: z.array(templateFinding)
  }),
  z.object({ outcome: z.literal('refused'), findings: z.array(templateFinding) })
])
export type TemplateSaved = z.infer<typeof templateSaved>

/** What an ordered item needs so that its step has something to do or to compare. */
export const orderNeed = z.object({
  /** The place of the item in the order. */
  item: z.number(),
  kind: stepKind,
  title: messageSchema,
  /** One of these settings is enough. */
  fields: z.array(z.string()),
  say: messageSchema,
  isMissing: z.boolean()
})
export type OrderNeed = z.infer<typeof orderNeed>

export const mostFileBytes = 1024 * 1024
const fileText = z.string().max(mostFileBytes)

export const templatesCalls = defineCalls({
  'templates.list': { input: nothing, output: z.object({ templates: z.array(listedTemplate) }) },
  /** As in a file: each text by language. */
  'templates.open': {
    input: z.strictObject({ id: templateId }),
    output: z.object({ template: json, origin: z.enum(['shipped', 'own']) })
  },
  'templates.check': {
    input: z.strictObject({ template: json }),
    output: z.object({ findings: z.array(templateFinding) })
  },
  /** The steps of a job with this order; none while the checklist has errors. */
  'templates.preview': {
    input: z.strictObject({ template: json, order: order.nullable() }),
    output: z.object({
      steps: z.array(
        z.object({
          id: z.string(),
          kind: stepKind,
          title: messageSchema,
          instruction: messageSchema,
          isByAnswer: z.boolean()
        })
      ),
      /** Ordered items without a step. */
      missing: z.array(messageSchema),
      needs: z.array(orderNeed)
    })
  },
  /**
   * Saves a new version. `basedOn` is the edited version; null: a new checklist. Throws CONFLICT if there is a newer
   * one.
   */
  'templates.save': {
    input: z.strictObject({ template: json, basedOn: z.number().nullable() }),
    output: templateSaved
  },
  'templates.import': { input: z.strictObject({ text: fileText }), output: templateSaved },
  'templates.export': {
    input: z.strictObject({ id: templateId }),
    output: z.object({ fileName: z.string(), text: z.string() })
  },
  /** Withdraws it from new jobs; existing jobs keep their copy. */
  'templates.remove': { input: z.strictObject({ id: templateId }), output: nothing },
  'templates.schema': {
    input: nothing,
    output: z.object({ step: json, item: json, thresholds: z.record(z.string(), z.record(z.string(), z.number())) })
  }
})
