import { z } from 'zod'
import { accessorySettings } from './accessorySteps.ts'
import { condition } from './condition.ts'
import { stepGuide } from './guide.ts'
import { coreSettings, roadSettings } from './core.ts'
import { orderedSettings } from './ordered.ts'
import { personSettings } from './person.ts'
import { templateText } from './texts.ts'

/** The settings of each kind of step: the only list of kinds. */
const settings = { ...coreSettings, ...orderedSettings, ...accessorySettings, ...roadSettings, ...personSettings }

export type StepKind = keyof typeof settings
const kinds = Object.keys(settings) as [StepKind, ...StepKind[]]
export const stepKind = z.enum(kinds)

const stepBase = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    .max(60),
  title: templateText,
  short: templateText.optional(),
  instruction: templateText,
  /** Omitted: always. */
  when: condition.optional(),
  /** A step for each item of this kind in the order. */
  perItem: z.boolean().optional(),
  guide: stepGuide.optional(),
  /** What must be attached to a pass. */
  requires: z.strictObject({ photos: z.number().int().min(1).max(12) }).optional()
})

const itemBase = z.strictObject({
  /** Its name in conditions, besides its kind: `starterRelay`. */
  as: z.string().min(1).max(60).optional(),
  name: templateText.optional(),
  instruction: templateText.optional()
})

type Told<Of> = Of extends Record<string, never> ? unknown : Of
type Each<Base, Kinds extends StepKind> = {
  [Kind in Kinds]: Base & { kind: Kind } & Told<z.infer<(typeof settings)[Kind]>>
}[Kinds]
export type StepOf<Kinds extends StepKind> = Each<z.infer<typeof stepBase>, Kinds>
export type OrderItemOf<Kinds extends StepKind> = Each<z.infer<typeof itemBase>, Kinds>
export type TemplateStep = StepOf<StepKind>
export type OrderItem = OrderItemOf<StepKind>

function ofEveryKind(base: z.ZodObject): z.ZodType {
  const [first, ...rest] = kinds.map((kind) => base.extend({ kind: z.literal(kind), ...settings[kind].shape }))
  return z.discriminatedUnion('kind', [first as z.ZodObject, ...rest])
}

export const templateStep = ofEveryKind(stepBase) as z.ZodType<TemplateStep>
export const orderItem = ofEveryKind(itemBase) as z.ZodType<OrderItem>
