import { foldCode, isCloseTo, plainCode } from './codes.ts'
import type { Knowledge, KnownTerm } from './terms.ts'

/**
 * All terms that a code can mean: as written, as an id, after its kind ("type 13"), of a family, or by name; `within`
 * an area.
 */
export function explainCode({ terms, areas }: Knowledge, code: string, within = ''): KnownTerm[] {
  const wanted = plainCode(code)
  if (wanted === '') return []
  const found = firstWithAny([
    () => terms.filter((term) => plainCode(term.id) === wanted || term.codes.some((one) => plainCode(one) === wanted)),
    () => withWordsBefore(wanted),
    () => ofClosestFamily(wanted),
    () => terms.filter(({ en, es }) => [en, es].some(({ name }) => foldCode(name) === foldCode(code)))
  ])
  const narrowed =
    within === ''
      ? []
      : found.filter(({ id, area }) => area === within || area.startsWith(`${within}.`) || id === within)
  return narrowed.length > 0 ? narrowed : found

  /** `ecu_rpm_flag` is read as a flag first, then as a value. */
  function ofClosestFamily(text: string): KnownTerm[] {
    const families = terms.flatMap((term) =>
      term.codes
        .filter((one) => one.includes('*') && isOfFamily(text, plainCode(one)))
        .map((family) => ({ term, family }))
    )
    const longest = Math.max(...families.map(({ family }) => family.length))
    return families.filter(({ family }) => family.length === longest).map(({ term }) => term)
  }

  function withWordsBefore(text: string): KnownTerm[] {
    const words = text.split(' ')
    const last = words.pop()
    if (words.length === 0) return []
    return terms.filter((term) => {
      if (!term.codes.some((one) => plainCode(one) === last)) return false
      const area = areas.find(({ id }) => id === term.area)
      const said = foldCode([area?.id, area?.en, area?.es, term.en.name, term.es.name].join(' '))
      return words.every((word) => said.includes(foldCode(word)))
    })
  }
}

/** Suggestions for an unknown code: similar spellings first, then terms that mention it. */
export function nearestTerms(knowledge: Knowledge, code: string, limit: number): KnownTerm[] {
  const wanted = plainCode(code)
  const alike = knowledge.terms.filter(({ codes }) => codes.some((one) => isCloseTo(plainCode(one), wanted)))
  return [...new Set([...alike, ...findTerms(knowledge, code)])].slice(0, limit)
}

/** The terms that contain all words of a text in their code, name or explanation; best first. */
export function findTerms({ terms }: Knowledge, text: string): KnownTerm[] {
  const words = foldCode(text).split(/\s+/).filter(Boolean)
  return terms
    .map((term) => ({ term, rank: words.length === 0 ? 1 : rankOf(term, words) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .map(({ term }) => term)
}

/** 0: some words are missing. */
function rankOf(term: KnownTerm, words: readonly string[]): number {
  const codes = term.codes.map(foldCode)
  const names = foldCode(`${term.en.name} ${term.es.name}`)
  const texts = foldCode(`${term.en.text} ${term.es.text}`)
  const ranks = words.map((word) =>
    codes.includes(word)
      ? 8
      : codes.some((code) => code.includes(word))
        ? 4
        : names.includes(word)
          ? 3
          : texts.includes(word)
            ? 1
            : 0
  )
  return ranks.includes(0) ? 0 : ranks.reduce<number>((sum, rank) => sum + rank, 0) / words.length
}

function isOfFamily(wanted: string, family: string): boolean {
  const parts = family.split('*').map((part) => part.replaceAll(/[^\w]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join(String.raw`[\w.-]+`)}$`).test(wanted)
}

function firstWithAny(ways: readonly (() => KnownTerm[])[]): KnownTerm[] {
  for (const way of ways) {
    const found = way()
    if (found.length > 0) return found
  }
  return []
}
