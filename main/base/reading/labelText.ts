import { isValidImei } from '../../../preload/contract/base/imei.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { removeHiddenMarks } from '../../../preload/base/messages/hiddenMarks.ts'
import { whyNoImei } from './imeiSentence.ts'

export type LabelReading =
  | { kind: 'imei'; imei: string }
  | { kind: 'ambiguous'; imeis: string[]; detail: Message }
  | { kind: 'none'; detail: Message }

/**
 * The grouped ways in which labels print an IMEI (3GPP TS 23.003), with an optional software version of two digits
 * behind.
 */
const grouped =
  /(?<!\d)(?:\d{2}[-. /]\d{6}[-. /]\d{6}[-. /]\d|\d{6}[-. /]\d{2}[-. /]\d{6}[-. /]\d|\d{8}[-. /]\d{6}[-. /]\d)(?:[-. /]\d{2})?(?!\d)/g
/**
 * An IMEI without separators, with or without two digits of software version. A longer number is something else (an
 * ICCID has 19).
 */
const solid = /(?<!\d)\d{15}(?:\d{2})?(?!\d)/g
/** 14 digits and two of software version, without a check digit: only if the label itself calls it so. */
const softwareVersion = /IMEI[ /-]?SV[^0-9]{0,6}(\d{14})\d{2}(?!\d)/gi
/** The prefix of a number that the label calls an IMEI. */
const named = /IMEI[^0-9]{0,8}(?:[12]\s*[:.)=-]\s*)?$/i

/**
 * The IMEI in the input of a scanner, a camera or a person: the number alone or grouped, with a prefix ("IMEI:"), a
 * host name (`<model>-<IMEI>`), an IMEISV, or the whole text of a label. Numbers that are no IMEI are ignored. If a
 * label contains several valid numbers, the one that it calls IMEI is used; two of these are ambiguous.
 */
export function readLabelText(given: string): LabelReading {
  const text = removeHiddenMarks(given)
  const found: { imei: string; isNamed: boolean }[] = []
  const wrong: string[] = []
  for (const pattern of [solid, grouped]) {
    for (const match of text.matchAll(pattern)) {
      const imei = match[0].replace(/\D/g, '').slice(0, 15)
      if (isValidImei(imei)) found.push({ imei, isNamed: named.test(text.slice(0, match.index)) })
      else wrong.push(imei)
    }
  }
  for (const match of text.matchAll(softwareVersion)) {
    const imei = withCheckDigit(match[1] ?? '')
    if (isValidImei(imei)) found.push({ imei, isNamed: true })
    else wrong.push(imei.padEnd(15, '0'))
  }
  // A number typed in unusual groups.
  const bare = text.trim().replace(/^IMEI\s*[:=.]?\s*/i, '')
  if (found.length === 0 && /^[\d\s./-]+$/.test(bare)) {
    const digits = bare.replace(/\D/g, '')
    if (isValidImei(digits)) return { kind: 'imei', imei: digits }
    return { kind: 'none', detail: whyNoImei(digits) ?? message('label.none') }
  }
  // A letter misread for a digit: O for 0, I for 1.
  const stray = /^(?=(?:\D*\d){10})[\d\s./-]*([a-z]{1,2})[\d\s./-]*$/i.exec(bare)?.[1]
  if (found.length === 0 && stray) return { kind: 'none', detail: message('label.notADigit', { part: stray }) }
  const hasNamed = found.some((item) => item.isNamed)
  const imeis = [...new Set(found.filter((item) => item.isNamed || !hasNamed).map((item) => item.imei))]
  const [first] = imeis
  if (first === undefined) return { kind: 'none', detail: (wrong[0] && whyNoImei(wrong[0])) || message('label.none') }
  if (imeis.length === 1) return { kind: 'imei', imei: first }
  return { kind: 'ambiguous', imeis, detail: message('label.several', { n: imeis.length }) }
}

function withCheckDigit(fourteen: string): string {
  for (let digit = 0; digit < 10; digit++) if (isValidImei(`${fourteen}${digit}`)) return `${fourteen}${digit}`
  return fourteen
}
