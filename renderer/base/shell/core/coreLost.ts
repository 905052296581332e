import { computed, ref } from 'vue'
import { lastHeardMs } from '../../bridge.ts'
import { isFrozen } from '../../ui/time/frozen.ts'

/**
 * The core gives a sign of life every 400 ms. With the check interval below, a person learns within 2 s that the signs
 * stopped.
 */
const silentAfterMs = 1_500
const lookEveryMs = 200
/**
 * After a pause this long between two checks the page itself slept (closed lid, background tab); that says nothing
 * about the core.
 */
const sleptMs = 1_300

/** When the core was last heard (epoch milliseconds) while the core does not answer; otherwise null. */
export const lostSince = ref<number | null>(null)
/** The core does not answer: nothing can be done, and nothing on the screen is current. */
export const coreLost = computed(() => lostSince.value !== null)

/**
 * Watches for the core's signs of life until the returned function is called; calls `cameBack` when the core answers
 * again.
 */
export function watchCore(cameBack: () => void): () => void {
  let lookedMs = performance.now()
  let wokeMs = lookedMs
  let lostAtMs = 0

  function look(): void {
    const nowMs = performance.now()
    if (nowMs - lookedMs > sleptMs) wokeMs = nowMs
    lookedMs = nowMs
    const heardMs = lastHeardMs()
    if (lostSince.value !== null) {
      if (heardMs > lostAtMs) {
        lostSince.value = null
        isFrozen.value = false
        cameBack()
      }
      return
    }
    if (nowMs - Math.max(heardMs, wokeMs) < silentAfterMs) return
    lostAtMs = nowMs
    lostSince.value = Date.now() - (nowMs - heardMs)
    isFrozen.value = true
  }

  /**
   * `inert` blocks focus and pointer; shortcuts react to keys wherever the focus is. The browser's own shortcuts still
   * work.
   */
  function holdKeys(event: KeyboardEvent): void {
    if (lostSince.value === null || event.ctrlKey || event.metaKey || /^F\d+$/.test(event.key)) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }

  const timer = setInterval(look, lookEveryMs)
  window.addEventListener('keydown', holdKeys, true)
  window.addEventListener('keyup', holdKeys, true)
  return () => {
    clearInterval(timer)
    window.removeEventListener('keydown', holdKeys, true)
    window.removeEventListener('keyup', holdKeys, true)
    lostSince.value = null
    isFrozen.value = false
  }
}
