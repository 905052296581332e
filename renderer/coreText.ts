import { translateCore } from './locales/core/index.ts'
import { language } from './say.ts'

/** A sentence that the core wrote, in the language of the window. */
export function coreText(text: string): string {
  return translateCore(text, language.value)
}
