import { onScopeDispose, readonly, ref, type Ref } from 'vue'

/** The present time in epoch milliseconds, renewed at an interval while the component lives. */
export function useNow(everyMs = 1000): Readonly<Ref<number>> {
  const now = ref(Date.now())
  const timer = setInterval(() => {
    now.value = Date.now()
  }, everyMs)
  onScopeDispose(() => clearInterval(timer))
  return readonly(now)
}
