import type { Message } from '../../../preload/contract/messages.ts'
import type { JobSummary } from '../../../preload/contract/jobs/jobs.ts'

/** Lower case, without accents: `Núñez` and `NUNEZ` are one word. */
export function foldText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')
}

export function splitWords(text: string): string[] {
  return foldText(text).split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
}

/**
 * The words under which a job is found, each between blanks, so that a beginning and an end can be looked for. The name
 * of the vehicle stands there in one piece as well: `B-XY 123` is also found as `bxy123`.
 */
export function wordsOf(job: JobSummary): string {
  const { id, kind, template, device, vehicle, customer, technician } = job
  const name = splitWords(vehicle?.name ?? '')
  const plate = splitWords(vehicle?.plate ?? '')
  const words = [id, device.imei, device.model, customer, technician, template.id, ownWords(template.name), kind].flatMap(splitWords)
  const all = new Set([...name, name.join(''), ...plate, plate.join(''), ...words])
  all.delete('')
  return ` ${[...all].join(' ').slice(0, longestWords)} `
}

/** What a checklist of somebody's own is called; one that comes with Fitter is found by its id, in any language. */
function ownWords({ id, values }: Message): string {
  return id === 'plain.text' ? String(values['text']) : ''
}

/** A name of any length is kept whole in its column; it is found by its beginning. */
const longestWords = 2_000

/** What is looked for, taken apart. */
export interface Wanted {
  words: string[]
  /** All words in one piece, as a plate is often typed; empty for a single word. */
  joined: string
}

export function readWanted(search: string): Wanted {
  const words = [...new Set(splitWords(search))].slice(0, 12)
  const joined = words.length > 1 ? words.join('').slice(0, 60) : ''
  return { words, joined: joined.length > 3 ? joined : '' }
}

/** The query of the index for exactly these words; undefined when no word is long enough for it. */
export function exactQuery({ words, joined }: Wanted): string | undefined {
  const parts = words.filter((word) => !isShortNumber(word)).map(inText).filter((part) => part.length >= 3)
  if (parts.length === 0) return undefined
  const all = parts.map(quote).join(' AND ')
  return joined === '' ? all : `(${all}) OR ${quote(joined)}`
}

/** One or two digits are a number of their own: `7` means 7, 007 and 70, not each 7 inside of a longer number. */
export function isShortNumber(word: string): boolean {
  return /^\d{1,2}$/.test(word)
}

/** Without the zeros before it. */
export function bareNumber(word: string): string {
  return word.replace(/^0+(?=.)/, '')
}

/** SQL that tells whether a name has a number that begins so, or is it, with up to five zeros before it. */
export function hasNumber(name: string, number: string, isWhole = false): string {
  return Array.from({ length: 6 }, (_, zeros) => `' ' || ${name} || ' ' glob '*[^0-9]${'0'.repeat(zeros)}' || ${number} || '${isWhole ? '[^0-9]' : ''}*'`).join(' or ')
}

/** One and two letters are looked for at the beginning of a word only. */
function inText(word: string): string {
  return word.length < 3 ? ` ${word}` : word
}

/** How many letters may be wrong, missing, too many or exchanged with their neighbour. */
function typosOf(word: string): number {
  return word.length < 4 ? 0 : word.length < 8 ? 1 : 2
}

/**
 * The query of the index for words that are nearly these. With one wrong place one half of a word is still whole, with
 * two one third: the pieces find the candidates, `createNearness` decides.
 */
export function nearQuery({ words }: Wanted): string | undefined {
  const parts = words.map(inText).filter((part) => part.length >= 3)
  if (parts.length === 0) return undefined
  return parts.map((word) => `(${piecesOf(word).join(' OR ')})`).join(' AND ')
}

function piecesOf(word: string): string[] {
  const typos = typosOf(word)
  const whole = quote(word)
  if (typos === 0) return [whole]
  const length = word.length
  if (typos === 1) {
    const half = Math.ceil(length / 2)
    const [before, after] = [` ${word.slice(0, half - 1)}`, word.slice(half + 1)]
    const around = before.length >= 3 && after.length >= 3 ? [`(${quote(before)} AND ${quote(after)})`] : []
    return [whole, quote(` ${word.slice(0, half)}`), ...tail(word.slice(half)), ...around]
  }
  const third = Math.ceil(length / 3)
  return [whole, quote(` ${word.slice(0, third)}`), quote(word.slice(third, 2 * third)), ...tail(word.slice(2 * third))]
}

/** The end of a word; what is too short for the index is left out, which only loses the rarest of the candidates. */
function tail(end: string): string[] {
  const text = end.length < 3 ? `${end} ` : end
  return text.length >= 3 ? [quote(text)] : []
}

/** Tells whether each wanted word is nearly a word of a text, or nearly the beginning of one. */
export function createNearness({ words }: Wanted): (text: string) => boolean {
  // Names come again and again: each is looked at once.
  const known = words.map(() => new Map<string, boolean>())
  // A number has none of a word's letters, and each of them would be a wrong one: no need to compare every IMEI.
  const isLettered = words.map((word) => word.replace(/[0-9]/g, '').length > typosOf(word))
  return (text) =>
    words.every((word, index) => {
      if (text.includes(inText(word))) return true
      const typos = typosOf(word)
      if (typos === 0) return false
      return text.split(' ').some((candidate) => {
        if (candidate.length < word.length - typos || (isLettered[index] && /^[0-9]+$/.test(candidate))) return false
        const before = known[index]?.get(candidate)
        const isNear = before ?? distance(word, candidate, typos) <= typos
        if (before === undefined) known[index]?.set(candidate, isNear)
        return isNear
      })
    })
}

/** Least number of typing errors between a word and a beginning of the other. More than `most` is told as `most + 1`. */
function distance(word: string, other: string, most: number): number {
  const width = Math.min(other.length, word.length + most)
  let before: number[] = []
  let last = Array.from({ length: width + 1 }, (_, column) => column)
  for (let row = 1; row <= word.length; row++) {
    const now = [row]
    for (let column = 1; column <= width; column++) {
      const same = word[row - 1] === other[column - 1]
      let least = Math.min((last[column] ?? 0) + 1, (now[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + (same ? 0 : 1))
      const isExchanged = row > 1 && column > 1 && word[row - 1] === other[column - 2] && word[row - 2] === other[column - 1]
      if (isExchanged) least = Math.min(least, (before[column - 2] ?? 0) + 1)
      now.push(least)
    }
    if (Math.min(...now) > most) return most + 1
    before = last
    last = now
  }
  return Math.min(...last)
}

/** A quoted string is never taken for an operator of the query language. */
function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
