import type { z } from 'zod'
import type { Sparse } from '../../../preload/contract/device/deviceAreas.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { put } from './jsonPieces.ts'
import { planOf, type FieldKind, type Plan } from './plan.ts'

export interface Parsed<T> {
  value: Sparse<T>
  problems: Message[]
}

/** The answer's outermost type is not the documented one: none of it is usable. */
export interface WrongKind {
  wanted: Message
  seen: Message
}

/** More problems would help nobody; the rest is counted. */
const mostProblems = 40
/** The number of objects and lists that are read before other work gets its turn. */
const containersInTurn = 2_000

/**
 * Reads `raw` against a documented shape, field by field: an invalid value becomes undefined, and a problem names the
 * path, the expected and the found type (`coords.speed`: number expected, text found). Undocumented fields stay
 * unchanged.
 * Returns `WrongKind` when even the outermost object or list is missing.
 */
export function readFields<S extends z.ZodType>(schema: S, raw: unknown): Parsed<z.output<S>> | WrongKind {
  const work = begin(schema, raw)
  for (;;) {
    const step = work.next()
    if (step.done) return step.value as Parsed<z.output<S>> | WrongKind
  }
}

/** The same for a large answer: other work, such as watching an output, gets its turn between its parts. */
export async function readFieldsInTurns<S extends z.ZodType>(
  schema: S,
  raw: unknown
): Promise<Parsed<z.output<S>> | WrongKind> {
  const work = begin(schema, raw)
  for (;;) {
    const step = work.next()
    if (step.done) return step.value as Parsed<z.output<S>> | WrongKind
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function* begin(schema: z.ZodType, raw: unknown): Generator<void, Parsed<unknown> | WrongKind, void> {
  const plan = planOf(schema)
  const outer = outerKind(plan)
  if ((outer === 'object' || outer === 'list') && outer !== outerOf(raw))
    return { wanted: words[outer], seen: wordsFor(raw) }
  const notes: Notes = { problems: [], more: 0, containers: 0, understood: 0 }
  const value = (yield* readValue(plan, raw, undefined, notes)) as Sparse<unknown>
  const problems = notes.more === 0 ? notes.problems : [...notes.problems, message('reading.more', { n: notes.more })]
  // Undocumented fields alone are not an answer.
  const isNothing = problems.length > 0 && notes.understood === 0
  return { value: isNothing ? (Array.isArray(value) ? [] : {}) : value, problems }
}

function outerKind(plan: Plan): FieldKind {
  const first = plan.kind === 'oneOf' ? plan.options[0] : undefined
  if (first) return outerKind(first)
  return plan.kind === 'table' ? 'object' : plan.kind
}

interface Notes {
  problems: Message[]
  more: number
  containers: number
  /** Documented fields that could be read. */
  understood: number
}

/** The path of a value; made into text only for a problem. */
interface Path {
  above: Path | undefined
  key: string | number
}

function* readValue(plan: Plan, raw: unknown, path: Path | undefined, notes: Notes): Generator<void, unknown, void> {
  if (plan.isOptional && raw === undefined) return undefined
  if (plan.isNullable && raw === null) {
    notes.understood += 1
    return null
  }
  switch (plan.kind) {
    case 'object':
      if (isRecord(raw)) return yield* readObject(plan, raw, path, notes)
      break
    case 'list':
      if (Array.isArray(raw)) return yield* readList(plan, raw as unknown[], path, notes)
      break
    case 'table':
      if (isRecord(raw)) return yield* readTable(plan, raw, path, notes)
      break
    case 'oneOf':
      return yield* readClosest(plan, raw, path, notes)
    default:
      if (!fits(plan, raw)) break
      if (raw !== undefined) notes.understood += 1
      return raw
  }
  complain(plan, raw, path, notes)
  return undefined
}

function* readObject(
  plan: Plan & { kind: 'object' },
  raw: Record<string, unknown>,
  path: Path | undefined,
  notes: Notes
): Generator<void, unknown, void> {
  if (++notes.containers % containersInTurn === 0) yield
  if (plan.fields.size === 0) notes.understood += 1
  const read: Record<string, unknown> = {}
  for (const [key, field] of plan.fields) {
    const given = Object.hasOwn(raw, key) ? raw[key] : undefined
    if (given === undefined && field.isOptional) continue
    if (isPlain(field) && fits(field, given)) {
      if (given === undefined) continue
      notes.understood += 1
      put(read, key, given)
      continue
    }
    const value = yield* readValue(field, given, { above: path, key }, notes)
    if (value !== undefined) put(read, key, value)
  }
  for (const key of Object.keys(raw)) if (!plan.fields.has(key)) put(read, key, raw[key])
  return read
}

function* readList(
  plan: Plan & { kind: 'list' },
  raw: unknown[],
  path: Path | undefined,
  notes: Notes
): Generator<void, unknown[], void> {
  if (++notes.containers % containersInTurn === 0) yield
  if (raw.length === 0) notes.understood += 1
  const read: unknown[] = []
  // By counting: other properties of the list are not part of it.
  for (let index = 0; index < raw.length; index++) {
    const value = yield* readValue(plan.item, raw[index], { above: path, key: index }, notes)
    if (value !== undefined) read.push(value)
  }
  return read
}

function* readTable(
  plan: Plan & { kind: 'table' },
  raw: Record<string, unknown>,
  path: Path | undefined,
  notes: Notes
): Generator<void, unknown, void> {
  if (++notes.containers % containersInTurn === 0) yield
  notes.understood += 1
  if (plan.item.kind === 'any') return raw
  const read: Record<string, unknown> = {}
  for (const key of Object.keys(raw)) {
    const value = yield* readValue(plan.item, raw[key], { above: path, key }, notes)
    if (value !== undefined) put(read, key, value)
  }
  return read
}

/** Of several documented shapes, the one with the fewest problems; the first one when they are equal. */
function* readClosest(
  plan: Plan & { kind: 'oneOf' },
  raw: unknown,
  path: Path | undefined,
  notes: Notes
): Generator<void, unknown, void> {
  let best: { value: unknown; notes: Notes } | undefined
  for (const option of plan.options) {
    const own: Notes = { problems: [], more: 0, containers: notes.containers, understood: 0 }
    const value = yield* readValue(option, raw, path, own)
    notes.containers = own.containers
    if (!best || own.problems.length < best.notes.problems.length) best = { value, notes: own }
    if (own.problems.length === 0) break
  }
  for (const problem of best?.notes.problems ?? []) note(problem, notes)
  notes.more += best?.notes.more ?? 0
  notes.understood += best?.notes.understood ?? 0
  return best?.value
}

function isPlain({ kind }: Plan): boolean {
  return kind === 'text' || kind === 'number' || kind === 'flag' || kind === 'any'
}

function fits(plan: Plan, raw: unknown): boolean {
  if (plan.isNullable && raw === null) return true
  switch (plan.kind) {
    case 'any':
      return true
    case 'text':
      return typeof raw === 'string'
    case 'number':
      return typeof raw === 'number' && Number.isFinite(raw)
    case 'flag':
      return typeof raw === 'boolean'
    case 'other':
      return plan.schema.safeParse(raw).success
    default:
      return false
  }
}

const words: Record<FieldKind, Message> = {
  object: message('reading.object'),
  list: message('reading.list'),
  table: message('reading.object'),
  text: message('reading.text'),
  number: message('reading.number'),
  flag: message('reading.flag'),
  any: message('reading.value'),
  oneOf: message('reading.value'),
  other: message('reading.value')
}

function complain(plan: Plan, raw: unknown, path: Path | undefined, notes: Notes): void {
  if (notes.problems.length >= mostProblems) notes.more += 1
  else note(message('reading.wrong', { path: textOf(path), wanted: words[plan.kind], seen: seenFor(plan, raw) }), notes)
}

/** Only a number too long for a number arrives as digits (checkJson.ts) where a number belongs. */
function seenFor(plan: Plan, raw: unknown): Message {
  const isTooLong = plan.kind === 'number' && typeof raw === 'string' && /^-?\d{16,}$/.test(raw)
  return isTooLong ? message('reading.outOfRange') : wordsFor(raw)
}

function note(problem: Message, notes: Notes): void {
  if (notes.problems.length >= mostProblems) notes.more += 1
  else notes.problems.push(problem)
}

function textOf(path: Path | undefined): string {
  if (!path) return 'answer'
  const above = path.above ? textOf(path.above) : ''
  if (typeof path.key === 'number') return `${above}[${path.key}]`
  const key = path.key.slice(0, 60)
  return above === '' ? key : `${above}.${key}`
}

function outerOf(raw: unknown): 'object' | 'list' | undefined {
  return Array.isArray(raw) ? 'list' : isRecord(raw) ? 'object' : undefined
}

function wordsFor(raw: unknown): Message {
  if (raw === undefined) return message('reading.nothing')
  if (raw === null) return message('reading.null')
  if (Array.isArray(raw)) return message('reading.list')
  if (typeof raw === 'string') return message('reading.text')
  if (typeof raw === 'boolean') return message('reading.flag')
  if (typeof raw === 'number') return Number.isFinite(raw) ? message('reading.number') : message('reading.outOfRange')
  return message('reading.object')
}

function isRecord(raw: unknown): raw is Record<string, unknown> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw)
}

const ofOneField: ReadonlySet<string> = new Set(['reading.wrong', 'forms.unitUnknown'])

/** The problem of a field in a reading; undefined when it was readable. */
export function problemOf(problems: readonly Message[], path: string): Message | undefined {
  return problems.find(({ id, values }) => ofOneField.has(id) && values['path'] === path)
}
