import { foldText, partsOf, splitWords, squeezeText } from './searchTerms.ts'

/** The number of letters that may be wrong, missing, additional or swapped with their neighbour. */
function typosOf(word: string): number {
  return word.length < 4 ? 0 : word.length < 9 ? 1 : 2
}

/** Beginnings to search for when nothing has exactly the words: one typing error leaves all but half a part intact. `nearestOf` decides. */
export function nearStarts(text: string): string[][] {
  const parts = splitWords(foldText(text)).flatMap((word) => word.match(/\p{L}+|\p{N}+/gu) ?? [])
  const whole = squeezeText(text)
  const swapped = Array.from({ length: Math.max(0, whole.length - 1) }, (_, at) => [whole.slice(0, at) + (whole[at + 1] ?? '') + (whole[at] ?? '') + whole.slice(at + 2)])
  const others = parts.length < 2 ? [] : parts.map((_, left) => parts.filter((part, index) => index !== left && part.length > 1)).filter((rest) => rest.length > 0)
  const halves = parts.filter((part) => part.length >= 4).map((part) => [part.slice(0, Math.ceil(part.length / 2))])
  return whole.length < 4 ? [] : [...swapped, ...others, ...halves].slice(0, 40)
}

/** The one of these texts that is nearest to the typed one, with the number of typing errors; undefined when none is near. */
export function nearestOf(text: string, texts: readonly (string | null)[]): { text: string; typos: number } | undefined {
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

/** Typing errors between a word and the beginning of another; more than `most` is `most + 1`. */
function countTypos(word: string, other: string, most: number): number {
  const width = Math.min(other.length, word.length + most)
  if (width < word.length - most) return most + 1
  let [earlier, before]: [number[], number[]] = [[], Array.from({ length: width + 1 }, (_, column) => column)]
  for (let row = 1; row <= word.length; row++) {
    const now = [row]
    for (let column = 1; column <= width; column++) {
      const isSame = word[row - 1] === other[column - 1]
      const isSwapped = row > 1 && column > 1 && word[row - 1] === other[column - 2] && word[row - 2] === other[column - 1]
      now[column] = Math.min((before[column] ?? 0) + 1, (now[column - 1] ?? 0) + 1, (before[column - 1] ?? 0) + (isSame ? 0 : 1), isSwapped ? (earlier[column - 2] ?? 0) + 1 : Infinity)
    }
    if (Math.min(...now) > most) return most + 1
    ;[earlier, before] = [before, now]
  }
  return Math.min(...before.slice(Math.max(0, word.length - most)))
}
