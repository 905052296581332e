import { ref } from 'vue'

/** While the core does not answer, the page shows its last state: clocks stop, and nothing continues automatically. */
export const isFrozen = ref(false)
