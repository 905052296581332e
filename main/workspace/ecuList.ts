import { AppError } from '../../preload/contract/errors.ts'
import type { CheckedEcuRow, EcuEntry, EcuRow } from '../../preload/contract/workspace.ts'
import { readCsv } from './csv.ts'

const fields = [
  'PARAM_NAME',
  'PGN',
  'TRANSMISSION_RATE',
  'PRIORITY',
  'DLC',
  'LENGTH',
  'START_POSITION',
  'MULTIPLIER',
  'GROUP',
  'OFFSET'
] as const satisfies readonly (keyof EcuRow)[]
const groups = ['SIGNAL', 'PERCENT', 'EXTENDED_SIGNAL', 'NUMBER_VALUE']
const mostRows = 500

/**
 * Rows of an engine-bus list from a CSV file whose first line names the documented fields, in any order and letter case.
 * Columns that are missing stay empty and are told by `checkEcuRow`. Throws INVALID_REQUEST for a file without such a line.
 */
export function readEcuCsv(text: string): EcuRow[] {
  const [header, ...lines] = readCsv(text)
  const names = (header ?? []).map((name) => name.toUpperCase().replace(/[\s-]+/g, '_'))
  if (!names.includes('PARAM_NAME') || !names.includes('PGN')) {
    throw new AppError('INVALID_REQUEST', `The first line has to name the columns: ${fields.join(', ')}.`)
  }
  if (lines.length > mostRows) throw new AppError('INVALID_REQUEST', `The file has ${lines.length} rows; at most ${mostRows} are taken at once.`)
  return lines.map((line) => {
    const read = new Map(names.map((name, index) => [name, (line[index] ?? '').slice(0, 120)]))
    return Object.fromEntries(fields.map((field) => [field, read.get(field) ?? ''])) as EcuRow
  })
}

/**
 * Holds one row against the document: PGN hexadecimal (trailing zeros trimmed), GROUP of the four, numbers where numbers
 * belong. `entry` is what may be sent; null while there is a problem.
 */
export function checkEcuRow(row: EcuRow): Pick<CheckedEcuRow, 'entry' | 'problems' | 'notes'> {
  const problems: CheckedEcuRow['problems'] = []
  const notes: string[] = []
  const wrong = (field: keyof EcuRow, text: string) => void problems.push({ field, text })
  const value = Object.fromEntries(fields.map((field) => [field, row[field].trim()])) as EcuRow

  if (value.PARAM_NAME === '') wrong('PARAM_NAME', 'A name is missing.')
  else if (!/^[A-Z0-9_]+$/i.test(value.PARAM_NAME)) wrong('PARAM_NAME', 'Letters, digits and underscores only.')

  const pgn = /^(?:0x)?([0-9a-f]{1,5})$/i.exec(value.PGN)?.[1]?.toUpperCase()
  if (pgn === undefined) wrong('PGN', 'A hexadecimal number of up to five digits, such as FEF1.')
  else {
    const trimmed = pgn.replace(/0+$/, '') || '0'
    if (Number.parseInt(pgn, 16) > 0x3ffff) wrong('PGN', 'Larger than any PGN (3FFFF).')
    if (trimmed !== pgn) notes.push(`PGN ${pgn} is sent as ${trimmed}: the document wants trailing zeros trimmed.`)
    value.PGN = trimmed
  }

  value.TRANSMISSION_RATE = value.TRANSMISSION_RATE.toUpperCase().replace(/[\s-]+/g, '_')
  if (value.TRANSMISSION_RATE !== 'ON_REQUEST') wholeNumber('TRANSMISSION_RATE', 1, 3_600_000, 'A whole number, or ON_REQUEST.')
  wholeNumber('PRIORITY', 0, 7, 'A whole number from 0 to 7.')
  wholeNumber('DLC', 0, 1_785, 'The data length, a whole number.')
  wholeNumber('LENGTH', 1, 1_785 * 8, 'A whole number of at least 1.')
  if (!/^\d+(\.\d+)?$/.test(value.START_POSITION)) wrong('START_POSITION', 'A number, such as 4 or 4.1.')
  if (!isNumber(value.MULTIPLIER)) wrong('MULTIPLIER', 'A number, with a decimal point.')
  else if (Number(value.MULTIPLIER) === 0) wrong('MULTIPLIER', 'With 0 every value would be 0.')
  value.GROUP = value.GROUP.toUpperCase().replace(/[\s-]+/g, '_')
  if (!groups.includes(value.GROUP)) wrong('GROUP', `One of ${groups.join(', ')}.`)
  if (!isNumber(value.OFFSET)) wrong('OFFSET', 'A number, with a decimal point; 0 where there is none.')

  const entry: EcuEntry | null = problems.length > 0 ? null : { ...value, OFFSET: Number(value.OFFSET) }
  return { entry, problems, notes }

  function wholeNumber(field: keyof EcuRow, least: number, most: number, text: string): void {
    const number = Number(value[field])
    if (!/^\d+$/.test(value[field]) || number < least || number > most) wrong(field, text)
  }
}

/** Checks all rows; a name that comes twice is a problem of the second one. `sentAt` tells when a name was sent before. */
export function checkEcuList(rows: readonly EcuRow[], sentAt: (name: string) => string | null): CheckedEcuRow[] {
  const seen = new Map<string, number>()
  return rows.map((row, index) => {
    const { entry, problems, notes } = checkEcuRow(row)
    const name = row.PARAM_NAME.trim()
    const before = seen.get(name)
    if (before !== undefined && name !== '') problems.push({ field: 'PARAM_NAME', text: `The same name as row ${before + 1}.` })
    else seen.set(name, index)
    const sent = name === '' ? null : sentAt(name)
    if (sent !== null) notes.push('Sent to this device before: the list can only be added to, so it could be there twice.')
    return { row, entry: problems.length > 0 ? null : entry, problems, notes, sentAt: sent }
  })
}

function isNumber(text: string): boolean {
  return /^[+-]?(\d+(\.\d+)?|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text))
}
