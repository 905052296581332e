import { ref } from 'vue'

/** What is shown can only be looked at: whatever would change something is off. */
export const isLookedAt = ref(false)
