import { onScopeDispose, readonly, ref, type Ref } from 'vue'
import { isFrozen } from './frozen.ts'
import { presentMs } from './presentTime.ts'

const shared = ref(presentMs())
let users = 0
let beat: ReturnType<typeof setInterval> | undefined

/** As `useNow`, once a second, with one clock for all users: for components that appear a thousand times in a list. */
export function useSharedNow(): Readonly<Ref<number>> {
  if (users === 0) shared.value = presentMs()
  users += 1
  beat ??= setInterval(() => {
    if (!isFrozen.value) shared.value = presentMs()
  }, 1000)
  onScopeDispose(() => {
    users -= 1
    if (users > 0) return
    clearInterval(beat)
    beat = undefined
  })
  return readonly(shared)
}

/**
 * The present time in epoch milliseconds, updated at an interval while the component is mounted; it stops while the
 * page is frozen.
 */
export function useNow(everyMs = 1000): Readonly<Ref<number>> {
  const now = ref(presentMs())
  const timer = setInterval(() => {
    if (!isFrozen.value) now.value = presentMs()
  }, everyMs)
  onScopeDispose(() => clearInterval(timer))
  return readonly(now)
}
