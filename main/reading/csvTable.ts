import { CsvError, parse } from 'csv-parse/sync'
import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'

export interface TableRow {
  /** Where it stands in the file, from 1. */
  line: number
  /** By lower-case column name; without empty cells. */
  cells: ReadonlyMap<string, string>
}

export interface Table {
  /** In lower case, in the order of the file. */
  columns: string[]
  rows: TableRow[]
}

/** More lines than anyone has vehicles: such a file is refused. */
const mostRows = 20_000

/** A table from a spreadsheet: any usual separator, quotes, UTF-8 or Windows. INVALID_REQUEST with the line for an invalid one. */
export function readTable(content: Uint8Array | string): Table {
  const text = (typeof content === 'string' ? content : decode(content)).replace(/^\uFEFF/, '')
  const [header, ...records] = parseText(text)
  if (!header) throw new AppError('INVALID_REQUEST', message('reading.tableEmpty'))
  if (records.length > mostRows)
    throw new AppError('INVALID_REQUEST', message('reading.tableTooLong', { most: mostRows }))
  const columns = header.record.map((name) => name.trim().toLowerCase())
  const twice = columns.find((name, index) => name !== '' && columns.indexOf(name) !== index)
  if (twice !== undefined) throw new AppError('INVALID_REQUEST', message('reading.tableColumnTwice', { name: twice }))
  return { columns, rows: records.map((row) => asRow(row, columns)) }
}

interface ParsedRecord {
  record: string[]
  info: { lines: number }
}

function parseText(text: string): ParsedRecord[] {
  try {
    return parse(text, {
      info: true,
      delimiter: delimiterOf(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      relax_column_count: true,
      max_record_size: 100_000
    }) as unknown as ParsedRecord[]
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new AppError('INVALID_REQUEST', message('reading.tableBroken', { line: Number(error.lines) }), {
      cause: error
    })
  }
}

function asRow({ record, info }: ParsedRecord, columns: readonly string[]): TableRow {
  const more = record.findIndex((cell, index) => cell.trim() !== '' && (columns[index] ?? '') === '')
  if (more >= 0) throw new AppError('INVALID_REQUEST', message('reading.tableCellWithoutColumn', { line: info.lines }))
  return {
    line: info.lines,
    cells: new Map(
      columns.flatMap((name, index) => (record[index]?.trim() ? [[name, record[index].trim()] as const] : []))
    )
  }
}

/** The separator depends on the computer's language: the most frequent one in the header. */
function delimiterOf(text: string): string {
  const header = (text.split(/\r?\n/, 1)[0] ?? '').replace(/"[^"]*"/g, '')
  const times = (delimiter: string) => header.split(delimiter).length
  return [',', ';', '\t'].reduce((best, one) => (times(one) > times(best) ? one : best))
}

/** Invalid UTF-8 comes from a program that still uses a code page. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
