import { computed, ref, shallowRef, watch, type Ref } from 'vue'
import type { CallOutput } from '../../../preload/contract/index.ts'
import type { Json } from '../../../preload/contract/define.ts'
import type { TemplateFinding } from '../../../preload/contract/job/templates.ts'
import { call } from '../../base/bridge.ts'
import { useLatest } from '../../base/ui/useAction.ts'
import { usePause } from '../../base/ui/usePause.ts'
import { orderedKindsOf } from './schemaFields.ts'
import { namedThing, orderedThings, wordsIn, type Written } from './written.ts'

export type WrittenStep = Written & { id: string; kind: string }
export interface Draft extends Written {
  id: string
  version: number
  steps: WrittenStep[]
}

/** An order by which the steps are shown while a checklist is written. */
export interface Example {
  id: string
  items: Written[] | null
}

const checkAfterMs = 250

/** A checklist during editing: its content, its problems, and the steps of a job. */
export function useTemplateDraft(language: Ref<string>) {
  const draft = shallowRef<Draft | null>(null)
  const origin = ref<'shipped' | 'own'>('own')
  /** The version that was opened; null: it is not kept yet. */
  const basedOn = ref<number | null>(null)
  const isChanged = ref(false)
  const findings = shallowRef<TemplateFinding[]>([])
  const preview = shallowRef<CallOutput<'templates.preview'> | null>(null)
  const schema = shallowRef<CallOutput<'templates.schema'> | null>(null)
  const exampleId = ref('none')
  const soon = usePause(checkAfterMs)

  const things = computed(() => {
    const names = Object.entries((draft.value?.['orderNames'] ?? {}) as Written).map(([id, words]) => ({
      id,
      text: wordsIn(words, language.value)
    }))
    return [...(schema.value ? orderedThings(orderedKindsOf(schema.value.item)) : []), ...names]
  })
  const examples = computed<Example[]>(() => {
    const own = (draft.value?.steps ?? []).map(({ kind }) => kind)
    const single = things.value
      .filter(({ id }) => own.includes(id) || isName(id))
      .map(({ id }) => ({ id, items: [isName(id) ? namedThing(id, draft.value?.steps ?? []) : { kind: id }] }))
    return [{ id: 'none', items: null }, { id: 'everything', items: single.flatMap(({ items }) => items) }, ...single]
  })

  function isName(id: string): boolean {
    return Object.hasOwn((draft.value?.['orderNames'] ?? {}) as Written, id)
  }

  const looking = useLatest(
    (template: Json) => {
      const items = examples.value.find(({ id }) => id === exampleId.value)?.items ?? null
      return Promise.all([
        call('templates.check', { template }),
        call('templates.preview', { template, order: items === null ? null : ({ items } as never) })
      ])
    },
    ([checked, shown]) => {
      findings.value = checked.findings
      // With an error there is no list of steps: the last one stays, marked as old.
      if (!checked.findings.some(({ level }) => level === 'error')) preview.value = shown
    }
  )

  function lookSoon(): void {
    soon(() => draft.value && void looking.run(draft.value as Json))
  }

  function put(next: Draft): void {
    draft.value = next
    isChanged.value = true
    lookSoon()
  }

  async function open(id: string): Promise<void> {
    schema.value ??= await call('templates.schema', {})
    const opened = await call('templates.open', { id })
    draft.value = opened.template as unknown as Draft
    origin.value = opened.origin
    basedOn.value = draft.value.version
    isChanged.value = false
    await looking.run(opened.template)
  }

  /** The same under another id, which is the customer's own. */
  function copy(id: string, name: Written): void {
    if (!draft.value) return
    origin.value = 'own'
    basedOn.value = null
    put({ ...draft.value, id, version: 1, name })
  }

  async function save(): Promise<CallOutput<'templates.save'> | null> {
    if (!draft.value) return null
    const kept = await call('templates.save', { template: draft.value as never, basedOn: basedOn.value })
    findings.value = kept.findings
    if (kept.outcome === 'refused') return kept
    draft.value = { ...draft.value, version: kept.version }
    basedOn.value = kept.version
    isChanged.value = false
    return kept
  }

  watch(exampleId, lookSoon)
  return {
    draft,
    origin,
    basedOn,
    isChanged,
    findings,
    preview,
    schema,
    things,
    examples,
    exampleId,
    looking,
    put,
    open,
    copy,
    save
  }
}
