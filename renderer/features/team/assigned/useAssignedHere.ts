import { computed, onBeforeUnmount, onMounted } from 'vue'
import { subscribe } from '../../../bridge.ts'
import { useAction } from '../../../ui/useAction.ts'
import { useAssigned } from './assigned.store.ts'

/** What is prepared for this laptop, as long as a screen shows it: asked when it opens, read again when the team log told something. */
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
