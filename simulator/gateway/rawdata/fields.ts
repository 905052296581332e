import { misuseCall, type Call } from '../call.ts'
import type { FieldDefinition } from './catalogue.ts'
import { compileExpression, ExpressionError, type Compiled, type ExpressionOptions } from './expression.ts'

export interface Column {
  name: string
  read: Compiled
  /** The field behind a plain column; absent on expressions. */
  definition?: FieldDefinition
}

export const defaultFields = ['system_time', 'event_time', 'id', 'vid'] as const

/** Compiles, and turns an error into a 400 with a violation. */
export function compile(call: Call, text: string, options: ExpressionOptions): Compiled {
  try {
    return compileExpression(text, options)
  } catch (error) {
    if (error instanceof ExpressionError) throw misuseCall(call, error.message)
    throw error
  }
}

/** The columns of an answer: the default four, then `fields` (names, `$sets`, expressions), without `exclude`. */
export function readColumns(call: Call, fields: Map<string, FieldDefinition>): Column[] {
  const columns = new Map<string, Column>()
  const typeOf = (name: string): FieldDefinition['type'] | undefined => fields.get(name)?.type
  const addField = (definition: FieldDefinition): void => {
    const read = compile(call, definition.name, { typeOf, areFieldsMarked: false })
    columns.set(definition.name, { name: definition.name, read, definition })
  }
  for (const name of defaultFields) addPlain(name)
  for (const entry of splitFields(call)) {
    if (entry.startsWith('$')) addSet(entry)
    else if (entry.includes(':')) addExpression(entry)
    else addPlain(entry)
  }
  dropExcluded(call, columns)
  return [...columns.values()]

  function addSet(entry: string): void {
    const members = [...fields.values()].filter((definition) => definition.group === entry.slice(1))
    if (members.length === 0) throw misuseCall(call, `unknown field set ${entry}`)
    for (const definition of members) addField(definition)
  }
  function addPlain(name: string): void {
    const definition = fields.get(name.replace(/__(str|int|float)$/, ''))
    if (!definition) throw misuseCall(call, `unknown field ${name}`)
    if (definition.name === name) addField(definition)
    else columns.set(name, { name, read: compile(call, name, { typeOf, areFieldsMarked: false }) })
    const mph = fields.get('mph')
    if (name === 'speed' && mph) addField(mph)
  }
  function addExpression(entry: string): void {
    const colon = entry.indexOf(':')
    const name = entry.slice(0, colon)
    if (!/^\w+$/.test(name)) throw misuseCall(call, `${name} is no name for a field`)
    columns.set(name, { name, read: compile(call, entry.slice(colon + 1), { typeOf, areFieldsMarked: true }) })
  }
}

function splitFields(call: Call): string[] {
  const text = call.query.get('fields')
  return text === null || text === '' ? [] : splitList(call, text)
}

/** A list of fields: csv or a JSON array. */
export function splitList(call: Call, text: string): string[] {
  if (!text.startsWith('[')) return text.split(',').map((entry) => entry.trim())
  try {
    const parsed: unknown = JSON.parse(text)
    if (Array.isArray(parsed) && parsed.every((entry) => typeof entry === 'string')) return parsed
  } catch (error) {
    throw misuseCall(call, `fields is not a JSON array: ${String(error)}`)
  }
  throw misuseCall(call, 'fields is not a JSON array of strings')
}

function dropExcluded(call: Call, columns: Map<string, Column>): void {
  for (const entry of (call.query.get('exclude') ?? call.query.get('excludes') ?? '').split(',')) {
    if (entry === '') continue
    let pattern: RegExp
    try {
      pattern = new RegExp(`^(?:${entry})$`)
    } catch (error) {
      throw misuseCall(call, `exclude is no expression: ${String(error)}`)
    }
    for (const name of columns.keys()) if (pattern.test(name)) columns.delete(name)
  }
}
