import { onBeforeUnmount, onMounted, type Ref } from 'vue'

/** Shows a dialog above everything while its component is mounted, then restores the focus. */
export function useModal(box: Readonly<Ref<HTMLDialogElement | null>>): void {
  let before: Element | null = null
  onMounted(() => {
    before = document.activeElement
    box.value?.showModal()
  })
  onBeforeUnmount(() => {
    box.value?.close()
    // The opener may be gone, or was a shortcut: then focus the screen itself.
    if (before instanceof HTMLElement && before !== document.body && before.isConnected) before.focus()
    else document.getElementById('main')?.focus({ preventScroll: true })
  })
}
