/** English sentence of the core, with `{placeholders}`, to its translation with the same placeholders. */
export type Sentences = Record<string, string>

interface Pattern {
  form: RegExp
  names: string[]
  text: string
  literal: number
}

export interface Matcher {
  /** The translation of a text, or undefined when nothing of it is known. */
  find(text: string): string | undefined
}

const placeholder = /\{(\w+)\}/g
const sentenceEnd = /(?<=[.!?]) (?=[\p{Lu}"“¡¿])/u
const longestKept = 2_000
/** Placeholders for one word or number: what they stand beside is too common to match anything else. */
const oneWord = new Set(['n', 'all', 'out', 'line'])

/**
 * Compiles sentences once: fixed ones are looked up, those with placeholders are tried by their first word, the most
 * literal first. What stands in a placeholder is looked up as well. A text that is no known sentence is taken apart at
 * the ends of its sentences, at semicolons, and at the joints of a list.
 */
export function compileSentences(sentences: Sentences): Matcher {
  const fixed = new Map<string, string>()
  const byWord = new Map<string, Pattern[]>()
  const open: Pattern[] = []
  for (const [english, text] of Object.entries(sentences)) {
    if (!english.includes('{')) {
      fixed.set(english, text)
      continue
    }
    const pattern = compile(english, text)
    const word = /^[^\s{]+(?=\s)/.exec(english)?.[0]
    if (word === undefined) open.push(pattern)
    else byWord.set(word, [...(byWord.get(word) ?? []), pattern])
  }
  const byLiteral = (a: Pattern, b: Pattern) => b.literal - a.literal
  for (const patterns of byWord.values()) patterns.sort(byLiteral)
  open.sort(byLiteral)
  const known = new Map<string, string | undefined>()

  function find(text: string): string | undefined {
    if (known.has(text)) return known.get(text)
    const found = lookUp(text)
    if (known.size >= longestKept) known.clear()
    known.set(text, found)
    return found
  }

  function lookUp(text: string): string | undefined {
    const whole = fixed.get(text) ?? apart(text, sentenceEnd, ' ', true) ?? apart(text, /, /, ', ', true) ?? matchOne(text)
    return whole ?? apart(text, sentenceEnd, ' ') ?? apart(text, /; /, '; ') ?? apart(text, /, | and /, ', ') ?? apart(text, /(?<=:) /, ' ')
  }

  function matchOne(text: string): string | undefined {
    const word = /^\S+(?=\s)/.exec(text)?.[0]
    const candidates = word === undefined ? undefined : byWord.get(word)
    for (const pattern of [...(candidates ?? []), ...open]) {
      const match = pattern.form.exec(text)
      if (match) return fill(pattern, match)
    }
    return undefined
  }

  function fill({ names, text }: Pattern, match: RegExpExecArray): string {
    return text.replace(placeholder, (_, name: string) => {
      const value = match[names.indexOf(name) + 1] ?? ''
      return find(value) ?? value
    })
  }

  /** Something has to be known, or with `isWhole` everything: then no placeholder swallows what follows it. */
  function apart(text: string, at: RegExp, joint: string, isWhole = false): string | undefined {
    const parts = text.split(at)
    if (parts.length < 2) return undefined
    const found = parts.map((part) => find(part))
    const isKnown = (part: string | undefined) => part !== undefined
    return (isWhole ? found.every(isKnown) : found.some(isKnown)) ? found.map((part, index) => part ?? parts[index]).join(joint) : undefined
  }

  return { find }
}

function compile(english: string, text: string): Pattern {
  const names: string[] = []
  const pieces = english.split(placeholder)
  let source = ''
  pieces.forEach((piece, index) => {
    if (index % 2 === 0) source += piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    else if (names.includes(piece)) source += `\\${names.indexOf(piece) + 1}`
    else {
      names.push(piece)
      // What a sentence begins with does not reach over the end of another sentence.
      if (oneWord.has(piece)) source += '(\\S+)'
      else source += source === '' ? '((?:(?!\\. |; ).)+?)' : '(.+?)'
    }
  })
  return { form: new RegExp(`^${source}$`, 'su'), names, text, literal: english.replace(placeholder, '').length }
}
