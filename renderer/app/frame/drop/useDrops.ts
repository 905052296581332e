import { onBeforeUnmount, onMounted, shallowRef } from 'vue'
import { useToasts } from '../../../base/shell/toasts.store.ts'

/** A text that is dragged into a field is typed there. */
function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input:not([type="file"]), textarea, [contenteditable]') !== null
}

/**
 * The whole window accepts files. Returns the types of what is dragged over it; null while nothing is, or a part of the
 * screen has its own place for it. Whatever is dropped, the page never goes elsewhere.
 */
export function useDrops() {
  const dragged = shallowRef<readonly string[] | null>(null)

  function over(event: DragEvent): void {
    const hasFiles = event.dataTransfer?.types.includes('Files') ?? false
    if (!hasFiles && isField(event.target)) return
    if (event.defaultPrevented) {
      dragged.value = null
      return
    }
    event.preventDefault()
    if (event.dataTransfer) event.dataTransfer.dropEffect = hasFiles ? 'copy' : 'none'
    if (hasFiles)
      dragged.value ??= [...(event.dataTransfer?.items ?? [])]
        .filter(({ kind }) => kind === 'file')
        .map(({ type }) => type)
  }

  function leave(event: DragEvent): void {
    if (event.relatedTarget === null) dragged.value = null
  }

  function drop(event: DragEvent): void {
    dragged.value = null
    const files = [...(event.dataTransfer?.files ?? [])]
    if (event.defaultPrevented || (files.length === 0 && isField(event.target))) return
    event.preventDefault()
    if (files.length === 0) return
    import('./takeDropped.ts').then(({ takeDropped }) => takeDropped(files)).catch(useToasts().sayFailure)
  }

  const heard = [
    ['dragover', over],
    ['dragleave', leave],
    ['drop', drop]
  ] as const
  onMounted(() => {
    for (const [name, listener] of heard) window.addEventListener(name, listener)
  })
  onBeforeUnmount(() => {
    for (const [name, listener] of heard) window.removeEventListener(name, listener)
  })
  return dragged
}
