import { ref } from 'vue'

const heldAtMs = ref<number | null>(null)

/** A fixed present for a stored view: ages count to this moment, which does not advance. Null: the real present. */
export function holdPresent(atMs: number | null): void {
  heldAtMs.value = atMs
}

/** The present time in epoch milliseconds, for everything that shows an age. */
export function presentMs(): number {
  return heldAtMs.value ?? Date.now()
}
