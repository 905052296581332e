/** A cell as RFC 4180 wants it, with formulas made harmless. */
export function quoteCell(text: string): string {
  // Spreadsheets also start a formula after spaces, and with the full-width forms of the signs.
  const safe = /^[\s\0\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u.test(text) ? `'${text}` : text
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
