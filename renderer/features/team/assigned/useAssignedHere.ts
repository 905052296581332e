import { computed, onBeforeUnmount, onMounted } from 'vue'
import { subscribe } from '../../../bridge.ts'
import { useAction } from '../../../ui/useAction.ts'
import { useAssigned } from './assigned.store.ts'

/** The jobs prepared for this laptop, while a screen shows them: requested when it opens, and again after team news. */
export function useAssignedHere() {
  const store = useAssigned()
  const loading = useAction(() => store.load())
  const reading = useAction(() => store.loadKept())
  let stop: (() => void) | undefined
  onMounted(() => {
    stop = subscribe('team.changed', () => void reading.run())
    void loading.run()
  })
  onBeforeUnmount(() => stop?.())
  return { store, error: computed(() => loading.error.value ?? reading.error.value) }
}
