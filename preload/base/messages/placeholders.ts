import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser'

/** How a text uses a value: printed, as a number that selects words, as a time, or as a choice of words. */
export interface Placeholder {
  use: 'printed' | 'number' | 'moment' | 'choice'
  /** The options of a choice, without `other`. */
  options: string[]
}

/** The parser's element types. Its enum cannot be imported, because the parser is not delivered. */
const uses: Readonly<Record<number, Placeholder['use']>> = {
  1: 'printed',
  2: 'number',
  3: 'moment',
  4: 'moment',
  5: 'choice',
  6: 'number'
}

export function placeholdersOf(elements: MessageFormatElement[]): Map<string, Placeholder> {
  const found = new Map<string, Placeholder>()
  visit(elements)
  return found

  function visit(inside: MessageFormatElement[]): void {
    for (const element of inside) {
      const use = uses[element.type]
      if (use === undefined || !('value' in element)) continue
      const options = 'options' in element ? element.options : {}
      const before = found.get(element.value)
      if (before && before.use !== use)
        throw new Error(`{${element.value}} is used in two ways: ${before.use} and ${use}`)
      const words = use === 'choice' ? Object.keys(options).filter((word) => word !== 'other') : []
      found.set(element.value, { use, options: [...new Set([...(before?.options ?? []), ...words])] })
      for (const option of Object.values(options)) visit(option.value)
    }
  }
}
