/** Spaces and apostrophes only ever part groups of three digits. */
const spaces = /[\s'’]/g

/**
 * What a number that a person typed can mean: nothing where it is no number, and two values where a single point or comma
 * may part thousands as well as decimals ("123.456": the one with thousands first).
 */
export function readTypedNumber(given: string | number | undefined): number[] {
  if (typeof given === 'number') return Number.isFinite(given) ? [given] : []
  const text = given?.trim() ?? ''
  const [, sign, rest = ''] = /^([-+]?)([\d.,\s'’]+)$/.exec(text) ?? []
  if (sign === undefined) return []
  const hasSpaces = /\d[\s'’]\d/.test(rest)
  if (hasSpaces && !/^\d{1,3}([\s'’]\d{3})+([.,]\d+)?$/.test(rest)) return []
  const digits = rest.replace(spaces, '')
  const asDecimal = /^\d+([.,]\d+)?$/.test(digits) ? [numberOf(sign, digits.replace(',', '.'))] : []
  if (hasSpaces) return asDecimal
  const grouped = /^[1-9]\d{0,2}(([.,])\d{3})(\2\d{3})*((?!\2)[.,]\d+)?$/.test(digits) ? digits : undefined
  if (grouped === undefined) return asDecimal
  const separator = /[.,]/.exec(grouped)?.[0] ?? ''
  return [numberOf(sign, grouped.replaceAll(separator, '').replace(',', '.')), ...asDecimal]
}

function numberOf(sign: string, digits: string): number {
  return Number(`${sign === '-' ? '-' : ''}${digits}`)
}
