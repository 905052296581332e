import { defineStore } from 'pinia'
import { computed, ref, shallowReactive, shallowRef } from 'vue'
import type { Events } from '../../../preload/contract/events.ts'
import type { OperationLine, OperationState, SyncResult } from '../../../preload/contract/gateway/operations.ts'
import { call } from '../../base/bridge.ts'
import type { Shape } from '../../base/ui/status.ts'

export const operationShapes: Record<OperationState, Shape> = {
  draft: 'wait',
  blocked: 'wait',
  pending: 'defer',
  sending: 'live',
  unknown: 'unknown',
  verifying: 'live',
  accepted: 'defer',
  done: 'pass',
  failed: 'fail',
  needsAttention: 'warn',
  cancelled: 'none',
  expired: 'none',
  superseded: 'none',
  moved: 'none'
}

const finished: readonly OperationState[] = ['done', 'cancelled', 'expired', 'superseded', 'moved']
const nothing: SyncResult = { done: 0, waiting: 0, needsAttention: 0, failed: 0 }

export type Decision = 'retry' | 'drop' | 'close'

/** Gateway work that waits, is in progress, or needs a person; ended work is loaded a page at a time. */
export const useOperations = defineStore('operations', () => {
  const lines = shallowReactive(new Map<string, OperationLine>())
  const counts = shallowRef<SyncResult>(nothing)
  const isLoaded = ref(false)
  const hasMoreEnded = ref(true)
  const all = computed(() => [...lines.values()].sort((a, b) => b.sequence - a.sequence))
  const open = computed(() => all.value.filter(({ state }) => !finished.includes(state)))
  const ended = computed(() => all.value.filter(({ state }) => finished.includes(state)))
  const openCount = computed(() => counts.value.waiting + counts.value.needsAttention + counts.value.failed)
  const needPerson = computed(() => counts.value.needsAttention + counts.value.failed)

  async function loadPage(scope: 'open' | 'ended', before: number | null): Promise<boolean> {
    const page = await call('operations.list', { scope, before })
    for (const line of page.operations) lines.set(line.id, line)
    counts.value = page.counts
    return page.more
  }

  async function load(): Promise<void> {
    lines.clear()
    hasMoreEnded.value = true
    await loadPage('open', null)
    isLoaded.value = true
  }

  async function loadMoreEnded(): Promise<void> {
    hasMoreEnded.value = await loadPage('ended', ended.value.at(-1)?.sequence ?? null)
  }

  /** All work of a job, including ended work. */
  async function loadJob(jobId: string): Promise<void> {
    for (const line of (await call('operations.ofJob', { jobId })).operations) lines.set(line.id, line)
  }

  function take(changed: Events['operations.changed']): void {
    lines.set(changed.operation.id, changed.operation)
    counts.value = changed.counts
  }

  return { all, open, ended, counts, openCount, needPerson, isLoaded, hasMoreEnded, load, loadMoreEnded, loadJob, take }
})
