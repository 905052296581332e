import { computed, shallowRef } from 'vue'
import type { Json } from '../../../../preload/contract/define.ts'
import type { Message } from '../../../../preload/contract/messages.ts'
import type { OrderNeed } from '../../../../preload/contract/job/templates.ts'
import { call } from '../../../base/bridge.ts'
import { language } from '../../../base/say.ts'
import { useReading } from '../../../base/ui/useAction.ts'
import { orderedKindsOf } from '../../checklists/schemaFields.ts'
import { namedThing, orderedThings, wordsIn, type Written } from '../../checklists/written.ts'

export interface OrderDraft extends Written {
  reference: string
  items: Written[]
  vehicle: string
  customer: string
  notes: string
}

export const emptyOrder: OrderDraft = { reference: '', items: [], vehicle: '', customer: '', notes: '' }

/** The items that can be ordered with a checklist, and the steps for the ordered ones. */
export function useOrderThings(templateId: () => string, order: () => OrderDraft | null) {
  const schema = shallowRef<Json | null>(null)
  const template = shallowRef<Written | null>(null)
  const steps = shallowRef(0)
  const missing = shallowRef<Message[]>([])
  const needs = shallowRef<OrderNeed[]>([])

  const looking = useReading(async () => {
    schema.value ??= (await call('templates.schema', {})).item
    if (templateId() === '') return
    if (template.value?.['id'] !== templateId())
      template.value = (await call('templates.open', { id: templateId() })).template as Written
    const shown = await call('templates.preview', { template: template.value as never, order: order() as never })
    steps.value = shown.steps.length
    missing.value = shown.missing
    needs.value = shown.needs
  }, [templateId, order])

  /** Names first: they describe the purpose of this checklist. */
  const things = computed(() => {
    // The names of another checklist are not offered while this one is being read.
    const present = template.value?.['id'] === templateId() ? template.value : {}
    const { orderNames = {}, steps: ofTemplate = [] } = present as { orderNames?: Written; steps?: Written[] }
    const names = Object.entries(orderNames).map(([id, name]) => ({
      id,
      text: wordsIn(name, language.value),
      item: { ...namedThing(id, ofTemplate), name } as Written
    }))
    const kinds = schema.value
      ? orderedThings(orderedKindsOf(schema.value)).map((thing) => ({ ...thing, item: { kind: thing.id } as Written }))
      : []
    return [...names, ...kinds]
  })

  return { schema, things, steps, missing, needs, looking }
}
