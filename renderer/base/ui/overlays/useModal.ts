import { onBeforeUnmount, onMounted, shallowReactive, type Ref } from 'vue'

/** The open dialogs, the uppermost last: nothing outside it can be seen, clicked or read aloud. */
export const openDialogs = shallowReactive<HTMLDialogElement[]>([])

/** Shows a dialog above everything while its component is mounted, then restores the focus. */
export function useModal(box: Readonly<Ref<HTMLDialogElement | null>>): void {
  let before: Element | null = null
  let shown: HTMLDialogElement | null = null
  onMounted(() => {
    before = document.activeElement
    shown = box.value
    if (!shown) return
    shown.showModal()
    openDialogs.push(shown)
  })
  onBeforeUnmount(() => {
    if (shown) openDialogs.splice(openDialogs.indexOf(shown), 1)
    shown?.close()
    // The opener may be gone, or was a shortcut: then focus the screen itself.
    if (before instanceof HTMLElement && before !== document.body && before.isConnected) before.focus()
    else document.getElementById('main')?.focus({ preventScroll: true })
  })
}
