import { computed, shallowRef } from 'vue'
import type { CallOutput } from '../../../../preload/contract/index.ts'
import type { Message } from '../../../../preload/contract/messages.ts'
import { call } from '../../../base/bridge.ts'
import { useReading } from '../../../base/ui/useAction.ts'
import type { OrderDraft } from '../orders/useOrderThings.ts'

type Steps = CallOutput<'templates.preview'>['steps']

/** The number of steps that a job has with this order, by checklist, and which of them only the order brings. */
export function useStepCounts(ids: () => readonly string[], order: () => OrderDraft | null) {
  const templates = new Map<string, CallOutput<'templates.open'>['template']>()
  const without = new Map<string, ReadonlySet<string>>()
  const steps = shallowRef<ReadonlyMap<string, Steps>>(new Map())

  async function stepsOf(id: string, wanted: OrderDraft | null): Promise<Steps> {
    const template = templates.get(id) ?? (await call('templates.open', { id })).template
    templates.set(id, template)
    return (await call('templates.preview', { template, order: wanted as never })).steps
  }

  const counting = useReading(async () => {
    const next = new Map<string, Steps>()
    for (const id of ids()) {
      if (!without.has(id)) without.set(id, new Set((await stepsOf(id, null)).map((step) => step.id)))
      next.set(id, await stepsOf(id, order()))
    }
    steps.value = next
  }, [ids, order])

  /** Titles of the steps of this checklist that the order brings. */
  const ofOrder = (id: string): Message[] =>
    (steps.value.get(id) ?? []).filter((step) => without.get(id)?.has(step.id) === false).map(({ title }) => title)
  const counts = computed(() => new Map([...steps.value].map(([id, all]) => [id, all.length])))
  return { counts, ofOrder, counting }
}
