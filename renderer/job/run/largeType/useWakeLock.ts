import { onScopeDispose, watch } from 'vue'

/**
 * Keeps the screen on while `isWanted`, where the browser offers it; refused or unknown, the screen follows the system.
 */
export function useWakeLock(isWanted: () => boolean): void {
  let lock: WakeLockSentinel | undefined
  let isOver = false

  async function follow(): Promise<void> {
    const isNeeded = !isOver && isWanted() && document.visibilityState === 'visible'
    if (!isNeeded) {
      const last = lock
      lock = undefined
      return last?.release()
    }
    if (lock && !lock.released) return
    // Saving power, the system may refuse: then nothing is lost but a touch of the keyboard.
    const next = await navigator.wakeLock.request('screen').catch(() => undefined)
    if (isOver || !isWanted()) return next?.release()
    lock = next
  }

  if (!('wakeLock' in navigator)) return
  // The system ends a lock when the window is hidden.
  const again = (): void => void follow()
  document.addEventListener('visibilitychange', again)
  watch(isWanted, again, { immediate: true })
  onScopeDispose(() => {
    isOver = true
    document.removeEventListener('visibilitychange', again)
    void follow()
  })
}
