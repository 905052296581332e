import { onBeforeUnmount, onMounted } from 'vue'
import { openDialog } from '../../shell/dialogs.ts'

/** How support bundles are called when they are written. */
const bundleName = /\.(fitter-bundle|fitterbundle|zip)$/i

/** Opens a support bundle that is dropped anywhere on the window, unless another part of the screen accepts the drop. */
export function useDroppedBundle(): void {
  function over(event: DragEvent): void {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
  }

  function drop(event: DragEvent): void {
    if (event.defaultPrevented) return
    event.preventDefault()
    const [file] = event.dataTransfer?.files ?? []
    if (file && bundleName.test(file.name)) openDialog({ what: 'openBundle', file })
  }

  onMounted(() => {
    window.addEventListener('dragover', over)
    window.addEventListener('drop', drop)
  })
  onBeforeUnmount(() => {
    window.removeEventListener('dragover', over)
    window.removeEventListener('drop', drop)
  })
}
