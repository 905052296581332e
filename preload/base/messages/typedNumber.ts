import { numberInFile } from './numberInFile.ts'

/** Spaces and apostrophes only separate groups of three digits. */
const spaces = /[\s'’]/g

/**
 * The possible values of a typed number: two if a single point or comma may be either separator ("123.456": thousands
 * first).
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

/** A number in the form that can mean only it: 12.345 could be twelve thousand, 12.3450 cannot. */
export function writeTypedNumber(value: number): string {
  const text = numberInFile(value)
  return /^-?[1-9]\d{0,2}\.\d{3}$/.test(text) ? `${text}0` : text
}
