import type { HandlersOf, CallOutput } from '../../../../preload/contract/index.ts'
import type { Profile } from '../engine/profile.ts'
import { limitsOfProfile } from './checkTemplate.ts'
import { formSchemas } from './schema.ts'
import type { Templates } from './templates.ts'
import { message } from '../../../../preload/contract/messages.ts'
import type { Order } from '../../../../preload/contract/job/orders.ts'
import type { Template } from '../../../../preload/contract/job/templates.ts'
import { conditionHolds } from '../engine/conditions.ts'
import { needsOfOrder } from '../orders/orderNeeds.ts'
import { itemsWithoutStep, planSteps } from '../engine/plan.ts'

export function createTemplateHandlers(templates: Templates, profile: Profile): HandlersOf<'templates'> {
  return {
    'templates.list': () => ({ templates: templates.list() }),
    'templates.open': ({ id }) => templates.open(id),
    'templates.check': ({ template }) => ({ findings: templates.check(template).findings }),
    'templates.preview': ({ template, order }) => previewSteps(templates.check(template).template, order),
    'templates.save': ({ template, basedOn }) => templates.save(template, basedOn),
    'templates.import': ({ text }) => templates.importText(text),
    'templates.export': ({ id }) => ({ fileName: `${id}.json`, text: templateText(templates.open(id).template) }),
    'templates.remove': ({ id }) => templates.remove(id),
    'templates.schema': () => ({ ...formSchemas(), thresholds: limitsOfProfile(profile) })
  }
}

export function templateText(template: object): string {
  return `${JSON.stringify(template, null, 2)}\n`
}

/** The steps that a job with this checklist and this order would have, and the ordered items without a step. */
export function previewSteps(template: Template | undefined, order: Order | null): CallOutput<'templates.preview'> {
  if (!template) return { steps: [], missing: [], needs: [] }
  const steps = planSteps(template, order)
  const conditions = new Map(template.steps.map(({ id, when }) => [id, when]))
  return {
    steps: steps.map(({ id, kind, title, instruction }) => ({
      id,
      kind,
      title,
      instruction,
      isByAnswer: conditionHolds(conditions.get(id), { order }) === undefined
    })),
    missing: itemsWithoutStep(template, order).map(({ kind, name }) => name ?? message(`kinds.${kind}`)),
    needs: needsOfOrder(template, order)
  }
}
