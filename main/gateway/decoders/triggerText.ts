import { deltaOf, type TriggerConditions, type TriggerRule } from './trigger.ts'

type Language = 'en' | 'es'

interface Words {
  when: string
  and: string
  or: string
  not: string
  is: string
  isNot: string
  atLeast: string
  atMost: string
  above: string
  below: string
  oneOf: string
  inside: string
  outside: string
  enters: string
  leaves: string
  fence: string
  type: string
  changesBy: string
  growsBy: string
  fallsBy: string
  from: string
  upTo: string
  before: string
  after: string
  every: string
  yes: string
  no: string
  nothing: string
}

const words: Record<Language, Words> = {
  en: {
    when: 'Fires when', and: 'and', or: 'or', not: 'it is not so that', is: 'is', isNot: 'is not', atLeast: 'is at least', atMost: 'is at most',
    above: 'is above', below: 'is below', oneOf: 'is one of', inside: 'the vehicle is inside', outside: 'the vehicle is outside',
    enters: 'the vehicle enters', leaves: 'the vehicle leaves', fence: 'geofence', type: 'a geofence of type', changesBy: 'passes a multiple of',
    growsBy: 'rises past a multiple of', fallsBy: 'falls past a multiple of', from: 'from', upTo: 'up to', before: 'already', after: 'still',
    every: 'every', yes: 'yes', no: 'no', nothing: 'nothing'
  },
  es: {
    when: 'Se activa cuando', and: 'y', or: 'o', not: 'no se cumple que', is: 'es', isNot: 'no es', atLeast: 'es al menos', atMost: 'es como máximo',
    above: 'es mayor que', below: 'es menor que', oneOf: 'es uno de', inside: 'el vehículo está dentro de', outside: 'el vehículo está fuera de',
    enters: 'el vehículo entra en', leaves: 'el vehículo sale de', fence: 'la geocerca', type: 'una geocerca del tipo', changesBy: 'pasa un múltiplo de',
    growsBy: 'sube y pasa un múltiplo de', fallsBy: 'baja y pasa un múltiplo de', from: 'desde', upTo: 'hasta', before: 'ya', after: 'todavía',
    every: 'cada', yes: 'sí', no: 'no', nothing: 'nada'
  }
}

/** When a trigger fires, in one sentence. `names`: geofences by id. What cannot be read is shown as it stands. */
export function describeTrigger({ rules, postfix }: TriggerConditions, language: Language, names: ReadonlyMap<number, string> = new Map()): string {
  const w = words[language]
  const byId = new Map(rules.map((rule) => [rule.id, rule]))
  const stack: { text: string; join: 'and' | 'or' | null }[] = []
  const wrap = (part: { text: string; join: string | null }, join: string): string => (part.join !== null && part.join !== join ? `(${part.text})` : part.text)
  for (const item of postfix) {
    const rule = byId.get(item)
    if (rule) stack.push({ text: ruleText(rule, w, names), join: null })
    else if (item === 'not') {
      const top = stack.pop()
      if (!top) return postfix.join(' ')
      stack.push({ text: `${w.not} ${wrap(top, 'not')}`, join: null })
    } else if (item === 'and' || item === 'or') {
      const right = stack.pop()
      const left = stack.pop()
      if (!left || !right) return postfix.join(' ')
      stack.push({ text: `${wrap(left, item)} ${w[item]} ${wrap(right, item)}`, join: item })
    } else return postfix.join(' ')
  }
  const [only, ...rest] = stack
  return only && rest.length === 0 ? `${w.when} ${only.text}.` : postfix.join(' ')
}

function ruleText({ key, operator, value }: TriggerRule, w: Words, names: ReadonlyMap<number, string>): string {
  const comparison: Record<string, string> = { '==': w.is, '!=': w.isNot, '>=': w.atLeast, '<=': w.atMost, '>': w.above, '<': w.below }
  if (comparison[operator]) return `${key} ${comparison[operator]} ${plain(value, w)}`
  if (operator === 'within') return `${key} ${w.oneOf} ${Array.isArray(value) ? value.map((one) => plain(one, w)).join(', ') : plain(value, w)}`
  const fence: Record<string, string> = { inside_fence: w.inside, outside_fence: w.outside, entered_fence: w.enters, exited_fence: w.leaves }
  if (fence[operator]) return `${fence[operator]} ${fenceText(value, w, names)}`
  const delta: Record<string, string> = { delta: w.changesBy, 'delta+': w.growsBy, 'delta-': w.fallsBy }
  return delta[operator] ? `${key} ${delta[operator]} ${deltaText(value, w)}` : `${key} ${operator} ${plain(value, w)}`
}

function fenceText(value: unknown, w: Words, names: ReadonlyMap<number, string>): string {
  const { fences = [], types = [] } = (value ?? {}) as { fences?: number[]; types?: number[] }
  const parts = [...fences.map((id) => `${w.fence} ${names.has(id) ? `“${names.get(id)}”` : id}`), ...types.map((id) => `${w.type} ${id}`)]
  return parts.join(` ${w.or} `)
}

function deltaText(value: unknown, w: Words): string {
  const delta = deltaOf(value)
  if (!delta) return plain(value, w)
  const { start, end, pre, post, freq } = delta
  const range = [start === undefined ? '' : `${w.from} ${start}`, end === undefined ? '' : `${w.upTo} ${end}`].filter(Boolean).join(' ')
  const around = [pre === undefined ? '' : `${w.before} ${pre} −`, post === undefined ? '' : `${w.after} ${post} +`].filter(Boolean).join(', ')
  return [String(delta.value), range, around && `(${around}${freq === undefined ? '' : `, ${w.every} ${freq}`})`].filter(Boolean).join(' ')
}

function plain(value: unknown, w: Words): string {
  if (value === null || value === undefined) return w.nothing
  if (typeof value === 'boolean') return value ? w.yes : w.no
  return typeof value === 'string' ? `“${value}”` : JSON.stringify(value)
}
