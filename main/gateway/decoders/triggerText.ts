import { message, plainMessage, type Message } from '../../../preload/contract/messages.ts'
import { deltaOf, fencesOf, type TriggerConditions, type TriggerRule } from './trigger.ts'

type FenceNames = ReadonlyMap<number, string>
interface Part {
  said: Message
  join: 'and' | 'or' | 'not' | null
}

/** When a trigger fires, in one sentence. `names`: geofences by id. What cannot be read is shown as it stands. */
export function describeTrigger({ rules, postfix }: TriggerConditions, names: FenceNames = new Map()): Message {
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
      stack.push({ said: message(`triggers.${item}`, { left: inBrackets(left, item), right: inBrackets(right, item) }), join: item })
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
const fenceWords = { inside_fence: 'triggers.inside', outside_fence: 'triggers.outside', entered_fence: 'triggers.enters', exited_fence: 'triggers.leaves' } as const
const deltaWords = { delta: 'triggers.passesMultiple', 'delta+': 'triggers.risesPast', 'delta-': 'triggers.fallsPast' } as const

function sayRule({ key, operator, value }: TriggerRule, names: FenceNames): Message {
  if (isKeyOf(comparisons, operator)) return message(comparisons[operator], { field: key, wanted: sayValue(value) })
  if (operator === 'within') return message('triggers.oneOf', { field: key, wanted: Array.isArray(value) ? listed(value.map(sayValue)) : sayValue(value) })
  if (isKeyOf(fenceWords, operator)) return message(fenceWords[operator], { fences: sayFences(value, names) })
  if (isKeyOf(deltaWords, operator)) return message(deltaWords[operator], { field: key, step: sayStep(value) })
  return message('triggers.otherRule', { field: key, operator, wanted: sayValue(value) })
}

function isKeyOf<Words extends object>(words: Words, name: string): name is keyof Words & string {
  return Object.hasOwn(words, name)
}

function sayFences(value: unknown, names: FenceNames): Message {
  const { fences, types } = fencesOf(value)
  const all = [
    ...fences.map((id) => {
      const name = names.get(id)
      return name === undefined ? message('triggers.fenceNumber', { number: id }) : message('triggers.fenceNamed', { name })
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
  const words = [plainMessage(String(delta.value)), ...range, ...(around.length === 0 ? [] : [message('triggers.brackets', { inner: listed(around) })])]
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
