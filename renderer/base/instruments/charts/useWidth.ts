import { onBeforeUnmount, onMounted, ref, type Ref } from 'vue'

/** The width of an element in whole CSS pixels; 0 until it is on the page. */
export function useWidth(element: Readonly<Ref<Element | null>>): Readonly<Ref<number>> {
  const width = ref(0)
  const sizes = new ResizeObserver(([entry]) => {
    width.value = Math.floor(entry?.contentRect.width ?? 0)
  })
  onMounted(() => {
    if (element.value) sizes.observe(element.value)
  })
  onBeforeUnmount(() => sizes.disconnect())
  return width
}
