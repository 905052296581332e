import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { Operation, OperationState, SyncResult } from '../../../preload/contract/operations.ts'
import { call } from '../../bridge.ts'
import type { Shape } from '../../ui/status.ts'

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
  cancelled: 'waived',
  expired: 'waived',
  superseded: 'none'
}

const finished: readonly OperationState[] = ['done', 'cancelled', 'expired', 'superseded']
const wantsDecision: readonly OperationState[] = ['needsAttention', 'failed']

export type Decision = 'retry' | 'drop' | 'close'

/** Gateway work that waits, is under way, or needs a person. */
export const useOperations = defineStore('operations', () => {
  const operations = shallowRef<Operation[]>([])
  const isLoaded = ref(false)
  const open = computed(() => operations.value.filter((operation) => !finished.includes(operation.state)))
  const ended = computed(() => operations.value.filter((operation) => finished.includes(operation.state)))
  const needingAttention = computed(() => open.value.filter((operation) => wantsDecision.includes(operation.state)))

  function put(next: Operation[]): void {
    operations.value = next
    isLoaded.value = true
  }

  async function load(): Promise<void> {
    put((await call('operations.list', {})).operations)
  }

  /** A reading back may have to wait out the gateway's grace time, so this call may take minutes. */
  async function sync(): Promise<SyncResult> {
    return call('operations.sync', {}, 600_000)
  }

  async function decide(id: string, decision: Decision, reason: string): Promise<void> {
    await call(`operations.${decision}`, { id, reason })
    await load()
  }

  return { operations, isLoaded, open, ended, needingAttention, put, load, sync, decide }
})
