import { onBeforeUnmount, onMounted } from 'vue'

/** True where a letter is text, or belongs to a control that knows it itself. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('input:not([type=checkbox]):not([type=radio]), textarea, select') || target.closest('[role=dialog], dialog') !== null
}

/** Single letters that do something on a screen. Off while somebody types, in dialogs, and together with Ctrl, Alt or the system's key. */
export function useKeys(keys: Record<string, () => void>): void {
  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.defaultPrevented || isTyping(event.target)) return
    const act = keys[event.key.toLowerCase()]
    if (!act) return
    event.preventDefault()
    act()
  }
  onMounted(() => window.addEventListener('keydown', press))
  onBeforeUnmount(() => window.removeEventListener('keydown', press))
}
