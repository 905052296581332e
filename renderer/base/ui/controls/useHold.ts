import { computed, onBeforeUnmount, ref, watch } from 'vue'
import { isFrozen } from '../time/frozen.ts'

const stepMs = 30

/**
 * An action that needs a button held for the whole time: letting go, or a frozen page, starts over. Works by mouse,
 * touch or space bar; a press that may not start is `refused`.
 */
export function useHold({
  holdMs,
  mayBegin,
  armed,
  refused
}: {
  holdMs: () => number
  mayBegin: () => boolean
  armed: () => void
  refused?: () => void
}) {
  const heldMs = ref(0)
  const isHeld = ref(false)
  const wasTooShort = ref(false)
  let startedAtMs = 0
  let timer: ReturnType<typeof setInterval> | undefined

  function begin(): void {
    if (isHeld.value) return
    if (!mayBegin()) return refused?.()
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

  function release(): void {
    if (!isHeld.value) return
    end()
    wasTooShort.value = true
    heldMs.value = 0
  }

  watch(isFrozen, release)
  // When a condition breaks during the hold, holding on must not arm the button.
  watch(mayBegin, (may) => {
    if (!may) release()
  })
  onBeforeUnmount(end)

  /** For `v-on` of the button. */
  const hands = {
    pointerdown(event: PointerEvent): void {
      event.preventDefault()
      if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
      begin()
    },
    pointerup: release,
    pointerleave: release,
    pointercancel: release,
    keydown(event: KeyboardEvent): void {
      if (event.key !== ' ') return
      event.preventDefault()
      begin()
    },
    keyup(event: KeyboardEvent): void {
      if (event.key !== ' ') return
      event.preventDefault()
      release()
    },
    blur: release,
    contextmenu: (event: Event) => event.preventDefault()
  }
  return {
    heldMs,
    isHeld,
    wasTooShort,
    part: computed(() => Math.min(1, heldMs.value / holdMs())),
    begin,
    release,
    hands
  }
}
