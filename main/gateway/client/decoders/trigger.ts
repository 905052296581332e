import { message, type Message } from '../../../../preload/contract/messages.ts'
import { isInsideFence, type FenceShape } from '../../../../preload/base/maps/geofence.ts'
import type { Fields } from './fields.ts'

export interface TriggerRule {
  id: string
  key: string
  operator: string
  value: unknown
}
export interface TriggerConditions {
  rules: readonly TriggerRule[]
  /** Rule ids first, then `and`, `or`, `not`. */
  postfix: readonly string[]
}
export interface FenceOfRule {
  id: number
  types: readonly number[]
  shape: FenceShape
}

const comparisons = ['>=', '==', '<=', '!=', '<', '>']
const fenceOperators = ['inside_fence', 'outside_fence', 'entered_fence', 'exited_fence']
const deltaOperators = ['delta', 'delta+', 'delta-']
const joins = ['and', 'or', 'not']

export interface DeltaValue {
  value: number
  start?: number | undefined
  end?: number | undefined
  pre?: number | undefined
  post?: number | undefined
  freq?: number | undefined
}

/** The problems of rules and postfix ("Trigger", "Automation"); empty when the gateway accepts them. */
export function checkTrigger({ rules, postfix }: TriggerConditions): Message[] {
  const problems = rules.flatMap((rule) =>
    checkRule(rule).map((problem) => message('triggers.ofRule', { rule: rule.id, problem }))
  )
  const ids = new Set(rules.map(({ id }) => id))
  if (ids.size < rules.length) problems.push(message('triggers.sameName'))
  for (const id of ids) if (joins.includes(id)) problems.push(message('triggers.nameOfJoin', { name: id }))
  let depth = 0
  const used = new Set<string>()
  for (const item of postfix) {
    if (ids.has(item) && !joins.includes(item)) {
      used.add(item)
      depth += 1
    } else if (item === 'and' || item === 'or') {
      if (depth < 2) return [...problems, message('triggers.tooFewBefore', { join: item })]
      depth -= 1
    } else if (item === 'not') {
      if (depth < 1) return [...problems, message('triggers.notBeforeAny')]
    } else return [...problems, message('triggers.noSuchRule', { name: item })]
  }
  if (depth === 0) problems.push(message('triggers.postfixEmpty'))
  if (depth > 1) problems.push(message('triggers.sideBySide', { n: depth }))
  for (const id of ids) if (!used.has(id)) problems.push(message('triggers.ruleUnused', { rule: id }))
  return problems
}

function checkRule({ key, operator, value }: TriggerRule): Message[] {
  if (comparisons.includes(operator)) {
    const isPlain = ['string', 'number', 'boolean'].includes(typeof value) || value === null
    if (!isPlain) return [message('triggers.valueNotPlain')]
    const isOrder = operator !== '==' && operator !== '!='
    return isOrder && typeof value !== 'number' ? [message('triggers.comparesNumbers', { operator })] : []
  }
  if (operator === 'within') return Array.isArray(value) && value.length > 0 ? [] : [message('triggers.needsList')]
  if (fenceOperators.includes(operator)) {
    const { fences, types } = fencesOf(value)
    const problems = fences.length + types.length === 0 ? [message('triggers.needsFence')] : []
    return key === 'lat' ? problems : [...problems, message('triggers.fenceKey')]
  }
  if (deltaOperators.includes(operator)) {
    const delta = deltaOf(value)
    if (!delta) return [message('triggers.stepAbove0')]
    if (delta.start !== undefined && delta.end !== undefined && delta.start > delta.end)
      return [message('triggers.rangeBackwards')]
    if (delta.freq !== undefined && delta.pre === undefined && delta.post === undefined)
      return [message('triggers.freqAlone')]
    return []
  }
  return [message('triggers.noOperator', { operator })]
}

/**
 * Whether an event satisfies the trigger; entered, exited and delta need the event `before`. Null without a field that
 * decides.
 */
export function evaluateTrigger(
  { rules, postfix }: TriggerConditions,
  event: Fields,
  before: Fields | null,
  fences: readonly FenceOfRule[] = []
): boolean | null {
  const byId = new Map(rules.map((rule) => [rule.id, rule]))
  const stack: (boolean | null)[] = []
  for (const item of postfix) {
    const rule = byId.get(item)
    if (rule) stack.push(evaluateRule(rule, event, before, fences))
    else if (item === 'not') {
      const top = stack.pop() ?? null
      stack.push(top === null ? null : !top)
    } else {
      const right = stack.pop() ?? null
      const left = stack.pop() ?? null
      stack.push(item === 'and' ? both(left, right) : either(left, right))
    }
  }
  return stack.length === 1 ? (stack[0] ?? null) : null
}

// One side may decide although the other is unknown.
const both = (a: boolean | null, b: boolean | null): boolean | null =>
  a === false || b === false ? false : a === null || b === null ? null : true
const either = (a: boolean | null, b: boolean | null): boolean | null =>
  a === true || b === true ? true : a === null || b === null ? null : false

function evaluateRule(
  rule: TriggerRule,
  event: Fields,
  before: Fields | null,
  fences: readonly FenceOfRule[]
): boolean | null {
  const { key, operator, value } = rule
  if (fenceOperators.includes(operator)) return evaluateFence(operator, value, event, before, fences)
  const present = Object.hasOwn(event, key) ? event[key] : undefined
  if (present === undefined || present === null) return null
  if (deltaOperators.includes(operator))
    return evaluateDelta(operator, value, present, before && Object.hasOwn(before, key) ? before[key] : undefined)
  if (operator === 'within') return Array.isArray(value) && value.some((one) => one === present)
  if (operator === '==') return present === value
  if (operator === '!=') return present !== value
  if (typeof present !== 'number' || typeof value !== 'number') return null
  if (operator === '>') return present > value
  if (operator === '<') return present < value
  return operator === '>=' ? present >= value : present <= value
}

function evaluateFence(
  operator: string,
  value: unknown,
  event: Fields,
  before: Fields | null,
  known: readonly FenceOfRule[]
): boolean | null {
  const wanted = fencesOf(value)
  const shapes = known.filter(
    ({ id, types }) => wanted.fences.includes(id) || types.some((type) => wanted.types.includes(type))
  )
  if (shapes.length === 0) return null
  const isIn = (fields: Fields | null): boolean | null => {
    const [lat, lon] = [fields?.['lat'], fields?.['lon']]
    if (typeof lat !== 'number' || typeof lon !== 'number') return null
    return shapes.some(({ shape }) => isInsideFence(shape, [lon, lat]))
  }
  const now = isIn(event)
  if (now === null || operator === 'inside_fence') return now
  if (operator === 'outside_fence') return !now
  const was = isIn(before)
  return operator === 'entered_fence' ? was === false && now : was === true && !now
}

/**
 * True for the report that passes a multiple of the step; with `pre` or `post` also around it, repeated every `freq`.
 */
function evaluateDelta(operator: string, value: unknown, present: unknown, earlier: unknown): boolean | null {
  const delta = deltaOf(value)
  if (!delta || typeof present !== 'number') return null
  const { pre = 0, post = 0, freq } = delta
  const hasBefore = typeof earlier === 'number'
  const isRightWay =
    hasBefore &&
    (operator === 'delta' ? earlier !== present : operator === 'delta+' ? present > earlier : present < earlier)
  const nearby = multiplesNear(delta, present, hasBefore ? earlier : present)
  if (isRightWay && nearby.some((multiple) => isPassed(earlier, present, multiple))) return true
  if (pre === 0 && post === 0) return false
  return nearby.some((multiple) => {
    if (freq === undefined) return present >= multiple - pre && present <= multiple + post
    if (!isRightWay) return false
    for (let mark = multiple - pre; mark <= multiple + post; mark += freq)
      if (isPassed(earlier, present, mark)) return true
    return false
  })
}

function isPassed(earlier: number, present: number, mark: number): boolean {
  return present > earlier ? earlier < mark && present >= mark : earlier > mark && present <= mark
}

const mostMultiples = 1_000

/** The multiples of the step whose surroundings the path from `earlier` to `present` can touch, within the range. */
function multiplesNear(
  { value, start = -Infinity, end = Infinity, pre = 0, post = 0 }: DeltaValue,
  present: number,
  earlier: number
): number[] {
  const first = Math.floor((Math.min(present, earlier) - post) / value)
  const last = Math.ceil((Math.max(present, earlier) + pre) / value)
  const multiples: number[] = []
  for (let k = first; k <= last && multiples.length < mostMultiples; k++) {
    const multiple = k * value
    if (multiple >= start && multiple <= end) multiples.push(multiple)
  }
  return multiples
}

export function fencesOf(value: unknown): { fences: number[]; types: number[] } {
  const { fences, types } = (value !== null && typeof value === 'object' ? value : {}) as {
    fences?: unknown
    types?: unknown
  }
  const numbers = (list: unknown): number[] =>
    Array.isArray(list) ? list.filter((item) => typeof item === 'number') : []
  return { fences: numbers(fences), types: numbers(types) }
}

export function deltaOf(value: unknown): DeltaValue | undefined {
  if (value === null || typeof value !== 'object') return undefined
  const fields = value as Record<string, unknown>
  const number = (name: string): number | undefined =>
    typeof fields[name] === 'number' && Number.isFinite(fields[name]) ? fields[name] : undefined
  const step = number('value')
  const freq = number('freq')
  if (step === undefined || step <= 0 || (freq !== undefined && freq <= 0)) return undefined
  return { value: step, start: number('start'), end: number('end'), pre: number('pre'), post: number('post'), freq }
}
