import type { TriggerOperator, TriggerRule } from '../../../preload/contract/gateway/triggers.ts'

/** A clause of the sentence as a person fills it in: subject, verb, and the blanks after it. */
export interface RuleDraft {
  id: string
  key: string
  operator: TriggerOperator
  /** For comparisons; a comma-separated list for `within`. */
  text: string
  fences: number[]
  /** Types of geofences, copied from the edited trigger and left unchanged. */
  fenceTypes: number[]
  step: string
  start: string
  end: string
  pre: string
  post: string
  freq: string
}

/** The subject of a clause: an event by its label, the vehicle's position, or a field of its events. */
export type Subject = 'label' | 'place' | 'field'
export type Blank = 'key' | 'value' | 'fences' | 'step' | 'bounds'

export const deltaBlanks = ['start', 'end', 'pre', 'post', 'freq'] as const
const fenceOperators = ['entered_fence', 'exited_fence', 'inside_fence', 'outside_fence'] as const
const labelOperators = ['==', '!=', 'within'] as const
const fieldOperators = ['==', '!=', '>', '>=', '<', '<=', 'within', 'delta', 'delta+', 'delta-'] as const

export function newRule(number: number): RuleDraft {
  return {
    id: `rule${String(number)}`,
    key: 'label',
    operator: '==',
    text: '',
    fences: [],
    fenceTypes: [],
    step: '',
    start: '',
    end: '',
    pre: '',
    post: '',
    freq: ''
  }
}

export function isFence(operator: string): boolean {
  return operator.endsWith('_fence')
}
export function isDelta(operator: string): boolean {
  return operator.startsWith('delta')
}

export function subjectOf({ key, operator }: RuleDraft): Subject {
  return isFence(operator) ? 'place' : key === 'label' ? 'label' : 'field'
}

/** The verbs for a subject. */
export function operatorsOf(subject: Subject): readonly TriggerOperator[] {
  return subject === 'place' ? fenceOperators : subject === 'label' ? labelOperators : fieldOperators
}

/** The clause with another subject: blanks that do not fit any more are emptied. */
export function aboutField(draft: RuleDraft, key: string): RuleDraft {
  const next = { ...draft, key, text: '' }
  return operatorsOf(subjectOf({ ...next, operator: '==' })).includes(draft.operator)
    ? next
    : { ...next, operator: '==' }
}
export function aboutPlace(draft: RuleDraft): RuleDraft {
  return { ...draft, key: 'lat', operator: 'entered_fence', text: '' }
}

/** `true`, `5` and `in1on` become a boolean, a number and a text; a quoted value stays a text. */
export function readValue(text: string): string | number | boolean {
  const plain = text.trim()
  if (plain === 'true' || plain === 'false') return plain === 'true'
  if (/^-?\d+(\.\d+)?$/.test(plain)) return Number(plain)
  if (!/^".*"$/s.test(plain)) return plain
  try {
    return String(JSON.parse(plain))
  } catch {
    // Not the quotes that Fitter writes: the person typed these deliberately.
    return plain.slice(1, -1)
  }
}

/** The text for a value; `readValue` converts it back unchanged. */
export function writeValue(value: unknown): string {
  if (typeof value !== 'string') return String(value)
  const isPlain = value !== '' && !value.includes(',') && !value.includes('"') && readValue(value) === value
  return isPlain ? value : JSON.stringify(value)
}

function splitList(text: string): string[] {
  return text.match(/\s*"(?:[^"\\]|\\.)*"\s*|[^,]+/g)?.filter((part) => part.trim() !== '') ?? []
}

/** Errors in the blanks of a clause, by blank; empty when the clause is complete. */
export function emptyBlanks(draft: RuleDraft): Blank[] {
  const { operator, key } = draft
  if (isFence(operator)) return draft.fences.length + draft.fenceTypes.length > 0 ? [] : ['fences']
  const blanks: Blank[] = /^[A-Za-z_][A-Za-z0-9_]{0,59}$/.test(key) ? [] : ['key']
  if (isDelta(operator)) {
    if (!(isNumber(draft.step) && Number(draft.step) > 0)) blanks.push('step')
    if (deltaBlanks.some((name) => draft[name].trim() !== '' && !isNumber(draft[name]))) blanks.push('bounds')
  } else if (operator === 'within' ? splitList(draft.text).length === 0 : draft.text.trim() === '') blanks.push('value')
  return blanks
}

/** The rule in the gateway's form; null while a blank is empty. */
export function ruleOf(draft: RuleDraft): TriggerRule | null {
  const { id, operator, key } = draft
  if (!/^[A-Za-z][A-Za-z0-9_]{0,39}$/.test(id) || emptyBlanks(draft).length > 0) return null
  if (isFence(operator)) return { id, key: 'lat', operator, value: { fences: draft.fences, types: draft.fenceTypes } }
  if (isDelta(operator)) {
    const value: Record<string, number> = { value: Number(draft.step) }
    for (const name of deltaBlanks) if (isNumber(draft[name])) value[name] = Number(draft[name])
    return { id, key, operator, value }
  }
  return {
    id,
    key,
    operator,
    value: operator === 'within' ? splitList(draft.text).map(readValue) : readValue(draft.text)
  }
}

/** A gateway rule as an editable clause; null when the blanks cannot express the rule. */
export function draftOf(rule: { id: string; key: string; operator: string; value: unknown }): RuleDraft | null {
  const { id, key, value } = rule
  const operator = [...fenceOperators, ...fieldOperators].find((known) => known === rule.operator)
  if (!operator) return null
  const draft = { ...newRule(1), id, key, operator }
  if (isFence(operator)) {
    const { fences, types } = fields(value)
    return { ...draft, fences: numbers(fences), fenceTypes: numbers(types) }
  }
  if (isDelta(operator)) {
    const parts = fields(value)
    const text = (name: string): string => (typeof parts[name] === 'number' ? String(parts[name]) : '')
    return {
      ...draft,
      step: text('value'),
      start: text('start'),
      end: text('end'),
      pre: text('pre'),
      post: text('post'),
      freq: text('freq')
    }
  }
  if (operator === 'within') return Array.isArray(value) ? { ...draft, text: value.map(writeValue).join(', ') } : null
  return ['string', 'number', 'boolean'].includes(typeof value) ? { ...draft, text: writeValue(value) } : null
}

function fields(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {}
}
function numbers(list: unknown): number[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'number') : []
}
function isNumber(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text))
}

/** The postfix that joins all rules by one operator. */
export function joinedBy(join: 'and' | 'or', ids: readonly string[]): string[] {
  return ids.flatMap((id, index) => (index === 0 ? [id] : [id, join]))
}

/** How a postfix joins its rules; `own` when no single word describes it. */
export function joinOf(postfix: readonly string[], ids: readonly string[]): 'and' | 'or' | 'own' {
  const is = (join: 'and' | 'or'): boolean => joinedBy(join, ids).join(' ') === postfix.join(' ')
  return is('and') ? 'and' : is('or') ? 'or' : 'own'
}
