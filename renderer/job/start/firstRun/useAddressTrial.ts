import { onScopeDispose, shallowRef, watch, type Ref } from 'vue'
import type { ConnectionStep, ConnectionTrial } from '../../../../preload/contract/app/internet.ts'
import { call, subscribe } from '../../../base/bridge.ts'
import { useLatest } from '../../../base/ui/useAction.ts'
import { usePause } from '../../../base/ui/usePause.ts'

/** Longer than the pause between two keys of someone who types. */
const quietMs = 400

/** Tests an address whenever it has not changed for a moment; answers about an earlier address are dropped. */
export function useAddressTrial(address: Ref<string>) {
  const steps = shallowRef<ConnectionStep[]>([])
  const result = shallowRef<ConnectionTrial | null>(null)
  const soon = usePause(quietMs)
  const { busy, error, run, drop } = useLatest(
    (url: string) => call('internet.try', { url }),
    (trial) => {
      result.value = trial
      steps.value = trial.steps
    }
  )

  watch(
    address,
    (url) => {
      drop()
      steps.value = []
      result.value = null
      // An address that is not finished yet is no mistake.
      const isWhole = /^https?:\/\/[^/]+\/(.+\/)?api\/?$/.test(url)
      soon(() => isWhole && void run(url))
    },
    { immediate: true }
  )
  onScopeDispose(
    subscribe('internet.step', (step) => {
      if (step.url === address.value && busy.value) steps.value = [...steps.value, step]
    })
  )
  onScopeDispose(drop)
  return { steps, result, error, busy }
}
