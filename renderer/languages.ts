/** The languages that a person can choose, each by its own name. */
export const languages: readonly { value: 'en' | 'es'; text: string }[] = [
  { value: 'en', text: 'English' },
  { value: 'es', text: 'Español' }
]

/** The name of a language in that language; undefined for one that this Fitter does not have. */
export function languageName(code: string): string | undefined {
  return languages.find(({ value }) => value === code)?.text
}
