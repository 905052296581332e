import type { PhotoPurpose } from '../../../../preload/contract/job/steps/person.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { Order } from '../../../../preload/contract/job/orders.ts'
import type { Condition } from '../../../../preload/contract/job/steps/condition.ts'
import { stepKind, type OrderItem, type TemplateStep } from '../../../../preload/contract/job/steps/index.ts'
import type { Template } from '../../../../preload/contract/job/templates.ts'
import { conditionHolds } from './conditions.ts'

/** The steps of a job: those of its checklist that the order wants, each with its ordered items. */
export function planSteps(template: Template, order: Order | null): TemplateStep[] {
  return assignItems(template, order).flatMap(({ step, isOwn, items }) =>
    asOrdered(
      step,
      isOwn ? items.map(({ name: _known, ...item }) => item as OrderItem) : items,
      isForOrdersAlone(step.when)
    )
  )
}

/** Ordered items without a step in the checklist. */
export function itemsWithoutStep(template: Template, order: Order | null): OrderItem[] {
  const assigned = new Set(assignItems(template, order).flatMap(({ items }) => items))
  return (order?.items ?? []).filter((item) => !assigned.has(item))
}

/** The steps of a checklist that the order wants, each with its ordered items. */
export function assignItems(
  template: Template,
  order: Order | null
): { step: TemplateStep; isOwn: boolean; items: OrderItem[] }[] {
  const wanted = template.steps.filter((step) => conditionHolds(step.when, { order }) !== false)
  // An item that a step refers to by name belongs only to that step, not also to the one for its kind.
  const named = new Map(wanted.map((step) => [step, namesIn(step.when).filter((name) => !isKind(name))]))
  return wanted.map((step) => {
    const own = named.get(step) ?? []
    const others = wanted.flatMap((other) =>
      other.kind === step.kind && other !== step ? (named.get(other) ?? []) : []
    )
    return {
      step,
      isOwn: own.length > 0,
      items: (order?.items ?? []).filter((item) => item.kind === step.kind && isMeant(item, own, others))
    }
  })
}

function isMeant({ as = '' }: OrderItem, own: readonly string[], others: readonly string[]): boolean {
  return own.length > 0 ? own.includes(as) : !others.includes(as)
}

function asOrdered(step: TemplateStep, items: readonly OrderItem[], isForOrdersAlone: boolean): TemplateStep[] {
  const [first] = items
  // Each of its items has its own step.
  if (!first) return step.perItem && isForOrdersAlone ? [] : [step]
  if (!step.perItem) return [merge(step, joinItems(items))]
  return items.map((item, index) => ({ ...merge(step, item), id: index === 0 ? step.id : `${step.id}-${index + 1}` }))
}

/**
 * Several ordered items of a kind for one step: their lists and tables are joined; of other settings the first item's
 * counts.
 */
function joinItems(items: readonly OrderItem[]): OrderItem {
  const [first, ...rest] = items.map(withWires) as [OrderItem, ...OrderItem[]]
  if (rest.length === 0) return first
  // A name and an instruction of one of them would speak for all.
  const {
    name: _name,
    instruction: _instruction,
    ...joined
  } = rest.reduce<Record<string, unknown>>((all, item) => join(all, { ...item }), { ...first })
  return joined as unknown as OrderItem
}

function join(all: Record<string, unknown>, more: Record<string, unknown>): Record<string, unknown> {
  const sum = { ...more, ...all }
  for (const [name, value] of Object.entries(more)) {
    const present = all[name]
    if (Array.isArray(present) && Array.isArray(value))
      sum[name] = [...present, ...value.filter((one) => !present.includes(one))]
    else if (name === 'wires') sum[name] = { ...(value as object), ...(present as object | undefined) }
  }
  return sum
}

/** An input is called by the name of its item, and has its instruction. */
function withWires(item: OrderItem): OrderItem {
  const { name, instruction } = item
  if (item.kind !== 'inputs' || !item.inputs || name === undefined) return item
  const own = { name, ...(instruction === undefined ? {} : { instruction }) }
  return { ...item, wires: { ...Object.fromEntries(item.inputs.map((line) => [line, own])), ...item.wires } }
}

function isKind(name: string): boolean {
  return stepKind.safeParse(name).success
}

function namesIn(condition: Condition | undefined): string[] {
  if (condition === undefined || 'noOrder' in condition || 'answered' in condition || 'not' in condition) return []
  if ('ordered' in condition) return [condition.ordered]
  return ('all' in condition ? condition.all : condition.any).flatMap(namesIn)
}

function isForOrdersAlone(condition: Condition | undefined): boolean {
  return conditionHolds(condition, { order: null }) === false
}

/** The order overrides the checklist. */
function merge(step: TemplateStep, { as: _as, name, ...settings }: OrderItem): TemplateStep {
  const title = name === undefined ? step.title : message('jobs.stepOfItem', { step: step.title, item: name })
  return {
    ...step,
    ...settings,
    title,
    instruction: settings.instruction ?? instructionForItem(step, name, settings)
  } as TemplateStep
}

/** The general instruction of a shipped checklist names the ordered item: a question is the question itself. */
function instructionForItem(
  { instruction }: TemplateStep,
  name: OrderItem['name'],
  settings: Omit<OrderItem, 'as' | 'name'>
): TemplateStep['instruction'] {
  const purpose = settings.kind === 'photo' && 'purpose' in settings ? (settings.purpose as PhotoPurpose) : undefined
  const item = name ?? (purpose && purpose !== 'other' ? message(`windowPhotos.purpose.${purpose}`) : undefined)
  if (item === undefined || typeof instruction === 'string') return instruction
  switch ((instruction as Message).id) {
    case 'checklists.questionInstruction':
      return item
    case 'checklists.measurementInstruction':
      return message('jobs.measure', { item })
    case 'checklists.photoInstruction':
      return message('jobs.photograph', { item })
    default:
      return instruction
  }
}
