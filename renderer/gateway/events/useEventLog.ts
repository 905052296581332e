import { onBeforeUnmount, ref, shallowRef } from 'vue'
import type {
  EventLogState,
  FixLoss,
  KeptStretch,
  SilentTime
} from '../../../preload/contract/gateway/vehicles/eventLog.ts'
import { call, subscribe } from '../../base/bridge.ts'
import { useAction, useLatest } from '../../base/ui/useAction.ts'

export interface Stretches {
  gaps: readonly SilentTime[]
  kept: readonly KeptStretch[]
  noFix: readonly FixLoss[]
}

/** The core's events for this screen: the loading progress, and the findings. */
export function useEventLog() {
  const state = shallowRef<EventLogState | null>(null)
  const stretches = shallowRef<Stretches>({ gaps: [], kept: [], noFix: [] })
  /** An earlier result than requested: the gateway cannot be reached, and these events were loaded before. */
  const isOld = ref(false)
  let asked = ''
  let shownKey = ''

  async function take(next: EventLogState): Promise<void> {
    if (next.id !== asked) return
    if (next.loading === 'failed' && next.n === 0) return fallBack(next)
    // The previous content stays visible until new content arrives.
    if (next.n === 0 && next.loading === 'running' && state.value && state.value.vehicleId === next.vehicleId) return
    isOld.value = false
    await show(next)
  }
  async function fallBack(failed: EventLogState): Promise<void> {
    const { state: last } = await call('eventLog.last', { vehicleId: failed.vehicleId })
    if (failed.id !== asked) return
    isOld.value = last !== null
    await show(last ? { ...last, problem: failed.problem } : failed)
  }
  async function show(next: EventLogState): Promise<void> {
    state.value = next
    const key = [next.id, next.revision, next.coveredFromMs, next.limits.silentFromS].join()
    if (shownKey === key) return
    shownKey = key
    const found = await call('eventLog.stretches', { id: next.id })
    if (shownKey === key) stretches.value = found
  }

  const opening = useLatest(
    async (
      vehicleId: number,
      range: { fromMs: number; toMs: number },
      fields: string[],
      silentFromS: number | null
    ) => {
      const before = asked
      const opened = await call('eventLog.open', {
        vehicleId,
        fromMs: Math.floor(range.fromMs),
        toMs: Math.floor(range.toMs),
        fields
      })
      asked = opened.id
      if (before !== '') void call('eventLog.stop', { id: before }).catch(() => undefined)
      // The loading may have ended before its number was known here.
      await take(
        silentFromS === null
          ? await call('eventLog.state', { id: opened.id })
          : await call('eventLog.judge', { id: opened.id, silentFromS })
      )
    }
  )
  const stopping = useAction(async () => {
    if (asked !== '') await take(await call('eventLog.stop', { id: asked }))
  })
  const judging = useLatest(async (silentFromS: number | null) => {
    if (state.value) await show(await call('eventLog.judge', { id: state.value.id, silentFromS }))
  })

  const unsubscribe = subscribe('eventLog.loaded', (next) => void take(next))
  onBeforeUnmount(() => {
    unsubscribe()
    if (state.value?.loading === 'running') void call('eventLog.stop', { id: state.value.id }).catch(() => undefined)
  })

  return { state, stretches, isOld, opening, stopping, judging }
}
