import { onBeforeUnmount, onMounted, type Ref } from 'vue'

/** Shows a dialog above everything while its component is there, and gives the focus back to where it was. */
export function useModal(box: Readonly<Ref<HTMLDialogElement | null>>): void {
  let before: Element | null = null
  onMounted(() => {
    before = document.activeElement
    box.value?.showModal()
  })
  onBeforeUnmount(() => {
    box.value?.close()
    // What opened it may be gone, or was a key: the screen itself takes the focus then.
    if (before instanceof HTMLElement && before !== document.body && before.isConnected) before.focus()
    else document.getElementById('main')?.focus({ preventScroll: true })
  })
}
