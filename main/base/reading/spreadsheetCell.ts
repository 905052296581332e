import { countHiddenMarks, removeHiddenMarks } from '../../../preload/base/messages/hiddenMarks.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'

export interface CleanCell {
  text: string
  /** What a spreadsheet did to the cell so that its content is lost. */
  problem: Message | null
  /** Invisible marks that were removed. */
  hidden: number
}

/** The digits that a spreadsheet keeps of a number (IEEE 754 in decimal); the rest becomes zeros. */
const keptDigits = 15
/** Shorter numbers are amounts, longer ones name something: an IMEI has 15 digits, an ICCID 19. */
const leastIdentityDigits = 11
const identityWithDecimals = new RegExp(`^(\\d{${leastIdentityDigits},})[.,]0+$`)
/** 17 digits that end with zeros may be an IMEI with its software version. */
const leastRoundedDigits = 18
const longDigits = new RegExp(`^\\d{${leastRoundedDigits},}$`)
/** Errors as spreadsheets show them in the languages of their users; a row of # is a column that is too narrow. */
const errorValue = /^#(?:#{2,}|[¡¿]?\p{Lu}{2,6}(?:\/[\p{Lu}\d])?[!?]|N\/[AD])$/u

/**
 * The content of a cell as its author meant it: without invisible marks, and without what spreadsheets put around a
 * number.
 */
export function cleanCell(raw: string): CleanCell {
  const hidden = countHiddenMarks(raw)
  const bare = removeHiddenMarks(raw).trim()
  const formula = /^="(.*)"$/s.exec(bare)?.[1]?.replaceAll('""', '"') ?? bare
  // An apostrophe marks a text; also Fitter's own tables have it before what a spreadsheet would evaluate.
  const text = formula.replace(/^'(?=[\s\d=+\-@\uff1d\uff0b\uff0d\uff20])/u, '').trim()
  return { hidden, ...readNumberForm(text) }
}

function readNumberForm(text: string): { text: string; problem: Message | null } {
  const lost = (what: 'digitsLost' | 'digitsZeroed' | 'cellError'): Message => message(`reading.${what}`, { text })
  if (errorValue.test(text)) return { text, problem: lost('cellError') }
  const [, sign = '', whole = '', fraction = '', exponent] = /^([-+]?)(\d)(?:[.,](\d+))?E\+(\d{2,3})$/i.exec(text) ?? []
  if (exponent !== undefined) {
    const digits = `${whole}${fraction}`
    const isWhole = digits.length === Number(exponent) + 1 && digits.length >= leastIdentityDigits
    return isWhole ? { text: `${sign}${digits}`, problem: null } : { text, problem: lost('digitsLost') }
  }
  const bare = identityWithDecimals.exec(text)?.[1] ?? text
  const isRounded = longDigits.test(bare) && /^0+$/.test(bare.slice(keptDigits))
  return { text: bare, problem: isRounded ? lost('digitsZeroed') : null }
}
