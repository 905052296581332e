import { computed, onScopeDispose, ref, shallowRef } from 'vue'
import type { SnapshotComparison, SnapshotLine } from '../../../../preload/contract/support/snapshots.ts'
import { call, subscribe } from '../../../base/bridge.ts'
import { saveBlob } from '../../../base/saveFile.ts'
import { t } from '../../../base/texts.ts'
import { useAction, useReading } from '../../../base/ui/useAction.ts'
import { useToasts } from '../../../base/shell/toasts.store.ts'

/** A larger file is not a snapshot; its beginning is enough for the core to reject it. */
const mostLetters = 1_100_000
const view = 'snapshots'

/**
 * The snapshots of one device: the list page by page, the two to compare (`first`: at the beginning), and the actions.
 */
export function useSnapshots(imei: () => string, first: (listed: readonly SnapshotLine[]) => readonly SnapshotLine[]) {
  const kept = shallowRef<SnapshotLine[] | null>(null)
  const opened = shallowRef<SnapshotLine[]>([])
  const next = ref<string | null>(null)
  const chosen = ref<string[]>([])
  const without = ref<string[]>([])
  const compared = shallowRef<SnapshotComparison | null>(null)
  const progress = ref<{ done: number; total: number } | null>(null)
  const lines = computed(() => [...opened.value, ...(kept.value ?? [])])

  const loading = useReading(async (isLast) => {
    const page = await call('snapshots.list', imei() === '' ? {} : { imei: imei() })
    if (!isLast()) return
    kept.value = page.snapshots
    next.value = page.next
    choose(first(page.snapshots).map(({ id }) => id))
  }, imei)
  const loadingMore = useAction(async () => {
    const page = await call('snapshots.list', { ...(imei() === '' ? {} : { imei: imei() }), after: next.value })
    kept.value = [...(kept.value ?? []), ...page.snapshots]
    next.value = page.next
  })

  const comparing = useReading(
    async (isLast) => {
      const [before, after] = chosen.value
      const found =
        before !== undefined && after !== undefined
          ? await call('snapshots.diff', { before, after, without: without.value })
          : null
      if (isLast()) compared.value = found
    },
    [chosen, without]
  )

  /** At most two: a third one replaces the first. */
  function choose(ids: readonly string[]): void {
    chosen.value = ids.slice(-2)
  }

  const taking = useAction(async (key: string) => {
    progress.value = null
    const stop = subscribe('snapshots.progress', (next) => {
      if (next.view === view) progress.value = next
    })
    try {
      const { snapshot } = await call('snapshots.take', { key, view })
      kept.value = [snapshot, ...(kept.value ?? [])]
      choose([...chosen.value, snapshot.id])
      useToasts().say(t('windowSnapshots.taken'))
    } finally {
      stop()
      progress.value = null
    }
  })

  const saving = useAction(async (id: string) => {
    const { fileName, text } = await call('snapshots.export', { id })
    saveBlob(fileName, new Blob([text], { type: 'application/json' }))
    useToasts().say(t('windowSnapshots.saved', { file: fileName }))
  })

  const refusal = shallowRef<Extract<Awaited<ReturnType<typeof open>>, { outcome: 'refused' }>['why'] | null>(null)
  async function open(file: Blob) {
    return call('snapshots.open', { text: (await file.text()).slice(0, mostLetters) })
  }
  const opening = useAction(async (file: Blob) => {
    refusal.value = null
    const answer = await open(file)
    if (answer.outcome === 'refused') {
      refusal.value = answer.why
      return
    }
    const { snapshot } = answer
    opened.value = [snapshot, ...opened.value.filter(({ id }) => id !== snapshot.id)]
    choose([...chosen.value.filter((id) => id !== snapshot.id), snapshot.id])
  })

  function toggle(id: string): void {
    choose(chosen.value.includes(id) ? chosen.value.filter((one) => one !== id) : [...chosen.value, id])
  }
  function switchRule(id: string, isOn: boolean): void {
    without.value = isOn ? without.value.filter((one) => one !== id) : [...without.value, id]
  }

  onScopeDispose(() => void call('snapshots.stop', { view }).catch(() => undefined))
  return {
    kept,
    lines,
    next,
    chosen,
    without,
    compared,
    progress,
    refusal,
    loading,
    loadingMore,
    comparing,
    taking,
    saving,
    opening,
    choose,
    toggle,
    switchRule,
    stop: () => call('snapshots.stop', { view })
  }
}
