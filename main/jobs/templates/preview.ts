import { message } from '../../../preload/contract/messages.ts'
import type { CallOutput } from '../../../preload/contract/index.ts'
import type { Order } from '../../../preload/contract/orders.ts'
import type { Template } from '../../../preload/contract/templates.ts'
import { holds } from '../conditions.ts'
import { itemsWithoutStep, planSteps } from '../plan.ts'

/** The steps that a job of this checklist and this order would have, and what is ordered without any step for it. */
export function previewSteps(template: Template | undefined, order: Order | null): CallOutput<'templates.preview'> {
  if (!template) return { steps: [], missing: [] }
  const steps = planSteps(template, order)
  const conditions = new Map(template.steps.map(({ id, when }) => [id, when]))
  return {
    steps: steps.map(({ id, kind, title, instruction }) => ({ id, kind, title, instruction, isByAnswer: holds(conditions.get(id), { order }) === undefined })),
    missing: itemsWithoutStep(template, order).map(({ kind, name }) => name ?? message(`kinds.${kind}`))
  }
}
