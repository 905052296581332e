import { message, type Message } from '../../../preload/contract/messages.ts'
import { readEscapedName } from '../../base/reading/escapedName.ts'
import { formRows, type FormRow } from '../../base/reading/formTable.ts'

type Body = Record<string, unknown>
type Scale = Extract<FormRow['rule'], { kind: 'scale' }>

interface FormReading {
  /** The answer with the names and units of the API document. */
  value: unknown
  problems: Message[]
  /** The device answered that nothing is stored: no field is missing. */
  isNothingStored?: true
}

/** Operations that answer null where the device has stored nothing. */
const storedBy: ReadonlySet<string> = new Set([
  'modem.information',
  'modem.configuration',
  'accel.state',
  'accel.configuration'
])

const rulesOf = new Map<string, FormRow[]>()
for (const row of formRows) if (row.side === 'device') rulesOf.set(row.where, [...(rulesOf.get(row.where) ?? []), row])
const scalesOf = new Map([...rulesOf].map(([operation, rows]) => [operation, groupScales(rows)]))

/** Forms of one field lie beside each other; the first whose range fits is the one. */
function groupScales(rows: readonly FormRow[]): Scale[][] {
  const groups = new Map<string, Scale[]>()
  for (const { rule } of rows)
    if (rule.kind === 'scale') groups.set(rule.group.join(), [...(groups.get(rule.group.join()) ?? []), rule])
  return [...groups.values()]
}

/**
 * An answer of the device in the names and units of the API document, by the table resources/forms.json. A number that
 * no form of its field explains is left out, and a problem names it: its unit is unknown. An answer in documented form
 * stays as it is.
 */
export function readForm(operation: string, raw: unknown): FormReading {
  if (raw === null && storedBy.has(operation))
    return { value: {}, problems: [message('forms.nothingStored')], isNothingStored: true }
  const rows = rulesOf.get(operation)
  if (rows === undefined || !isRecord(raw)) return { value: raw, problems: [] }
  const problems: Message[] = []
  const body: Body = { ...raw }
  for (const { rule } of rows) {
    if (rule.kind === 'name' && rule.from !== rule.to && body[rule.to] === undefined && body[rule.from] !== undefined) {
      body[rule.to] = body[rule.from]
      delete body[rule.from]
    }
    if (rule.kind === 'leftOut')
      for (const path of rule.fields)
        if (valueAt(body, path) === null || valueAt(body, path) === false) setAt(body, path, undefined)
    if (rule.kind === 'escapedName')
      Object.assign(
        body,
        mapAt(body, rule.path.split('.'), (text) => (typeof text === 'string' ? readEscapedName(text) : text))
      )
    if (rule.kind === 'flagText')
      for (const [name, value] of Object.entries(body))
        if (value === 'true' || value === 'false') body[name] = value === 'true'
  }
  for (const forms of scalesOf.get(operation) ?? []) scale(body, forms, problems)
  return { value: body, problems }
}

function scale(body: Body, forms: readonly Scale[], problems: Message[]): void {
  const [first] = forms
  if (!first) return
  const told = first.group.flatMap((path) => {
    const value = valueAt(body, path)
    return typeof value === 'number' && Number.isFinite(value) ? [{ path, value }] : []
  })
  if (told.length === 0 || told.every(({ value }) => value === 0)) return
  const largest = Math.max(...told.map(({ value }) => value))
  const form = told.every(({ value }) => value >= 0)
    ? forms.find(({ from, to }) => largest >= from && largest <= to)
    : undefined
  for (const { path, value } of told) {
    setAt(body, path, form && Math.round(value * form.times))
    if (!form) problems.push(message('forms.unitUnknown', { path, seen: String(value) }))
  }
  if (!form?.keysOf || form.times === 1) return
  const keyed = valueAt(body, form.keysOf)
  if (isRecord(keyed))
    setAt(
      body,
      form.keysOf,
      Object.fromEntries(
        Object.entries(keyed).map(([key, value]) => [/^\d+$/.test(key) ? String(Number(key) * form.times) : key, value])
      )
    )
}

/** A copy of `value` with what stands at this path replaced. */
function mapAt(value: unknown, [name, ...rest]: readonly string[], read: (inner: unknown) => unknown): unknown {
  if (name === undefined) return read(value)
  if (name === '*') return Array.isArray(value) ? value.map((item) => mapAt(item, rest, read)) : value
  return isRecord(value) && Object.hasOwn(value, name) ? { ...value, [name]: mapAt(value[name], rest, read) } : value
}

function valueAt(body: Body, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((inner, name) => (isRecord(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined), body)
}

/** Sets a field in `body`, whose inner records are copied; undefined removes it. */
function setAt(body: Body, path: string, value: unknown): void {
  const names = path.split('.')
  const last = names.pop() ?? ''
  let inner = body
  for (const name of names) inner = inner[name] = { ...(inner[name] as Body) }
  if (value === undefined) delete inner[last]
  else inner[last] = value
}

function isRecord(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
