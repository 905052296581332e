import { computed, ref } from 'vue'
import type { Language } from '../../../../preload/base/messages/settings.ts'
import { language } from '../../../base/say.ts'

const chosen = ref<Language | null>(null)

/** The language of the customer's report: the technician's, until another one is chosen for the reader. */
export const reportLanguage = computed<Language>({
  get: () => chosen.value ?? language.value,
  set: (wanted) => (chosen.value = wanted)
})
