import { message } from '../../../preload/contract/messages.ts'
import type { Order } from '../../../preload/contract/jobs/orders.ts'
import type { Condition } from '../../../preload/contract/jobs/steps/condition.ts'
import { stepKind, type OrderItem, type TemplateStep } from '../../../preload/contract/jobs/steps/index.ts'
import type { Template } from '../../../preload/contract/jobs/templates.ts'
import { conditionHolds } from './conditions.ts'
import { joinItems } from './joinItems.ts'

/** The steps of a job: those of its checklist that the order wants, each with its ordered items. */
export function planSteps(template: Template, order: Order | null): TemplateStep[] {
  return assign(template, order).flatMap(({ step, isOwn, items }) => asOrdered(step, isOwn ? items.map(({ name: _known, ...item }) => item as OrderItem) : items, isForOrdersAlone(step.when)))
}

/** Ordered items without a step in the checklist. */
export function itemsWithoutStep(template: Template, order: Order | null): OrderItem[] {
  const assigned = new Set(assign(template, order).flatMap(({ items }) => items))
  return (order?.items ?? []).filter((item) => !assigned.has(item))
}

function assign(template: Template, order: Order | null): { step: TemplateStep; isOwn: boolean; items: OrderItem[] }[] {
  const wanted = template.steps.filter((step) => conditionHolds(step.when, { order }) !== false)
  // An item that a step refers to by name belongs only to that step, not also to the one for its kind.
  const named = new Map(wanted.map((step) => [step, namesIn(step.when).filter((name) => !isKind(name))]))
  return wanted.map((step) => {
    const own = named.get(step) ?? []
    const others = wanted.flatMap((other) => (other.kind === step.kind && other !== step ? (named.get(other) ?? []) : []))
    return { step, isOwn: own.length > 0, items: (order?.items ?? []).filter((item) => item.kind === step.kind && isMeant(item, own, others)) }
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
  return { ...step, ...settings, title, instruction: settings.instruction ?? step.instruction } as TemplateStep
}
