import table from '../resources/forms.json' with { type: 'json' }

/**
 * How the simulator speaks where the API documents leave a field open: as they have it, as the maker’s public pages
 * have it, or each field in one of its forms.
 */
export const simulatedForms = ['document', 'maker', 'mixed'] as const
export type SimulatedForm = (typeof simulatedForms)[number]

type JsonRecord = Record<string, unknown>
type Rule = {
  kind: string
  path?: string
  group?: string[]
  times?: number
  keysOf?: string
  from?: string | number
  to?: string | number
  fields?: string[]
}

interface Row {
  id: string
  where: string
  field: string
  rule: Rule
  spokenBy: string[]
}

const rows = table as unknown as Row[]

/** Chooses the forms of one simulated device or gateway; the same seed chooses the same. */
export function speakerOf(form: SimulatedForm, seed: number): (id: string) => boolean {
  return (id) => {
    const row = rows.find((known) => known.id === id)
    if (!row) throw new Error(`${id} is no form of resources/forms.json`)
    return isSpoken(row, form, seed)
  }
}

function isSpoken({ where, field, spokenBy }: Row, form: SimulatedForm, seed: number): boolean {
  if (form !== 'mixed' || spokenBy.includes('mixed')) return spokenBy.includes(form)
  let hash = 2166136261 ^ seed
  for (const letter of where + field) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619)
  return spokenBy.includes((hash >>> 8) % 2 === 0 ? 'document' : 'maker')
}

/** An answer of the device in this form; `body` has the names and units of the API document. */
export function speakForm(operation: string, body: unknown, form: SimulatedForm, seed: number): unknown {
  if (form === 'document' || typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const spoken = structuredClone(body) as JsonRecord
  for (const { rule } of rows.filter((row) => row.where === operation && isSpoken(row, form, seed))) {
    if (rule.kind === 'scale') for (const path of rule.group ?? []) divide(spoken, path, rule)
    if (rule.kind === 'scale' && rule.keysOf !== undefined) divideKeys(spoken, rule.keysOf, rule.times ?? 1)
    if (rule.kind === 'name' && rule.from !== rule.to) {
      spoken[String(rule.from)] = spoken[String(rule.to)]
      delete spoken[String(rule.to)]
    }
    if (rule.kind === 'without') for (const name of rule.fields ?? []) delete spoken[name]
    if (rule.kind === 'escapedName') escapeAt(spoken, (rule.path ?? '').split('.'))
    if (rule.kind === 'flagText')
      for (const [name, value] of Object.entries(spoken)) if (typeof value === 'boolean') spoken[name] = String(value)
  }
  return spoken
}

function divide(body: JsonRecord, path: string, { times = 1, to }: Rule): void {
  const names = path.split('.')
  const last = names.pop() ?? ''
  const inner = names.reduce((record, name) => record[name] as JsonRecord, body)
  // Volts have three decimals, everything else is counted.
  const digits = Number(to) < 10 ? 1_000 : 1
  inner[last] = Math.round((Number(inner[last]) / times) * digits) / digits
}

/** Names as scan tools of Linux print them: each byte outside ASCII as a number. */
function escapeAt(value: unknown, [name = '', ...rest]: string[]): void {
  const record = value as JsonRecord
  for (const key of name === '*' ? Object.keys(record) : [name]) {
    const inner = record[key]
    if (rest.length > 0) escapeAt(inner ?? {}, rest)
    else if (typeof inner === 'string')
      record[key] = [...Buffer.from(inner, 'utf8')]
        .map((byte) =>
          byte === 34 || byte === 92
            ? `\\${String.fromCharCode(byte)}`
            : byte >= 32 && byte < 127
              ? String.fromCharCode(byte)
              : `\\x${byte.toString(16).padStart(2, '0')}`
        )
        .join('')
  }
}

function divideKeys(body: JsonRecord, path: string, times: number): void {
  const names = path.split('.')
  const last = names.pop() ?? ''
  const inner = names.reduce((record, name) => record[name] as JsonRecord, body)
  inner[last] = Object.fromEntries(
    Object.entries(inner[last] as JsonRecord).map(([key, value]) => [String(Number(key) / times), value])
  )
}
