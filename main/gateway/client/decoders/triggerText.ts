import { message, plainMessage, type Message } from '../../../../preload/contract/messages.ts'
import { sayLabel } from './eventText.ts'
import type { Fields } from './fields.ts'
import { deltaOf, fencesOf, type TriggerConditions, type TriggerRule } from './trigger.ts'

type FenceNames = ReadonlyMap<number, string>
interface Names {
  fences: FenceNames
  /** The records of `GET /labels`; null to show codes unchanged. */
  labels: Fields | null
}
interface Part {
  said: Message
  join: 'and' | 'or' | 'not' | null
}

/**
 * When a trigger fires, in one sentence, with geofences and events by their names. Unreadable parts are shown
 * unchanged.
 */
export function describeTrigger(
  { rules, postfix }: TriggerConditions,
  fences: FenceNames = new Map(),
  labels: Fields | null = null
): Message {
  const names = { fences, labels }
  const asItStands = plainMessage(postfix.join(' '))
  const byId = new Map(rules.map((rule) => [rule.id, rule]))
  const stack: Part[] = []
  for (const item of postfix) {
    const rule = byId.get(item)
    if (rule) stack.push({ said: sayRule(rule, names), join: null })
    else if (item === 'not') {
      const top = stack.pop()
      if (!top) return asItStands
      stack.push({ said: message('triggers.not', { condition: inBrackets(top, 'not') }), join: null })
    } else if (item === 'and' || item === 'or') {
      const right = stack.pop()
      const left = stack.pop()
      if (!left || !right) return asItStands
      stack.push({
        said: message(`triggers.${item}`, { left: inBrackets(left, item), right: inBrackets(right, item) }),
        join: item
      })
    } else return asItStands
  }
  const [only, ...rest] = stack
  return only && rest.length === 0 ? message('triggers.firesWhen', { condition: only.said }) : asItStands
}

function inBrackets({ said, join }: Part, around: Part['join']): Message {
  return join !== null && join !== around ? message('triggers.brackets', { inner: said }) : said
}

const comparisons = {
  '==': 'triggers.is',
  '!=': 'triggers.isNot',
  '>=': 'triggers.atLeast',
  '<=': 'triggers.atMost',
  '>': 'triggers.above',
  '<': 'triggers.below'
} as const
const fenceWords = {
  inside_fence: 'triggers.inside',
  outside_fence: 'triggers.outside',
  entered_fence: 'triggers.enters',
  exited_fence: 'triggers.leaves'
} as const
const deltaWords = {
  delta: 'triggers.passesMultiple',
  'delta+': 'triggers.risesPast',
  'delta-': 'triggers.fallsPast'
} as const

const fieldWords = [
  'type',
  'code',
  'speed',
  'head',
  'sv',
  'valid_position',
  'cf_rssi',
  'dev_dist',
  'dev_ign',
  'dev_idle',
  'ecu_dist',
  'ecu_battery'
] as const

/** The name of a trigger field; an unknown field keeps the gateway's name. */
export function sayTriggerField(key: string): Message {
  const known = fieldWords.find((name) => name === key)
  if (known) return message(`triggers.field.${known}`)
  const [, side, number] = /^io_exp_(in|out)([1-4])$/.exec(key) ?? []
  if (side === undefined || number === undefined) return plainMessage(key)
  return message(side === 'in' ? 'triggers.expanderInput' : 'triggers.expanderOutput', { number })
}

function sayRule(rule: TriggerRule, { fences, labels }: Names): Message {
  const { key, operator, value } = rule
  if (labels === null) return sayParts(rule, fences, { field: plainMessage(key), sayOne: sayValue })
  if (key !== 'label') return sayParts(rule, fences, { field: sayTriggerField(key), sayOne: sayValue })
  const sayOne = (one: unknown): Message => {
    const words = typeof one === 'string' ? sayLabel(labels, one) : null
    return words ? message('triggers.named', { words }) : sayValue(one)
  }
  return sayParts({ key, operator, value, id: rule.id }, fences, { field: message('triggers.theEvent'), sayOne })
}

function sayParts(
  { operator, value }: TriggerRule,
  fences: FenceNames,
  { field, sayOne }: { field: Message; sayOne: (one: unknown) => Message }
): Message {
  if (isKeyOf(comparisons, operator)) return message(comparisons[operator], { field, wanted: sayOne(value) })
  if (operator === 'within')
    return message('triggers.oneOf', {
      field,
      wanted: Array.isArray(value) ? listed(value.map(sayOne)) : sayOne(value)
    })
  if (isKeyOf(fenceWords, operator)) return message(fenceWords[operator], { fences: sayFences(value, fences) })
  if (isKeyOf(deltaWords, operator)) return message(deltaWords[operator], { field, step: sayStep(value) })
  return message('triggers.otherRule', { field, operator, wanted: sayOne(value) })
}

function isKeyOf<Words extends object>(words: Words, name: string): name is keyof Words & string {
  return Object.hasOwn(words, name)
}

function sayFences(value: unknown, names: FenceNames): Message {
  const { fences, types } = fencesOf(value)
  const all = [
    ...fences.map((id) => {
      const name = names.get(id)
      return name === undefined
        ? message('triggers.fenceNumber', { number: id })
        : message('triggers.fenceNamed', { name })
    }),
    ...types.map((type) => message('triggers.fenceType', { type }))
  ]
  return joined(all, (left, right) => message('triggers.or', { left, right }))
}

function sayStep(value: unknown): Message {
  const delta = deltaOf(value)
  if (!delta) return sayValue(value)
  const { start, end, pre, post, freq } = delta
  const range = [
    ...(start === undefined ? [] : [message('triggers.from', { start: String(start) })]),
    ...(end === undefined ? [] : [message('triggers.upTo', { end: String(end) })])
  ]
  const around = [
    ...(pre === undefined ? [] : [message('triggers.alreadyBefore', { pre: String(pre) })]),
    ...(post === undefined ? [] : [message('triggers.stillAfter', { post: String(post) })]),
    ...(freq === undefined ? [] : [message('triggers.every', { freq: String(freq) })])
  ]
  const words = [
    plainMessage(String(delta.value)),
    ...range,
    ...(around.length === 0 ? [] : [message('triggers.brackets', { inner: listed(around) })])
  ]
  return joined(words, (left, right) => message('triggers.besides', { left, right }))
}

function sayValue(value: unknown): Message {
  if (value === null || value === undefined) return message('triggers.nothing')
  if (typeof value === 'boolean') return value ? message('triggers.yes') : message('triggers.no')
  return typeof value === 'string' ? message('triggers.text', { text: value }) : plainMessage(JSON.stringify(value))
}

function listed(all: Message[]): Message {
  return joined(all, (left, right) => message('triggers.listed', { left, right }))
}

function joined(all: Message[], join: (left: Message, right: Message) => Message): Message {
  return all.length === 0 ? message('triggers.nothing') : all.reduce(join)
}
