import { CsvError, parse } from 'csv-parse/sync'
import { AppError } from '../../../preload/contract/errors.ts'
import type { TableEncoding, TableReading } from '../../../preload/contract/job/tables.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { decodeText, type DecodedText } from './codePages.ts'
import { cleanCell } from './spreadsheetCell.ts'
import { isOldWorkbook, isWorkbook, readWorkbook } from './workbook.ts'

export interface TableRow {
  /** Where it stands in the file, from 1. */
  line: number
  /** By lower-case column name; without empty cells. */
  cells: ReadonlyMap<string, string>
  /** Cells whose content a spreadsheet destroyed, by column. They are not among `cells`. */
  problems: ReadonlyMap<string, Message>
}

export interface Table {
  /** In lower case, in the order of the file. */
  columns: string[]
  rows: TableRow[]
  reading: TableReading
}

export interface TableOptions {
  /** True for the name of a column, in lower case: the line with most of them is the head, under any title. */
  knows?: (column: string) => boolean
  /** What a person chose; otherwise it is recognised. */
  encoding?: TableEncoding | undefined
}

type Separator = NonNullable<TableReading['separator']>
type Line = { line: number; cells: string[] }

/** More lines than anyone has vehicles: such a file is refused. */
const mostRows = 20_000
/** Titles, dates and notes above the names of the columns. */
const mostLinesAbove = 20
const mostShownRows = 5
const mostShownText = 200
const separators: readonly Separator[] = [',', ';', '\t']

/**
 * A table from a person: text in any usual encoding and with any usual separator, pasted cells, or a workbook of Excel.
 * Its cells are as they were meant, without what chats and spreadsheets add. INVALID_REQUEST with the line for an
 * invalid one.
 */
export async function readTable(content: Uint8Array, options: TableOptions = {}): Promise<Table> {
  if (isOldWorkbook(content)) throw refusal(message('reading.oldWorkbook'))
  if (!isWorkbook(content)) return readTextTable(content, options)
  const rows = await readWorkbook(content)
  return tableOf(
    rows.map((cells, index) => ({ line: index + 1, cells })),
    options,
    { encoding: null, unclear: null, separator: null }
  )
}

/** The same for text, which is read at once. */
export function readTextTable(content: Uint8Array | string, options: TableOptions = {}): Table {
  const { text, encoding, unclear } =
    typeof content === 'string' ? asDecoded(content) : decodeText(content, options.encoding)
  if (/^\s*<(!doctype|html|table|\?xml)/i.test(text)) throw refusal(message('reading.markup'))
  const [, named, rest = text] = /^\uFEFF?(?:sep=([,;\t])\r?(?:\n|$))?(.*)$/is.exec(text) ?? []
  const first = named === undefined ? 1 : 2
  const separator = separators.find((one) => one === named) ?? separatorOf(rest, options.knows)
  return tableOf(linesOf(rest, separator, first), options, { encoding, unclear, separator })
}

const asDecoded = (text: string): DecodedText => ({ text, encoding: 'utf-8', unclear: null })
const refusal = (sentence: Message, cause?: unknown): AppError =>
  new AppError('INVALID_REQUEST', sentence, cause === undefined ? {} : { cause })

function tableOf(
  lines: readonly Line[],
  { knows }: TableOptions,
  read: Pick<TableReading, 'encoding' | 'unclear' | 'separator'>
): Table {
  let hidden = 0
  const clean = lines
    .map(({ line, cells }) => {
      const cleaned = cells.map(cleanCell)
      hidden += cleaned.reduce((sum, one) => sum + one.hidden, 0)
      return { line, cells: cleaned }
    })
    .filter(({ cells }) => cells.some(({ text }) => text !== ''))
  const headAt = findHead(
    clean.map(({ cells }) => cells.map(({ text }) => text)),
    knows
  )
  const [header, ...records] = clean.slice(headAt)
  if (!header) throw refusal(message('reading.tableEmpty'))
  if (records.length > mostRows) throw refusal(message('reading.tableTooLong', { most: mostRows }))
  const columns = header.cells.map(({ text }) => text.toLowerCase())
  const twice = columns.find((name, index) => name !== '' && columns.indexOf(name) !== index)
  if (twice !== undefined) throw refusal(message('reading.tableColumnTwice', { name: twice }))
  const rows = records.map((row) => asRow(row, columns))
  const short = (text: string): string => text.slice(0, mostShownText)
  const reading: TableReading = {
    ...read,
    skipped: clean.slice(0, headAt).map(({ cells }) =>
      short(
        cells
          .map(({ text }) => text)
          .filter((text) => text !== '')
          .join(' ')
      )
    ),
    columns: header.cells.map(({ text }) => short(text)),
    rows: records
      .slice(0, mostShownRows)
      .map(({ cells }) => columns.map((_, index) => short(cells[index]?.text ?? ''))),
    n: records.length,
    notes: hidden > 0 ? [message('reading.hiddenRemoved', { n: hidden })] : []
  }
  return { columns, rows, reading }
}

/** The first of the lines with the most known names; without any, the first line. */
function findHead(lines: readonly (readonly string[])[], knows: TableOptions['knows']): number {
  if (!knows) return 0
  const known = lines
    .slice(0, mostLinesAbove)
    .map((cells) => cells.filter((name) => name !== '' && knows(name.toLowerCase())).length)
  return Math.max(0, known.indexOf(Math.max(...known)))
}

function linesOf(text: string, separator: Separator, first: number): Line[] {
  try {
    const records = parse(text, {
      info: true,
      delimiter: separator,
      record_delimiter: ['\r\n', '\n', '\r'],
      skip_empty_lines: true,
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: 100_000
    }) as unknown as { record: string[]; info: { lines: number } }[]
    return records.map(({ record, info }) => ({ line: info.lines + first - 1, cells: record }))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw refusal(message('reading.tableBroken', { line: Number(error.lines) + first - 1 }), error)
  }
}

function asRow(
  { line, cells }: { line: number; cells: readonly ReturnType<typeof cleanCell>[] },
  columns: readonly string[]
): TableRow {
  if (cells.some(({ text }, index) => text !== '' && (columns[index] ?? '') === ''))
    throw refusal(message('reading.tableCellWithoutColumn', { line }))
  const present = columns.flatMap((name, index) => (cells[index]?.text ? [[name, cells[index]] as const] : []))
  return {
    line,
    cells: new Map(present.flatMap(([name, { text, problem }]) => (problem ? [] : [[name, text] as const]))),
    problems: new Map(present.flatMap(([name, { problem }]) => (problem ? [[name, problem] as const] : [])))
  }
}

/**
 * The separator depends on the computer's language: the one that separates the most known names, otherwise the most
 * frequent one in the head.
 */
function separatorOf(text: string, knows: TableOptions['knows']): Separator {
  const lines = text.split(/\r\n|\n|\r/, mostLinesAbove)
  const unquoted = (lines.find((line) => line.trim() !== '') ?? '').replace(/"[^"]*"/g, '')
  const points = (separator: Separator): number => {
    const known = knows
      ? Math.max(
          ...lines.map(
            (line) =>
              line
                .split(separator)
                .filter((name) => knows(cleanCell(name.replace(/^"(.*)"$/, '$1')).text.toLowerCase())).length
          )
        )
      : 0
    return known * 1_000 + unquoted.split(separator).length
  }
  return separators.reduce((best, one) => (points(one) > points(best) ? one : best))
}
