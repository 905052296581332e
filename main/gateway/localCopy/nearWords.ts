import { countTypos } from '../../data/store/jobs/jobWords.ts'
import { foldText, partsOf, splitWords, squeezeText } from './searchTerms.ts'

/** The number of letters that may be wrong, missing, additional or swapped with their neighbour. */
function typosOf(word: string): number {
  return word.length < 4 ? 0 : word.length < 9 ? 1 : 2
}

/**
 * Beginnings to search for when nothing has exactly the words: one typing error leaves all but half a part intact.
 * `nearestOf` decides.
 */
export function nearStarts(text: string): string[][] {
  const parts = splitWords(foldText(text)).flatMap((word) => word.match(/\p{L}+|\p{N}+/gu) ?? [])
  const whole = squeezeText(text)
  const swapped = Array.from({ length: Math.max(0, whole.length - 1) }, (_, at) => [
    whole.slice(0, at) + (whole[at + 1] ?? '') + (whole[at] ?? '') + whole.slice(at + 2)
  ])
  const others =
    parts.length < 2
      ? []
      : parts
          .map((_, left) => parts.filter((part, index) => index !== left && part.length > 1))
          .filter((rest) => rest.length > 0)
  const halves = parts.filter((part) => part.length >= 4).map((part) => [part.slice(0, Math.ceil(part.length / 2))])
  return whole.length < 4 ? [] : [...swapped, ...others, ...halves].slice(0, 40)
}

/**
 * The one of these texts that is nearest to the typed one, with the number of typing errors; undefined when none is
 * near.
 */
export function nearestOf(
  text: string,
  texts: readonly (string | null)[]
): { text: string; typos: number } | undefined {
  const wanted = squeezeText(text)
  const most = typosOf(wanted)
  const near = texts.flatMap((one) => {
    if (one === null || most === 0) return []
    const spellings = [one, ...splitWords(foldText(one)).flatMap((word) => [word, ...partsOf(word)])]
    const typos = Math.min(...spellings.map((spelling) => countTypos(wanted, squeezeText(spelling), most)))
    return typos <= most ? [{ text: one, typos }] : []
  })
  return near.sort((a, b) => a.typos - b.typos)[0]
}
