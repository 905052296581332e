import { message, type Message } from '../../../preload/contract/messages.ts'
import type { CallOutput } from '../../../preload/contract/index.ts'
import type { Order } from '../../../preload/contract/orders.ts'
import type { Template } from '../../../preload/contract/templates.ts'
import { holds } from '../conditions.ts'
import { planSteps } from '../plan.ts'

/** The steps that a job of this checklist and this order would have, and what is ordered without any step for it. */
export function previewSteps(template: Template | undefined, order: Order | null): CallOutput<'templates.preview'> {
  if (!template) return { steps: [], missing: [] }
  const steps = planSteps(template, order)
  const conditions = new Map(template.steps.map(({ id, when }) => [id, when]))
  return {
    steps: steps.map(({ id, kind, title, instruction }) => ({ id, kind, title, instruction, isByAnswer: holds(conditions.get(id), { order }) === undefined })),
    missing: missingOf(steps, order)
  }
}

function missingOf(steps: ReturnType<typeof planSteps>, order: Order | null): Message[] {
  return (order?.items ?? []).flatMap((item, index, all) => {
    const sameBefore = all.slice(0, index).filter(({ kind }) => kind === item.kind).length
    const isPlanned = steps.filter(({ kind }) => kind === item.kind).length > sameBefore
    return isPlanned ? [] : [item.name ?? message(`kinds.${item.kind}`)]
  })
}
