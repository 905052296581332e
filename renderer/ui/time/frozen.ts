import { ref } from 'vue'

/** While the core does not answer, the page shows how it was: clocks stand still, and nothing goes on by itself. */
export const isFrozen = ref(false)
