import { onScopeDispose, shallowRef, type ShallowRef } from 'vue'

/**
 * Repeats `work` while the component is mounted and the window is visible, with a pause after each end; `error` is that of the
 * last run.
 */
export function useRepeated(work: () => Promise<void>, everyMs: number): { error: ShallowRef<Error | null>; again: () => Promise<void> } {
  const error = shallowRef<Error | null>(null)
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  /** Counts the rounds: a later round replaces the earlier ones. */
  let round = 0

  async function again(): Promise<void> {
    clearTimeout(timer)
    const mine = ++round
    let failure: Error | null = null
    try {
      await work()
    } catch (cause) {
      failure = cause instanceof Error ? cause : new Error(String(cause))
    }
    if (mine !== round || isOver) return
    error.value = failure
    if (document.visibilityState !== 'hidden') timer = setTimeout(() => void again(), everyMs)
  }
  function follow(): void {
    clearTimeout(timer)
    if (document.visibilityState !== 'hidden') void again()
  }

  document.addEventListener('visibilitychange', follow)
  onScopeDispose(() => {
    isOver = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', follow)
  })
  void again()
  return { error, again }
}
