import { ref, shallowRef } from 'vue'
import type { ChangeResult, DeviceChange } from '../../../preload/contract/device/workspace.ts'
import type { CallOutput } from '../../../preload/contract/index.ts'
import { call } from '../../base/bridge.ts'
import { useAction } from '../../base/ui/useAction.ts'

export type Cut = Extract<CallOutput<'workspace.change'>, { kind: 'cutsLink' }>

/** Changes a setting: the result, or that it would cut our own connection and needs a confirmation. */
export function useChange(key: () => string, done: () => void = () => undefined) {
  const result = shallowRef<ChangeResult | null>(null)
  const about = ref('')
  const cut = shallowRef<(Cut & { change: DeviceChange }) | null>(null)
  const action = useAction(async (change: DeviceChange, confirmCut: boolean) => {
    cut.value = null
    result.value = null
    about.value = change.operation
    const answer = await call('workspace.change', { key: key(), change, confirmCut })
    if (answer.kind === 'cutsLink') {
      cut.value = { ...answer, change }
      return
    }
    result.value = answer.result
    done()
  })
  return {
    result,
    /** Operation of the last change. */
    about,
    cut,
    busy: action.busy,
    slow: action.slow,
    error: action.error,
    send: (change: DeviceChange) => action.run(change, false),
    confirm: () => (cut.value ? action.run(cut.value.change, true) : Promise.resolve(false)),
    letBe: () => {
      cut.value = null
    }
  }
}

export type Change = ReturnType<typeof useChange>
