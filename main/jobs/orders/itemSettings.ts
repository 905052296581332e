import { z } from 'zod'
import { orderItem, type StepKind } from '../../../preload/contract/jobs/steps/index.ts'

export interface JsonSchema {
  $ref?: string
  type?: string
  enum?: string[]
  const?: string
  items?: JsonSchema
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
}

/** What an item of an order may be told, by kind: made from the schema that checks it. */
export function readItemSettings(): Map<StepKind, Map<string, { name: string; schema: JsonSchema }>> {
  const schema = z.toJSONSchema(orderItem, { io: 'input', unrepresentable: 'any' }) as { oneOf?: JsonSchema[]; anyOf?: JsonSchema[] }
  return new Map(
    (schema.oneOf ?? schema.anyOf ?? []).map(({ properties = {} }) => {
      const { kind, ...settings } = properties
      return [kind?.const as StepKind, new Map(Object.entries(settings).map(([name, one]) => [name.toLowerCase(), { name, schema: one }]))]
    })
  )
}
