import { computed, shallowRef, watch } from 'vue'
import type { Json } from '../../../../preload/contract/define.ts'
import type { Message } from '../../../../preload/contract/messages.ts'
import { call } from '../../../bridge.ts'
import { language, say } from '../../../say.ts'
import { useAction } from '../../../ui/useAction.ts'
import { orderedKindsOf } from '../../checklists/schemaFields.ts'
import { wordsIn, type Written } from '../../checklists/written.ts'

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
  let lastChange = 0

  /** A change in the meantime is looked up behind it. */
  const looking = useAction(async () => {
    schema.value ??= (await call('templates.schema', {})).item
    for (let own = 0; own !== lastChange && templateId() !== ''; ) {
      own = lastChange
      if (template.value?.['id'] !== templateId()) template.value = (await call('templates.open', { id: templateId() })).template as Written
      const shown = await call('templates.preview', { template: template.value as never, order: order() as never })
      steps.value = shown.steps.length
      missing.value = shown.missing
    }
  })
  watch(
    [templateId, order],
    () => {
      lastChange += 1
      void looking.run()
    },
    { immediate: true }
  )

  /** Names first: they describe the purpose of this checklist. */
  const things = computed(() => {
    const names = Object.entries((template.value?.['orderNames'] ?? {}) as Written).map(([id, words]) => ({ id, text: wordsIn(words, language.value), item: namedItem(id, words) }))
    const kinds = schema.value ? orderedKindsOf(schema.value).map((id) => ({ id, text: say({ id: `kinds.${id}`, values: {} }), item: { kind: id } as Written })) : []
    return [...names, ...kinds.sort((one, other) => one.text.localeCompare(other.text))]
  })

  function namedItem(as: string, name: unknown): Written {
    const steps = (template.value?.['steps'] ?? []) as Written[]
    const step = steps.find(({ when }) => JSON.stringify(when ?? null).includes(`"ordered":${JSON.stringify(as)}`))
    return { kind: step?.['kind'] ?? 'output', as, name, ...(step?.['output'] === undefined ? {} : { output: step['output'] }) }
  }

  return { schema, things, steps, missing, looking }
}
