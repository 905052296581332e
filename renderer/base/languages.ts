import { languages } from 'virtual:fitter-catalogues'

/** The languages that a person can choose, each by its own name. */
export { languages }

/** The name of a language in that language; undefined for one that this Fitter does not have. */
export function languageName(code: string): string | undefined {
  return languages.find(({ value }) => value === code)?.text
}
