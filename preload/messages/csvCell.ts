/** A cell by RFC 4180, with formulas disabled. */
export function quoteCell(text: string): string {
  // Spreadsheets also recognise a formula after spaces, and with full-width signs.
  const safe = /^[\s\0\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u.test(text) ? `'${text}` : text
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
