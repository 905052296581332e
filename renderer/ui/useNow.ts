import { onScopeDispose, readonly, ref, type Ref } from 'vue'
import { isFrozen } from './frozen.ts'

/** The present time in epoch milliseconds, renewed at an interval while the component lives; it stands still while the page is frozen. */
export function useNow(everyMs = 1000): Readonly<Ref<number>> {
  const now = ref(Date.now())
  const timer = setInterval(() => {
    if (!isFrozen.value) now.value = Date.now()
  }, everyMs)
  onScopeDispose(() => clearInterval(timer))
  return readonly(now)
}
