import { ref } from 'vue'

const heldAtMs = ref<number | null>(null)

/** What is shown is of that moment: ages are counted to it, and it does not go on. Null: it is the real present. */
export function holdPresent(atMs: number | null): void {
  heldAtMs.value = atMs
}

/** The present time in epoch milliseconds, for everything that says how old something is. */
export function presentMs(): number {
  return heldAtMs.value ?? Date.now()
}
