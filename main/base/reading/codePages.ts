import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { TableEncoding, TableReading } from '../../../preload/contract/job/tables.ts'
import { decodeUtf8 } from '../../../preload/base/messages/utf8.ts'

export interface DecodedText {
  text: string
  encoding: TableEncoding
  unclear: TableReading['unclear']
}

/**
 * The upper half of code page 850 (the DOS of Western Europe and Latin America), which no decoder of the platform
 * knows.
 */
const dosLetters =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0'
/** The first of two that read the same counts. */
const codePages = [
  'windows-1252',
  'ibm850',
  'windows-1250',
  'windows-1251',
  'macintosh'
] as const satisfies readonly TableEncoding[]
/** One letter that only one of the languages has decides. */
const leastLead = 3
const mostShown = 20

/**
 * The text of a file from a person: Unicode with or without its mark, otherwise the code page whose letters make words.
 * Throws
 * INVALID_REQUEST for bytes that are no text, and for a wanted encoding that cannot be right.
 */
export function decodeText(bytes: Uint8Array, wanted?: TableEncoding): DecodedText {
  if (wanted !== undefined) return sure(decodeAs(bytes, wanted), wanted)
  const unicode = findUnicode(bytes)
  if (unicode !== undefined) return sure(decodeAs(bytes, unicode), unicode)
  if (bytes.includes(0)) throw noText()
  const read = codePages
    .map((encoding) => ({ encoding, text: decodeAs(bytes, encoding) }))
    .filter(({ text }, index, all) => all.findIndex((one) => one.text === text) === index)
  const [best, second] = read
    .map((one) => ({ ...one, points: judgeLetters(one.text) }))
    .sort((a, b) => b.points - a.points)
  if (!best) throw noText()
  const isClear = !second || best.points - second.points >= leastLead
  return {
    text: best.text,
    encoding: best.encoding,
    unclear: isClear ? null : { ...whereTheyDiffer(best.text, second.text), otherEncoding: second.encoding }
  }
}

/** The words with the first letter that differs. Both have one sign for each byte. */
function whereTheyDiffer(one: string, other: string): { one: string; other: string } {
  const at = [...one].findIndex((sign, index) => sign !== other[index])
  const isEnd = (sign: string): boolean => /[\r\n\t;,"]/.test(sign)
  const from = Math.max(
    at - mostShown,
    ...[...one.slice(0, at)].flatMap((sign, index) => (isEnd(sign) ? [index + 1] : [])),
    0
  )
  const length = [...one.slice(at)].findIndex(isEnd)
  const until = Math.min(at + mostShown, length < 0 ? one.length : at + length)
  return { one: one.slice(from, until).trim(), other: other.slice(from, until).trim() }
}

const sure = (text: string, encoding: TableEncoding): DecodedText => ({ text, encoding, unclear: null })
const noText = (cause?: unknown): AppError =>
  new AppError('INVALID_REQUEST', message('reading.notText'), cause === undefined ? {} : { cause })

function findUnicode(bytes: Uint8Array): TableEncoding | undefined {
  const [first, second, third] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  return findBareUtf16(bytes) ?? (isUtf8(bytes) ? 'utf-8' : undefined)
}

/** Separators, digits and Latin letters have a zero in one half of each pair, and only there. */
function findBareUtf16(bytes: Uint8Array): TableEncoding | undefined {
  const start = bytes.subarray(0, 4_096)
  const zeros = [0, 0]
  start.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  })
  const [even = 0, odd = 0] = zeros
  const most = start.length / 4
  if (odd > most && even === 0) return 'utf-16le'
  return even > most && odd === 0 ? 'utf-16be' : undefined
}

function isUtf8(bytes: Uint8Array): boolean {
  return !bytes.includes(0) && decodeUtf8(bytes) !== undefined
}

function decodeAs(bytes: Uint8Array, encoding: TableEncoding): string {
  if (encoding === 'ibm850')
    return Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : (dosLetters[byte - 128] ?? ''))).join(
      ''
    )
  try {
    return new TextDecoder(encoding, { fatal: encoding.startsWith('utf') }).decode(bytes)
  } catch (error) {
    throw noText(error)
  }
}

const western = new Set('áéíóúñüçãõàèìòùâêîôûäöëïåæøßœÁÉÍÓÚÑÜÇÃÕÀÈÌÒÙÂÊÎÔÛÄÖËÏÅÆØ')
const marksOfText = new Set('“”‘’–—…€ºª°¿¡«»·')
const isLetter = (sign: string): boolean => /\p{L}/u.test(sign)

/**
 * How well the signs outside ASCII fit to their neighbours: letters of one script and one case make words, symbols
 * inside words do not.
 */
function judgeLetters(text: string): number {
  let points = 0
  for (const { index } of text.matchAll(/[^\0-\x7f]/g))
    points += judgeSign(text[index] ?? '', text[index - 1] ?? '', text[index + 1] ?? '')
  return points
}

function judgeSign(sign: string, before: string, after: string): number {
  const isInWord = isLetter(before) && isLetter(after)
  if (/[\x80-\x9f\ufffd]/.test(sign)) return -10
  if (/[\u2500-\u25ff]/.test(sign)) return -5
  if (sign === '\u00a0') return isInWord ? 2 : 0
  if (isLetter(sign)) return judgeLetter(sign, [before, after].filter(isLetter), before, after)
  if (marksOfText.has(sign)) return isInWord && sign !== '’' ? -4 : 1
  return isLetter(before) || isLetter(after) ? -4 : -1
}

function judgeLetter(sign: string, neighbours: readonly string[], before: string, after: string): number {
  const isCyrillic = (letter: string): boolean => /\p{Script=Cyrillic}/u.test(letter)
  if (neighbours.some((one) => isCyrillic(one) !== isCyrillic(sign))) return -4
  const isBetweenCases = (isUpper(sign) && isLower(before)) || (isLower(sign) && isUpper(after) && isLower(before))
  if (isBetweenCases) return -4
  if (isCyrillic(sign)) return neighbours.length > 0 ? 2 : 0
  // Two of them side by side are rare in any Latin language.
  if (neighbours.some((one) => one > '\x7f')) return -2
  return western.has(sign) ? 4 : /[ÿþðÐÞƒ]/.test(sign) ? -1 : 1
}

const isUpper = (letter: string): boolean => /\p{Lu}/u.test(letter)
const isLower = (letter: string): boolean => /\p{Ll}/u.test(letter)
