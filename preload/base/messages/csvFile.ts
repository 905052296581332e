import { numberInFile } from './numberInFile.ts'

export type CsvValue = string | number | boolean | null

/** Without this mark Excel reads a CSV file in the code page of its computer. Files for programs have none. */
const csvMark = '\ufeff'

/**
 * A CSV file for a person, by RFC 4180: spreadsheets read its letters, evaluate nothing in it, and calculate with its
 * numbers.
 */
export function csvFile(rows: readonly (readonly CsvValue[])[]): string {
  return csvMark + csvLines(rows)
}

/** The same rows without the mark: the next piece of a file, or a file for a program. */
export function csvLines(rows: readonly (readonly CsvValue[])[]): string {
  return rows.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')
}

function csvCell(value: CsvValue): string {
  // A negative number is no formula.
  if (typeof value === 'number') return numberInFile(value)
  return value === null ? '' : quoteCell(String(value))
}

/** A text as a cell, with formulas disabled. The reader of tables removes the apostrophe again. */
export function quoteCell(text: string): string {
  // Spreadsheets also recognise a formula after spaces, and with full-width signs.
  const safe = /^[\s\0\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u.test(text) ? `'${text}` : text
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
