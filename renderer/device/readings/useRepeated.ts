import { onScopeDispose, shallowRef, type ShallowRef } from 'vue'
import { asError } from '../../base/ui/useAction.ts'

interface Pace {
  everyMs: number
  /** The pause after a failure; without it, the usual one. */
  afterFaultMs?: number
  /** Also while the window is hidden. */
  isAlways?: boolean
}

/**
 * Repeats `work` while the component is mounted and the window is visible, with a pause after each end; `error` is that
 * of the last run.
 */
export function useRepeated(
  work: () => Promise<void>,
  { everyMs, afterFaultMs = everyMs, isAlways = false }: Pace
): { error: ShallowRef<Error | null>; again: () => Promise<void> } {
  const isShown = (): boolean => isAlways || document.visibilityState !== 'hidden'
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
      failure = asError(cause)
    }
    if (mine !== round || isOver) return
    error.value = failure
    if (isShown()) timer = setTimeout(() => void again(), failure ? afterFaultMs : everyMs)
  }
  function follow(): void {
    if (isAlways) return
    clearTimeout(timer)
    if (isShown()) void again()
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
