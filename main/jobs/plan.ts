import { message } from '../../preload/contract/messages.ts'
import type { Order } from '../../preload/contract/orders.ts'
import type { OrderItem, TemplateStep } from '../../preload/contract/steps/index.ts'
import type { Template } from '../../preload/contract/templates.ts'
import { holds } from './conditions.ts'

/** The steps of a job: those of its checklist that the order wants, each told what was ordered. */
export function planSteps(template: Template, order: Order | null): TemplateStep[] {
  return template.steps.filter((step) => holds(step.when, { order }) !== false).flatMap((step) => asOrdered(step, order))
}

function asOrdered(step: TemplateStep, order: Order | null): TemplateStep[] {
  const items = (order?.items ?? []).filter((item) => item.kind === step.kind && isMeant(step, item))
  if (items.length === 0) return [step]
  if (!step.perItem) return [merge(step, items[0] as OrderItem)]
  return items.map((item, index) => ({ ...merge(step, item), id: index === 0 ? step.id : `${step.id}-${index + 1}` }))
}

/** A step for one thing of several of its kind ("the starter relay") takes that one alone. */
function isMeant({ when }: TemplateStep, item: OrderItem): boolean {
  return !when || !('ordered' in when) || when.ordered === item.kind || when.ordered === item.as
}

/** What was ordered goes before what the checklist says. */
function merge(step: TemplateStep, { as: _as, name, ...settings }: OrderItem): TemplateStep {
  const title = name === undefined ? step.title : message('jobs.stepOfItem', { step: step.title, item: name })
  return { ...step, ...settings, title, instruction: settings.instruction ?? step.instruction } as TemplateStep
}
