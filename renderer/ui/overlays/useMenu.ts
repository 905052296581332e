import { nextTick, ref, useTemplateRef } from 'vue'

/** A menu behind a button: opens on its first line, is walked by the arrows, and gives the focus back. Its template names `button` and `list`. */
export function useMenu() {
  const isOpen = ref(false)
  const button = useTemplateRef<HTMLButtonElement>('button')
  const list = useTemplateRef<HTMLElement>('list')

  async function toggle(): Promise<void> {
    isOpen.value = !isOpen.value
    await nextTick()
    if (isOpen.value) list.value?.querySelector('button')?.focus()
  }
  function close(): void {
    isOpen.value = false
    button.value?.focus()
  }
  function walk(by: number): void {
    const items = [...(list.value?.querySelectorAll('button') ?? [])]
    const at = items.indexOf(document.activeElement as HTMLButtonElement)
    items[(at + by + items.length) % items.length]?.focus()
  }
  function choose(act: () => void): void {
    close()
    act()
  }

  return { isOpen, toggle, close, walk, choose }
}
