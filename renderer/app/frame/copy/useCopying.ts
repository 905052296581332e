import { onBeforeUnmount, onMounted, shallowRef } from 'vue'
import { isTyping } from '../../../base/shell/keys/pressed.ts'
import { useToasts } from '../../../base/shell/toasts.store.ts'
import { rowAt, valueAt, valuesAround, type ShownValue } from './shownValues.ts'

export interface CopyOffer {
  values: ShownValue[]
  row: string | null
  at: { x: number; y: number }
}

function hasSelection(): boolean {
  return (window.getSelection()?.toString() ?? '') !== ''
}

/**
 * Every value on the screen can be copied with its unit: by its menu, or by Ctrl and C while the pointer or the focus
 * is on it.
 * What is selected, and text that is typed, is left to the browser. Returns what the menu offers; null while it is
 * closed.
 */
export function useCopying() {
  const offer = shallowRef<CopyOffer | null>(null)

  function openMenu(event: MouseEvent): void {
    const { target } = event
    if (event.defaultPrevented || hasSelection() || isTyping(target) || !(target instanceof Element)) return
    const value = valueAt(target)
    // By the key for menus there is no place, but a focus.
    const isByKey = event.button !== 2
    const offered = isByKey ? valuesAround(target) : value ? [value] : []
    if (offered.length === 0) return
    event.preventDefault()
    const box = target.getBoundingClientRect()
    offer.value = {
      values: offered,
      row: target.closest('tr, [role="row"]') ? rowAt(target) : null,
      at: isByKey
        ? { x: box.left, y: Math.min(box.bottom, window.innerHeight / 2) }
        : { x: event.clientX, y: event.clientY }
    }
  }

  function pressKey(event: KeyboardEvent): void {
    if (
      event.defaultPrevented ||
      !(event.ctrlKey || event.metaKey) ||
      event.shiftKey ||
      event.altKey ||
      event.key.toLowerCase() !== 'c'
    )
      return
    const focused = document.activeElement
    if (hasSelection() || isTyping(focused)) return
    const pointed = valueAt([...document.querySelectorAll(':hover')].at(-1) ?? null)
    const text =
      pointed?.text ?? (focused && focused !== document.body ? (valueAt(focused)?.text ?? rowAt(focused)) : null)
    if (text === null) return
    event.preventDefault()
    import('../../../base/shell/copyText.ts').then(({ copyShown }) => copyShown(text)).catch(useToasts().sayFailure)
  }

  onMounted(() => {
    window.addEventListener('contextmenu', openMenu)
    window.addEventListener('keydown', pressKey)
  })
  onBeforeUnmount(() => {
    window.removeEventListener('contextmenu', openMenu)
    window.removeEventListener('keydown', pressKey)
  })
  return offer
}
