import { ref, shallowRef, watch, type Ref } from 'vue'
import type { ConnectionStep, ConnectionTrial } from '../../../../preload/contract/app/internet.ts'
import { call, subscribe } from '../../../bridge.ts'

/** Longer than the pause between two keys of someone who types. */
const quietMs = 400

/** Tests an address whenever it has not changed for a moment; answers about an earlier address are dropped. */
export function useAddressTrial(address: Ref<string>) {
  const steps = shallowRef<ConnectionStep[]>([])
  const result = shallowRef<ConnectionTrial | null>(null)
  const error = shallowRef<Error | null>(null)
  const busy = ref(false)
  let wanted = ''
  let timer: ReturnType<typeof setTimeout> | undefined

  async function run(url: string): Promise<void> {
    wanted = url
    busy.value = true
    try {
      const whole = await call('internet.try', { url })
      if (wanted !== url) return
      result.value = whole
      steps.value = whole.steps
    } catch (cause) {
      if (wanted === url) error.value = cause as Error
    } finally {
      if (wanted === url) busy.value = false
    }
  }

  watch(
    address,
    (url) => {
      clearTimeout(timer)
      wanted = ''
      steps.value = []
      result.value = null
      error.value = null
      busy.value = false
      // An address that is not finished yet is no mistake.
      if (/^https?:\/\/[^/]+\/(.+\/)?api\/?$/.test(url)) timer = setTimeout(() => void run(url), quietMs)
    },
    { immediate: true }
  )
  const stopEvents = subscribe('internet.step', (step) => {
    if (step.url === wanted && busy.value) steps.value = [...steps.value, step]
  })

  return {
    steps,
    result,
    error,
    busy,
    stop(): void {
      clearTimeout(timer)
      wanted = ''
      stopEvents()
    }
  }
}
