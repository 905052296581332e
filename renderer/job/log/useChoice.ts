import { computed, ref, shallowRef } from 'vue'

/** Up to this number jobs are selected one by one; beyond it as "all of these". */
export const chosenAtMost = 2_000

/** The selection in the list: some jobs, or all that match the filter. */
export function useChoice(idAt: (index: number) => string | undefined) {
  const ids = shallowRef<ReadonlySet<string>>(new Set())
  const isAll = ref(false)
  /** The start of a range. */
  let anchor = 0

  const isNone = computed(() => !isAll.value && ids.value.size === 0)

  function has(id: string): boolean {
    return isAll.value || ids.value.has(id)
  }

  function toggle(index: number): void {
    const id = idAt(index)
    if (id === undefined) return
    // Removing one from "all" leaves a selection of single jobs: none.
    const next = new Set(isAll.value ? [] : ids.value)
    isAll.value = false
    if (!next.delete(id) && next.size < chosenAtMost) next.add(id)
    ids.value = next
    anchor = index
  }

  /** From the last selected row to this one; all rows between must be loaded. */
  function upTo(index: number): void {
    const next = new Set(ids.value)
    for (let at = Math.min(anchor, index); at <= Math.max(anchor, index) && next.size < chosenAtMost; at++) {
      const id = idAt(at)
      if (id !== undefined) next.add(id)
    }
    isAll.value = false
    ids.value = next
  }

  function all(): void {
    ids.value = new Set()
    isAll.value = true
  }

  function none(): void {
    ids.value = new Set()
    isAll.value = false
  }

  return {
    ids,
    isAll,
    isNone,
    has,
    toggle,
    upTo,
    all,
    none,
    rangeTo: (index: number): [number, number] => [Math.min(anchor, index), Math.max(anchor, index)]
  }
}
