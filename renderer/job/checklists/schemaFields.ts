import type { Json } from '../../../preload/contract/define.ts'

export type FieldForm =
  'words' | 'text' | 'number' | 'yesNo' | 'choice' | 'choices' | 'texts' | 'list' | 'record' | 'fields'

/** One blank of a form, as the schema of a kind has it. */
export interface Field {
  name: string
  form: FieldForm
  isRequired: boolean
  /** What may be chosen. */
  options: string[]
  /** Of a thing with parts, and of each thing of a list or a record. */
  fields: Field[]
  min?: number
  max?: number
  isWhole?: boolean
}

interface Schema {
  $ref?: string
  type?: string
  enum?: string[]
  const?: string
  pattern?: string
  items?: Schema
  minimum?: number
  maximum?: number
  properties?: Record<string, Schema>
  required?: string[]
  propertyNames?: Schema
  additionalProperties?: Schema | boolean
  oneOf?: Schema[]
  anyOf?: Schema[]
}

function variants(schema: Json): Schema[] {
  const whole = schema as Schema
  return whole.oneOf ?? whole.anyOf ?? []
}

/** The kinds that a schema knows, in its order. */
export function kindsOf(schema: Json): string[] {
  return variants(schema).flatMap(({ properties }) => properties?.['kind']?.const ?? [])
}

/** The kinds of which a thing can be ordered: every job is identified and signed anyway. */
export function orderedKindsOf(schema: Json): string[] {
  return kindsOf(schema).filter((kind) => kind !== 'identity' && kind !== 'signOff')
}

/** The blanks of a kind, without those that are shown in a place of their own. */
export function fieldsOf(schema: Json, kind: string, without: readonly string[]): Field[] {
  const own = variants(schema).find(({ properties }) => properties?.['kind']?.const === kind)
  return Object.entries(own?.properties ?? {}).flatMap(([name, one]) =>
    name === 'kind' || without.includes(name) ? [] : [asField(name, one, own?.required ?? [])]
  )
}

function asField(name: string, schema: Schema, required: readonly string[]): Field {
  const field: Field = {
    name,
    form: formOf(schema),
    isRequired: required.includes(name),
    options: schema.enum ?? schema.items?.enum ?? [],
    fields: []
  }
  if (field.form === 'number') {
    field.isWhole = schema.type === 'integer'
    if (schema.minimum !== undefined && schema.minimum > Number.MIN_SAFE_INTEGER) field.min = schema.minimum
    if (schema.maximum !== undefined && schema.maximum < Number.MAX_SAFE_INTEGER) field.max = schema.maximum
  }
  if (field.form === 'fields') field.fields = partsOf(schema)
  if (field.form === 'list') field.fields = partsOf(schema.items ?? {})
  if (field.form === 'record')
    field.fields = [{ name: 'key', form: 'text', isRequired: true, options: [], fields: [] }, ...partsOfRecord(schema)]
  return field
}

function formOf(schema: Schema): FieldForm {
  if (schema.$ref?.endsWith('/Text')) return 'words'
  if (schema.type === 'boolean') return 'yesNo'
  if (
    schema.type === 'number' ||
    schema.type === 'integer' ||
    schema.anyOf?.every(({ type }) => type === 'number' || type === 'integer')
  )
    return 'number'
  if (schema.enum) return 'choice'
  if (schema.type === 'array') return schema.items?.enum ? 'choices' : schema.items?.properties ? 'list' : 'texts'
  if (schema.type === 'object') return schema.properties ? 'fields' : 'record'
  return 'text'
}

function partsOf({ properties = {}, required = [] }: Schema): Field[] {
  return Object.entries(properties).map(([name, one]) => asField(name, one, required))
}

function partsOfRecord({ additionalProperties }: Schema): Field[] {
  if (typeof additionalProperties !== 'object') return []
  return additionalProperties.properties
    ? partsOf(additionalProperties)
    : [asField('name', additionalProperties, ['name'])]
}

/** Every field name in a form, so that each gets a label. */
export function namesOf(fields: readonly Field[]): string[] {
  return fields.flatMap((field) => [field.name, ...namesOf(field.fields)])
}

/** A name of the device's own documents (`START_POSITION`), which has no other words. */
export function isCode(name: string): boolean {
  return /^[A-Z_]+$/.test(name)
}
