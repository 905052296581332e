import type { Message } from '../../../../preload/contract/messages.ts'
import type { JobSummary } from '../../../../preload/contract/job/jobs.ts'
import { vehicleNameOf } from '../../../../preload/job/vehicleName.ts'

/** Lower case, without accents: `Núñez` and `NUNEZ` are the same word. */
export function foldText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')
}

export function splitWords(text: string): string[] {
  return foldText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** The search words of a job, between spaces for beginnings and ends; the vehicle's name also without separators. */
export function wordsOf(job: JobSummary): string {
  const { id, kind, template, device, vehicle, customer, technician } = job
  const name = splitWords(vehicleNameOf(job))
  const plate = splitWords(vehicle?.plate ?? '')
  const words = [
    id,
    device.imei,
    device.model,
    customer,
    technician,
    template.id,
    ownWords(template.name),
    kind
  ].flatMap(splitWords)
  const all = new Set([...name, name.join(''), ...plate, plate.join(''), ...words])
  all.delete('')
  return ` ${[...all].join(' ').slice(0, longestWords)} `
}

/** The name of a customer's checklist; a built-in one is found by its id, in any language. */
function ownWords({ id, values }: Message): string {
  return id === 'plain.text' ? String(values['text']) : ''
}

/** A name of any length is stored completely in its column; it is found by its beginning. */
const longestWords = 2_000

export interface Wanted {
  words: string[]
  /** All words joined, as a plate is often typed; empty for a single word. */
  joined: string
}

export function readWanted(search: string): Wanted {
  const words = [...new Set(splitWords(search))].slice(0, 12)
  const joined = words.length > 1 ? words.join('').slice(0, 60) : ''
  return { words, joined: joined.length > 3 ? joined : '' }
}

/** The index query for exactly these words; undefined when no word is long enough. */
export function exactQuery({ words, joined }: Wanted): string | undefined {
  const parts = words
    .filter((word) => !isShortNumber(word))
    .map(inText)
    .filter((part) => part.length >= 3)
  if (parts.length === 0) return undefined
  const all = parts.map(quote).join(' AND ')
  return joined === '' ? all : `(${all}) OR ${quote(joined)}`
}

/** One or two digits are a number of their own: `7` matches 7, 007 and 70, not each 7 inside a longer number. */
export function isShortNumber(word: string): boolean {
  return /^\d{1,2}$/.test(word)
}

/** Without leading zeros. */
export function bareNumber(word: string): string {
  return word.replace(/^0+(?=.)/, '')
}

/**
 * SQL that tests whether a name contains a number that begins with this one, or equals it, with up to five leading
 * zeros.
 */
export function hasNumber(name: string, number: string, isWhole = false): string {
  return Array.from(
    { length: 6 },
    (_, zeros) =>
      `' ' || ${name} || ' ' glob '*[^0-9]${'0'.repeat(zeros)}' || ${number} || '${isWhole ? '[^0-9]' : ''}*'`
  ).join(' or ')
}

/** One and two letters match only at the beginning of a word. */
function inText(word: string): string {
  return word.length < 3 ? ` ${word}` : word
}

/** The number of letters that may be wrong, missing, additional or swapped. */
function typosOf(word: string): number {
  return word.length < 4 ? 0 : word.length < 8 ? 1 : 2
}

/** The index query for similar words: with one error a half is intact, with two a third; `createNearness` decides. */
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

/** The end of a word; if it is too short for the index, it is left out, which loses only the rarest candidates. */
function tail(end: string): string[] {
  const text = end.length < 3 ? `${end} ` : end
  return text.length >= 3 ? [quote(text)] : []
}

/** Decides whether each wanted word is similar to a word of a text, or to its beginning. */
export function createNearness({ words }: Wanted): (text: string) => boolean {
  // Names repeat often: each is compared once.
  const known = words.map(() => new Map<string, boolean>())
  // A number contains no letters of a word, so every letter would be an error: no need to compare every IMEI.
  const isLettered = words.map((word) => word.replace(/[0-9]/g, '').length > typosOf(word))
  return (text) =>
    words.every((word, index) => {
      if (text.includes(inText(word))) return true
      const typos = typosOf(word)
      if (typos === 0) return false
      return text.split(' ').some((candidate) => {
        if (candidate.length < word.length - typos || (isLettered[index] && /^[0-9]+$/.test(candidate))) return false
        const before = known[index]?.get(candidate)
        const isNear = before ?? countTypos(word, candidate, typos) <= typos
        if (before === undefined) known[index]?.set(candidate, isNear)
        return isNear
      })
    })
}

/**
 * The fewest typing errors (a letter wrong, missing, additional or swapped) between a word and a beginning of the
 * other; more than `most` is `most + 1`.
 */
export function countTypos(word: string, other: string, most: number): number {
  const width = Math.min(other.length, word.length + most)
  if (width < word.length - most) return most + 1
  let [earlier, before]: [number[], number[]] = [[], Array.from({ length: width + 1 }, (_, column) => column)]
  for (let row = 1; row <= word.length; row++) {
    const now = [row]
    for (let column = 1; column <= width; column++) {
      const isSame = word[row - 1] === other[column - 1]
      const isSwapped =
        row > 1 && column > 1 && word[row - 1] === other[column - 2] && word[row - 2] === other[column - 1]
      now[column] = Math.min(
        (before[column] ?? 0) + 1,
        (now[column - 1] ?? 0) + 1,
        (before[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (earlier[column - 2] ?? 0) + 1 : Infinity
      )
    }
    if (Math.min(...now) > most) return most + 1
    ;[earlier, before] = [before, now]
  }
  return Math.min(...before)
}

/** A quoted string is never read as an operator of the query language. */
function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
