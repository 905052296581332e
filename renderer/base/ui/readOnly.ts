import { ref } from 'vue'

/** The page is read-only: every control that would change something is disabled. */
export const isReadOnly = ref(false)
