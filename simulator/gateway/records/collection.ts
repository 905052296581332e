import { readNumber } from '../access.ts'
import { misuseCall, okAnswer, Refusal, type Answer, type Call } from '../call.ts'
import type { JsonRecord } from '../state.ts'

export const collectionQuery = ['select', 'set', 'page'] as const
export const searchQuery = ['select', 'set', 'page', 'search.*'] as const

/** Records that `select` may join: the fields of the record, and the related records. */
export type Join = (record: JsonRecord, call: Call) => JsonRecord | JsonRecord[] | null

export interface CollectionOptions {
  key?: string
  maxSet?: number
  joins?: Record<string, Join>
}

/** Search, select and paging of a collection (conventions 8, 9 and 10). */
export function answerCollection(call: Call, records: JsonRecord[], options: CollectionOptions = {}): Answer {
  const found = searchRecords(call, records)
  const readWhole = (name: string, byDefault: number) =>
    readNumber(call, name, /^[1-9]\d*$/, 'a whole number from 1', byDefault)
  const [set, page] = [readWhole('set', 200), readWhole('page', 1)]
  const maxSet = options.maxSet ?? 1000
  if (set > maxSet) call.note(`set is more than ${maxSet}`)
  const size = Math.min(set, maxSet)
  const shown = found.slice((page - 1) * size, page * size).map((record) => selectFields(call, record, options))
  return okAnswer({
    set: shown.length,
    page,
    pages: Math.max(1, Math.ceil(found.length / size)),
    total: found.length,
    data: shown
  })
}

function searchRecords(call: Call, records: JsonRecord[]): JsonRecord[] {
  const wanted = [...call.query.entries()].filter(([name]) => name.startsWith('search.'))
  return records.filter((record) => wanted.every(([name, value]) => isMatch(readPath(record, name.slice(7)), value)))
}

function readPath(record: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? (value as JsonRecord)[key] : undefined),
      record
    )
}

function isMatch(value: unknown, text: string): boolean {
  const options = text.startsWith('[') ? readArray(text) : [text]
  const values = Array.isArray(value) ? value : [value]
  return values.some((one) => one !== undefined && options.includes(String(one)))
}

function readArray(text: string): string[] {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed.map(String) : [text]
  } catch (error) {
    throw new Refusal(400, `search value is not an array: ${String(error)}`)
  }
}

/** The fields that `select` asks for, with the key of the record; all of them without `select`. */
export function selectFields(call: Call, record: JsonRecord, options: CollectionOptions = {}): JsonRecord {
  const select = call.query.get('select')
  if (select === null) return record
  const key = options.key ?? 'id'
  const shown: JsonRecord = { [key]: record[key] }
  for (const part of select.split(',').map((text) => text.trim())) {
    const colon = part.indexOf(':')
    if (colon < 0) pickField(call, record, part, shown, options)
    else joinFields(call, record, part.slice(0, colon), part.slice(colon + 1), shown, options)
  }
  return shown
}

function pickField(call: Call, record: JsonRecord, name: string, shown: JsonRecord, options: CollectionOptions): void {
  if (name === '') throw misuseCall(call, 'select holds an empty field')
  if (name in record) shown[name] = record[name]
  else if (name.includes('.')) place(shown, name, readPath(record, name))
  else if (!(name in (options.joins ?? {}))) call.note(`select names ${name}, which the record does not have`)
}

function joinFields(
  call: Call,
  record: JsonRecord,
  resource: string,
  keys: string,
  shown: JsonRecord,
  options: CollectionOptions
): void {
  const join = options.joins?.[resource]
  if (!join) throw misuseCall(call, `select joins ${resource}, which is not related`)
  const related = join(record, call)
  const names = keys.split(' ').filter((name) => name !== '')
  if (names.length === 0) throw misuseCall(call, `select joins no field of ${resource}`)
  shown[resource] = Array.isArray(related)
    ? related.map((one) => pickJoined(one, names))
    : related && pickJoined(related, names)
}

function pickJoined(related: JsonRecord, names: string[]): JsonRecord {
  const picked: JsonRecord = {}
  for (const name of names) {
    if (name.endsWith('*'))
      for (const key of Object.keys(related).filter((key) => key.startsWith(name.slice(0, -1))))
        picked[key] = related[key]
    else if (readPath(related, name) !== undefined) place(picked, name, readPath(related, name))
  }
  return picked
}

function place(target: JsonRecord, path: string, value: unknown): void {
  const keys = path.split('.')
  const last = keys.pop() ?? path
  let inner = target
  for (const key of keys) {
    const next = inner[key]
    inner[key] = typeof next === 'object' && next !== null ? { ...next } : {}
    inner = inner[key] as JsonRecord
  }
  inner[last] = value ?? null
}
