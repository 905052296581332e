import { computed, ref } from 'vue'
import { lastHeardMs } from '../../bridge.ts'
import { isFrozen } from '../../ui/time/frozen.ts'

/** The core gives a sign of life every 400 ms. With the look below, a person knows within 2 s that it does not any more. */
const silentAfterMs = 1_500
const lookEveryMs = 200
/** So long between two looks: the page itself slept (a closed lid, a tab in the background), which says nothing of the core. */
const sleptMs = 1_300

/** When the core was last heard (epoch milliseconds), while it does not answer; null while it does. */
export const lostSince = ref<number | null>(null)
/** The core does not answer: nothing can be done, and nothing on the screen is about now. */
export const coreLost = computed(() => lostSince.value !== null)

/** Watches for the core's signs of life until the returned function is called; `cameBack` is told when it answers again. */
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

  /** `inert` keeps focus and pointer away; shortcuts hear keys wherever the focus is. What belongs to the browser stays. */
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
