import { z } from 'zod'
import type { Sparse } from '../../preload/contract/deviceAreas.ts'

export interface Parsed<T> {
  value: Sparse<T>
  problems: string[]
}

/** The outer kind of an answer is not the documented one: nothing of it can be used. */
export interface WrongKind {
  wanted: string
  seen: string
}

/**
 * Reads `raw` against a documented shape, field by field: what does not fit becomes undefined, and a sentence names the
 * path, what was wanted and what was seen (`coords.speed: number wanted, text seen`). Fields that the document does not
 * name stay as they are. Gives `WrongKind` when not even the outermost object or list is there.
 */
export function parseAnswer<S extends z.ZodType>(schema: S, raw: unknown): Parsed<z.output<S>> | WrongKind {
  const problems: string[] = []
  const wanted = kindWanted(schema)
  if ((wanted === 'object' || wanted === 'list') && kindSeen(raw) !== wanted) return { wanted, seen: kindSeen(raw) }
  const value = readValue(schema, raw, '', problems)
  return { value: value as Sparse<z.output<S>>, problems }
}

function readValue(schema: z.ZodType, raw: unknown, path: string, problems: string[]): unknown {
  if (schema instanceof z.ZodOptional) {
    return raw === undefined ? undefined : readValue(schema.unwrap() as z.ZodType, raw, path, problems)
  }
  if (schema instanceof z.ZodUnion) return readClosest(schema.options as z.ZodType[], raw, path, problems)
  if (schema instanceof z.ZodObject && isRecord(raw)) return readObject(schema, raw, path, problems)
  if (schema instanceof z.ZodArray && Array.isArray(raw)) return readList(schema, raw, path, problems)
  const result = schema.safeParse(raw)
  if (result.success) return result.data
  problems.push(`${path === '' ? 'answer' : path}: ${kindWanted(schema)} wanted, ${kindSeen(raw)} seen`)
  return undefined
}

function readObject(schema: z.ZodObject, raw: Record<string, unknown>, path: string, problems: string[]): unknown {
  // fromEntries defines own properties: a "__proto__" in the answer stays a plain field.
  const extras = Object.entries(raw).filter(([key]) => !Object.hasOwn(schema.shape, key))
  const known = Object.entries(schema.shape).map(([key, field]) => {
    const value = Object.hasOwn(raw, key) ? raw[key] : undefined
    return [key, readValue(field as z.ZodType, value, path === '' ? key : `${path}.${key}`, problems)] as const
  })
  return Object.fromEntries([...known.filter(([, value]) => value !== undefined), ...extras])
}

function readList(schema: z.ZodArray, raw: unknown[], path: string, problems: string[]): unknown[] {
  return raw
    .map((item, index) => readValue(schema.element as z.ZodType, item, `${path}[${index}]`, problems))
    .filter((item) => item !== undefined)
}

/** Of several documented shapes, the one with the fewest complaints; the first one when they are equal. */
function readClosest(options: z.ZodType[], raw: unknown, path: string, problems: string[]): unknown {
  let best: { value: unknown; complaints: string[] } | undefined
  for (const option of options) {
    const complaints: string[] = []
    const value = readValue(option, raw, path, complaints)
    if (!best || complaints.length < best.complaints.length) best = { value, complaints }
  }
  problems.push(...(best?.complaints ?? []))
  return best?.value
}

function kindWanted(schema: z.ZodType): string {
  if (schema instanceof z.ZodOptional) return kindWanted(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodUnion) return kindWanted(schema.options[0] as z.ZodType)
  if (schema instanceof z.ZodObject) return 'object'
  if (schema instanceof z.ZodArray) return 'list'
  if (schema instanceof z.ZodString) return 'text'
  if (schema instanceof z.ZodNumber) return 'number'
  if (schema instanceof z.ZodBoolean) return 'true or false'
  return 'value'
}

function kindSeen(raw: unknown): string {
  if (raw === undefined) return 'nothing'
  if (raw === null) return 'null'
  if (Array.isArray(raw)) return 'list'
  if (typeof raw === 'string') return 'text'
  if (typeof raw === 'boolean') return 'true or false'
  if (typeof raw === 'number') return Number.isFinite(raw) ? 'number' : 'number out of range'
  return 'object'
}

function isRecord(raw: unknown): raw is Record<string, unknown> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw)
}
