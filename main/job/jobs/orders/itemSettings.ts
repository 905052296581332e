import { z } from 'zod'
import { orderItem, type StepKind } from '../../../../preload/contract/job/steps/index.ts'

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

type ItemSettings = ReadonlyMap<StepKind, ReadonlyMap<string, { name: string; schema: JsonSchema }>>
let read: ItemSettings | undefined

/** The settings of an item in an order, by kind: derived from the schema that checks the item. */
export function readItemSettings(): ItemSettings {
  return (read ??= deriveSettings())
}

function deriveSettings(): ItemSettings {
  const schema = z.toJSONSchema(orderItem, { io: 'input', unrepresentable: 'any' }) as {
    oneOf?: JsonSchema[]
    anyOf?: JsonSchema[]
  }
  return new Map(
    (schema.oneOf ?? schema.anyOf ?? []).map(({ properties = {} }) => {
      const { kind, ...settings } = properties
      return [
        kind?.const as StepKind,
        new Map(Object.entries(settings).map(([name, one]) => [name.toLowerCase(), { name, schema: one }]))
      ]
    })
  )
}
