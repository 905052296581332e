import type { TriggerOperator, TriggerRule } from '../../../preload/contract/triggers.ts'

/** A rule as a person fills it in. */
export interface RuleDraft {
  id: string
  key: string
  operator: TriggerOperator
  /** Of comparisons; a list with commas for `within`. */
  text: string
  fences: number[]
  step: string
  start: string
  end: string
  pre: string
  post: string
  freq: string
}

export const operators: readonly TriggerOperator[] = ['==', '!=', '>', '>=', '<', '<=', 'within', 'inside_fence', 'outside_fence', 'entered_fence', 'exited_fence', 'delta', 'delta+', 'delta-']

export function newRule(number: number): RuleDraft {
  return { id: `rule${String(number)}`, key: 'label', operator: '==', text: '', fences: [], step: '', start: '', end: '', pre: '', post: '', freq: '' }
}

export function isFence(operator: TriggerOperator): boolean {
  return operator.endsWith('_fence')
}
export function isDelta(operator: TriggerOperator): boolean {
  return operator.startsWith('delta')
}

/** `true`, `5` and `in1on` become yes, a number and a text; quotes keep a text. */
export function readValue(text: string): string | number | boolean {
  const plain = text.trim()
  if (/^(true|false)$/i.test(plain)) return plain.toLowerCase() === 'true'
  if (/^-?\d+(\.\d+)?$/.test(plain)) return Number(plain)
  return plain.replace(/^(["'])(.*)\1$/, '$2')
}

/** The rule as the gateway takes it; null while it is not complete. */
export function ruleOf(draft: RuleDraft): TriggerRule | null {
  const { id, operator } = draft
  if (!/^[A-Za-z][A-Za-z0-9_]{0,39}$/.test(id)) return null
  if (isFence(operator)) return draft.fences.length > 0 ? { id, key: 'lat', operator, value: { fences: draft.fences, types: [] } } : null
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,59}$/.test(draft.key)) return null
  if (isDelta(operator)) {
    if (!isNumber(draft.step)) return null
    const value: Record<string, number> = { value: Number(draft.step) }
    for (const name of ['start', 'end', 'pre', 'post', 'freq'] as const) if (isNumber(draft[name])) value[name] = Number(draft[name])
    return { id, key: draft.key, operator, value }
  }
  if (draft.text.trim() === '') return null
  if (operator === 'within') return { id, key: draft.key, operator, value: draft.text.split(',').map((part) => readValue(part)) }
  return { id, key: draft.key, operator, value: readValue(draft.text) }
}

function isNumber(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text))
}

/** The postfix that joins all rules by one operator. */
export function joinedBy(join: 'and' | 'or', ids: readonly string[]): string[] {
  return ids.flatMap((id, index) => (index === 0 ? [id] : [id, join]))
}
