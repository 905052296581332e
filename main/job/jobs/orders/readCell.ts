import { message, type Message } from '../../../../preload/contract/messages.ts'
import { numberInFile } from '../../../../preload/base/messages/numberInFile.ts'
import { readTypedNumber } from '../../../../preload/base/messages/typedNumber.ts'
import { checkJson } from '../../../base/reading/checkJson.ts'
import type { JsonSchema } from './itemSettings.ts'

export type Cell = { value: unknown } | { problem: Message }

/** Yes and no as people write them in tables; undefined for anything else. */
export function readYesNo(text: string): boolean | undefined {
  if (/^(yes|y|true|1|x|sí|si|s|verdadero|checked)$/i.test(text)) return true
  return /^(no|n|false|0|-|falso|unchecked)$/i.test(text) ? false : undefined
}

/** The value of a cell in the form of its setting; the meaning of the value is checked with the whole item. */
export function readCell(text: string, schema: JsonSchema): Cell {
  if (/^[[{]/.test(text)) return readJsonCell(text)
  if (schema.$ref?.endsWith('/Text')) return { value: { en: text } }
  if (schema.type === 'boolean') {
    const value = readYesNo(text)
    return value === undefined ? { problem: message('orders.notYesNo', { text }) } : { value }
  }
  if (isNumber(schema) || schema.anyOf?.every(isNumber)) {
    const [value, other] = readTypedNumber(text)
    if (value === undefined) return { problem: message('orders.notNumber', { text }) }
    return other === undefined
      ? { value }
      : { problem: message('orders.twoNumbers', { text, one: numberInFile(value), other: numberInFile(other) }) }
  }
  if (schema.type === 'array') return readList(text, schema.items ?? {})
  if (schema.type === 'object') return readFields(text, schema)
  return { value: schema.enum?.find((known) => known.toLowerCase() === text.toLowerCase()) ?? text }
}

function isNumber({ type }: JsonSchema): boolean {
  return type === 'number' || type === 'integer'
}

function readJsonCell(text: string): Cell {
  const read = checkJson(text)
  return read.kind === 'json' ? { value: read.value } : { problem: message('orders.notJson', { text }) }
}

/** `IN1; IN2` */
function readList(text: string, items: JsonSchema): Cell {
  const values: unknown[] = []
  for (const part of text
    .split(/[;|]/)
    .map((one) => one.trim())
    .filter((one) => one !== '')) {
    const read = readCell(part, items)
    if ('problem' in read) return read
    values.push(read.value)
  }
  return { value: values }
}

/** `AN1:23000:28000`: the required fields of the item, in their order. */
function readFields(text: string, { properties = {}, required = [] }: JsonSchema): Cell {
  const parts = text.split(':').map((one) => one.trim())
  const fields: Record<string, unknown> = {}
  for (const [index, name] of required.entries()) {
    const part = parts[index]
    if (part === undefined) break
    const read = readCell(part, properties[name] ?? {})
    if ('problem' in read) return read
    fields[name] = read.value
  }
  return parts.length > required.length ? { problem: message('orders.tooManyParts', { text }) } : { value: fields }
}
