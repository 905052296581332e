/** A vehicle identification number (ISO 3779), and what its check digit says; `notUsed`: its region requires none. */
export interface Vin {
  vin: string
  checkDigit: 'agrees' | 'differs' | 'notUsed'
}

export type VinReading = ({ kind: 'vin' } & Vin) | { kind: 'none'; why: 'noVin' | 'letters' | 'several' }

/** Values of letters and weights of positions (49 CFR 565.15); the check digit itself has the weight 0. */
const letterValues = new Map(
  [...'ABCDEFGH', ...'JKLMN', 'P', 'R', ...'STUVWXYZ'].map((letter, n) => [
    letter,
    [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9][n] ?? 0
  ])
)
const weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]
/** Codes of vehicles imported to North America begin with an I, which is not part of the number. */
const written = /(?<![A-Z0-9])I?([A-HJ-NPR-Z0-9]{17})(?![A-Z0-9])/g
const withOtherLetters = /(?<![A-Z0-9])[A-Z0-9]{17}(?![A-Z0-9])/

/**
 * What the check digit says. It is required only for vehicles built for North America: their numbers begin with 1 to 5.
 */
function judgeCheckDigit(vin: string): Vin['checkDigit'] {
  if (!/^[1-5]/.test(vin)) return 'notUsed'
  const rest =
    [...vin].reduce((sum, sign, n) => sum + (letterValues.get(sign) ?? Number(sign)) * (weights[n] ?? 0), 0) % 11
  return vin[8] === (rest === 10 ? 'X' : String(rest)) ? 'agrees' : 'differs'
}

/** The VIN in the text of a barcode: the number alone, or among the other fields of a door label. */
export function readVin(text: string): VinReading {
  const whole = text.toUpperCase()
  // A number without letters, or a word without digits, is something else.
  const found = [...whole.matchAll(written)].filter(({ 1: vin = '' }) => /[A-Z]/.test(vin) && /\d/.test(vin))
  const named = found.filter(({ index }) => /VIN[^A-Z0-9]{0,4}$/.test(whole.slice(0, index)))
  const vins = [...new Set((named.length > 0 ? named : found).map(({ 1: vin = '' }) => vin))]
  const [vin] = vins
  if (vin === undefined)
    return { kind: 'none', why: withOtherLetters.test(whole) && /[IOQ]/.test(whole) ? 'letters' : 'noVin' }
  return vins.length > 1 ? { kind: 'none', why: 'several' } : { kind: 'vin', vin, checkDigit: judgeCheckDigit(vin) }
}
