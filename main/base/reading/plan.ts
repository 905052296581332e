import { z } from 'zod'

export type FieldKind = Plan['kind']

/** A schema in a form that is fast for a hundred thousand records. */
export type Plan = { isOptional: boolean; isNullable: boolean } & (
  | { kind: 'text' | 'number' | 'flag' | 'any' }
  | { kind: 'object'; fields: ReadonlyMap<string, Plan> }
  | { kind: 'list'; item: Plan }
  /** An object whose keys are data. */
  | { kind: 'table'; item: Plan }
  | { kind: 'oneOf'; options: readonly Plan[] }
  | { kind: 'other'; schema: z.ZodType }
)

const plans = new WeakMap<z.ZodType, Plan>()

/** The plan of a schema; computed once. */
export function planOf(schema: z.ZodType): Plan {
  let plan = plans.get(schema)
  if (!plan) plans.set(schema, (plan = makePlan(schema)))
  return plan
}

function makePlan(schema: z.ZodType): Plan {
  if (schema instanceof z.ZodOptional) return { ...planOf(schema.unwrap() as z.ZodType), isOptional: true }
  if (schema instanceof z.ZodNullable) return { ...planOf(schema.unwrap() as z.ZodType), isNullable: true }
  const required = { isOptional: false, isNullable: false }
  const isUnlimited =
    (schema.def as { checks?: unknown[] }).checks === undefined ||
    (schema.def as { checks?: unknown[] }).checks?.length === 0
  if (schema instanceof z.ZodUnknown) return { kind: 'any', ...required }
  if (schema instanceof z.ZodString && isUnlimited) return { kind: 'text', ...required }
  if (schema instanceof z.ZodNumber && isUnlimited) return { kind: 'number', ...required }
  if (schema instanceof z.ZodBoolean) return { kind: 'flag', ...required }
  if (schema instanceof z.ZodArray) return { kind: 'list', item: planOf(schema.element as z.ZodType), ...required }
  if (schema instanceof z.ZodRecord) return { kind: 'table', item: planOf(schema.valueType as z.ZodType), ...required }
  if (schema instanceof z.ZodUnion)
    return { kind: 'oneOf', options: (schema.options as z.ZodType[]).map(planOf), ...required }
  if (schema instanceof z.ZodObject) {
    return {
      kind: 'object',
      fields: new Map(Object.entries(schema.shape).map(([key, field]) => [key, planOf(field as z.ZodType)])),
      ...required
    }
  }
  return { kind: 'other', schema, ...required }
}
