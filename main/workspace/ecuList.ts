import { AppError } from '../../preload/contract/errors.ts'
import { message, type Message } from '../../preload/contract/messages.ts'
import type { CheckedEcuRow, EcuEntry, EcuRow } from '../../preload/contract/device/workspace.ts'
import { readTable } from '../reading/csvTable.ts'

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

/** Rows of an engine-bus list from a CSV file whose first line has the documented names. INVALID_REQUEST without such a line. */
export function readEcuCsv(text: string): EcuRow[] {
  const { columns, rows } = readTable(text)
  const columnOf = new Map(columns.map((column) => [column.toUpperCase().replace(/[\s-]+/g, '_'), column]))
  if (!columnOf.has('PARAM_NAME') || !columnOf.has('PGN')) {
    throw new AppError('INVALID_REQUEST', message('ecuList.firstLine', { columns: fields.join(', ') }))
  }
  if (rows.length > mostRows)
    throw new AppError('INVALID_REQUEST', message('ecuList.tooManyRows', { n: rows.length, most: mostRows }))
  return rows.map(
    ({ cells }) =>
      Object.fromEntries(
        fields.map((field) => [field, (cells.get(columnOf.get(field) ?? '') ?? '').slice(0, 120)])
      ) as EcuRow
  )
}

/** Checks one row against the document; `entry` is what may be sent, null while there is a problem. */
export function checkEcuRow(row: EcuRow): Pick<CheckedEcuRow, 'entry' | 'problems' | 'notes'> {
  const problems: CheckedEcuRow['problems'] = []
  const notes: Message[] = []
  const wrong = (field: keyof EcuRow, text: Message) => void problems.push({ field, text })
  const value = Object.fromEntries(fields.map((field) => [field, row[field].trim()])) as EcuRow

  if (value.PARAM_NAME === '') wrong('PARAM_NAME', message('ecuList.nameMissing'))
  else if (!/^[A-Z0-9_]+$/i.test(value.PARAM_NAME)) wrong('PARAM_NAME', message('ecuList.nameLetters'))

  const pgn = /^(?:0x)?([0-9a-f]{1,5})$/i.exec(value.PGN)?.[1]?.toUpperCase()
  if (pgn === undefined) wrong('PGN', message('ecuList.pgnForm'))
  else {
    const trimmed = pgn.replace(/0+$/, '') || '0'
    if (Number.parseInt(pgn, 16) > 0x3ffff) wrong('PGN', message('ecuList.pgnTooLarge'))
    if (trimmed !== pgn) notes.push(message('ecuList.pgnTrimmed', { pgn, sent: trimmed }))
    value.PGN = trimmed
  }

  value.TRANSMISSION_RATE = value.TRANSMISSION_RATE.toUpperCase().replace(/[\s-]+/g, '_')
  if (value.TRANSMISSION_RATE !== 'ON_REQUEST')
    wholeNumber('TRANSMISSION_RATE', 1, 3_600_000, message('ecuList.rateForm'))
  wholeNumber('PRIORITY', 0, 7, message('ecuList.priorityForm'))
  wholeNumber('DLC', 0, 1_785, message('ecuList.dlcForm'))
  wholeNumber('LENGTH', 1, 1_785 * 8, message('ecuList.lengthForm'))
  if (!/^\d+(\.\d+)?$/.test(value.START_POSITION)) wrong('START_POSITION', message('ecuList.positionForm'))
  if (!isNumber(value.MULTIPLIER)) wrong('MULTIPLIER', message('ecuList.numberForm'))
  else if (Number(value.MULTIPLIER) === 0) wrong('MULTIPLIER', message('ecuList.zeroMultiplier'))
  value.GROUP = value.GROUP.toUpperCase().replace(/[\s-]+/g, '_')
  if (!groups.includes(value.GROUP)) wrong('GROUP', message('ecuList.groupForm', { names: groups.join(', ') }))
  if (!isNumber(value.OFFSET)) wrong('OFFSET', message('ecuList.offsetForm'))

  const entry: EcuEntry | null = problems.length > 0 ? null : { ...value, OFFSET: Number(value.OFFSET) }
  return { entry, problems, notes }

  function wholeNumber(field: keyof EcuRow, least: number, most: number, text: Message): void {
    const number = Number(value[field])
    if (!/^\d+$/.test(value[field]) || number < least || number > most) wrong(field, text)
  }
}

/** Checks all rows; a repeated name is a problem of the second row. `sentAt` returns when a name was sent before. */
export function checkEcuList(rows: readonly EcuRow[], sentAt: (name: string) => string | null): CheckedEcuRow[] {
  const seen = new Map<string, number>()
  return rows.map((row, index) => {
    const { entry, problems, notes } = checkEcuRow(row)
    const name = row.PARAM_NAME.trim()
    const before = seen.get(name)
    if (before !== undefined && name !== '')
      problems.push({ field: 'PARAM_NAME', text: message('ecuList.sameName', { row: before + 1 }) })
    else seen.set(name, index)
    const sent = name === '' ? null : sentAt(name)
    if (sent !== null) notes.push(message('ecuList.sentBefore'))
    return { row, entry: problems.length > 0 ? null : entry, problems, notes, sentAt: sent }
  })
}

function isNumber(text: string): boolean {
  return /^[+-]?(\d+(\.\d+)?|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text))
}
