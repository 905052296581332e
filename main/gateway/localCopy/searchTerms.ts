/** Lower case, without accents and invisible marks. */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .trim()
}

const maxWords = 240
const tailLengths = [4, 6]

/**
 * The search words of a record: its texts and every value of `info`. Long numbers also by their last digits, as on a
 * label.
 */
export function wordsOf(texts: readonly (string | null)[], info: unknown = {}): string {
  const words = new Set<string>()
  const add = (text: string): void => {
    for (const word of splitWords(text)) for (const part of [word, ...partsOf(word)]) words.add(part)
    const whole = squeezeText(text)
    if (whole !== '' && whole.length <= 40) words.add(whole)
    if (/\d/.test(whole) && whole.length >= 8 && whole.length <= 24)
      for (const length of tailLengths) words.add(whole.slice(-length))
  }
  for (const text of texts) if (text !== null) add(text)
  for (const [key, value] of valuesOf(info)) {
    add(value)
    for (const word of [...splitWords(value), squeezeText(value)]) if (word !== '') words.add(keyed(key, word))
  }
  return [...words].slice(0, maxWords).join(' ')
}

/** The beginnings of the wanted words. `key:value` searches only that key of `info`. */
export function startsOf(text: string): string[] {
  return foldText(text)
    .split(/\s+/)
    .flatMap((term) => {
      const [, key, value] = /^([^:]+):(.+)$/.exec(term) ?? []
      if (key === undefined || value === undefined) return splitWords(term)
      return [keyed(key, squeezeText(value))]
    })
    .filter((start) => start !== '')
    .slice(0, 8)
}

/** Without spaces and punctuation: a plate may be written with or without them. */
export function squeezeText(text: string): string {
  return foldText(text).replace(/[^\p{L}\p{N}]+/gu, '')
}

export function splitWords(text: string): string[] {
  return foldText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** The letters and the digits of a word: `hld 007` or `hld 7` also finds `hld007`. */
export function partsOf(word: string): string[] {
  const parts = word.match(/\p{L}+|\p{N}+/gu) ?? []
  const numbers = parts.filter((part) => /^0+[1-9]/.test(part)).map((part) => part.replace(/^0+/, ''))
  return parts.length < 5 ? [...(parts.length > 1 ? parts.filter((part) => part.length > 1) : []), ...numbers] : []
}

/** One word for the index, which splits at other characters: the key must not be found alone. */
function keyed(key: string, word: string): string {
  return `zz${squeezeText(key)}00${word}`
}

function* valuesOf(info: unknown, key = '', depth = 0): Generator<[key: string, value: string]> {
  if (typeof info === 'string' || typeof info === 'number') {
    if (key !== '') yield [key, String(info)]
    return
  }
  if (info === null || typeof info !== 'object' || depth > 3) return
  for (const [name, value] of Object.entries(info)) yield* valuesOf(value, Array.isArray(info) ? key : name, depth + 1)
}
