/**
 * A number in a file of a format with its own grammar (GPX, CSV): a point, never an exponent, no minus before zero.
 * Empty for no number.
 */
export function numberInFile(value: number): string {
  if (!Number.isFinite(value)) return ''
  const [mantissa = '', exponent] = String(value === 0 ? 0 : value).split('e')
  if (exponent === undefined) return mantissa
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d)(?:\.(\d+))?$/.exec(mantissa) ?? []
  const digits = `${whole}${fraction}`
  const shift = Number(exponent)
  return shift < 0 ? `${sign}0.${'0'.repeat(-shift - 1)}${digits}` : `${sign}${digits.padEnd(shift + 1, '0')}`
}
