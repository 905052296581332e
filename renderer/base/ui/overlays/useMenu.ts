import type { Ref } from 'vue'

/** Moves the focus among the items of a menu that can be chosen, around its ends; from outside, 1 is the first one. */
export function walkMenu(box: HTMLElement | null, by: number): void {
  const all = [...(box?.querySelectorAll<HTMLElement>(':is(button, a):not(:disabled)') ?? [])]
  all[(all.indexOf(document.activeElement as HTMLElement) + by + all.length) % all.length]?.focus()
}

/** An open menu at a place of the page: it closes when the focus leaves, or with Escape, and then returns the focus. */
export function useMenu(box: Readonly<Ref<HTMLElement | null>>, emitClose: () => void) {
  const before = document.activeElement

  function close(): void {
    emitClose()
    if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  }

  return {
    close,
    focusFirst: () => walkMenu(box.value, 1),
    /** For `v-on` of the menu. */
    hands: {
      focusout({ relatedTarget }: FocusEvent): void {
        if (!(relatedTarget instanceof Node && box.value?.contains(relatedTarget))) emitClose()
      },
      keydown(event: KeyboardEvent): void {
        if (event.key === 'Escape') {
          event.stopPropagation()
          close()
        } else if (event.key === 'ArrowDown') walkMenu(box.value, 1)
        else if (event.key === 'ArrowUp') walkMenu(box.value, -1)
        else return
        event.preventDefault()
      }
    }
  }
}
