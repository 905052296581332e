import { onScopeDispose } from 'vue'

/** Does the newest work once nobody has asked for other work for so long; what is then gone does none. */
export function usePause(pauseMs: number): (work: () => void) => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  onScopeDispose(() => clearTimeout(timer))
  return (work) => {
    clearTimeout(timer)
    timer = setTimeout(work, pauseMs)
  }
}
