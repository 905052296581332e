import { computed, onBeforeUnmount, ref, watch } from 'vue'
import { isFrozen } from './frozen.ts'

const stepMs = 30

/** Something that acts only when it was held for the whole time: letting go, or a page that stands still, starts over. */
export function useHold(holdMs: () => number, mayBegin: () => boolean, armed: () => void) {
  const heldMs = ref(0)
  const isHeld = ref(false)
  const wasTooShort = ref(false)
  let startedAtMs = 0
  let timer: ReturnType<typeof setInterval> | undefined

  function begin(): void {
    if (isHeld.value || !mayBegin()) return
    isHeld.value = true
    wasTooShort.value = false
    heldMs.value = 0
    startedAtMs = performance.now()
    timer = setInterval(grow, stepMs)
  }

  function grow(): void {
    heldMs.value = performance.now() - startedAtMs
    if (heldMs.value < holdMs()) return
    end()
    armed()
  }

  function end(): void {
    clearInterval(timer)
    isHeld.value = false
  }

  function letGo(): void {
    if (!isHeld.value) return
    end()
    wasTooShort.value = true
    heldMs.value = 0
  }

  watch(isFrozen, letGo)
  // A condition that breaks while it is held: nothing is armed by what was held before.
  watch(mayBegin, (may) => {
    if (!may) letGo()
  })
  onBeforeUnmount(end)
  return { heldMs, isHeld, wasTooShort, part: computed(() => Math.min(1, heldMs.value / holdMs())), begin, letGo }
}
