import { onScopeDispose } from 'vue'

/** Runs the latest work after a pause without new work; runs nothing once the component is unmounted. */
export function usePause(pauseMs: number): (work: () => void) => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  onScopeDispose(() => clearTimeout(timer))
  return (work) => {
    clearTimeout(timer)
    timer = setTimeout(work, pauseMs)
  }
}
