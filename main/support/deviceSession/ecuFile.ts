import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import {
  ecuConfiguration,
  ecuRow,
  type EcuFileConfiguration,
  type EcuRow
} from '../../../preload/contract/device/workspace.ts'
import { decodeText } from '../../base/reading/codePages.ts'
import { readTable, readTextTable, type Table } from '../../base/reading/csvTable.ts'
import { isOldWorkbook, isWorkbook } from '../../base/reading/workbook.ts'
import { withoutMark } from '../../../preload/base/messages/utf8.ts'

export interface EcuFile {
  rows: EcuRow[]
  /** What the file says about the interfaces: it is not sent with the list. */
  configuration: EcuFileConfiguration | null
}

/** The documented fields in their order, then those that only the maker's lists of accessories contain. */
export const ecuFields = Object.keys(ecuRow.shape) as (keyof EcuRow)[]
export const mostEcuRows = 500
const mostText = 120
const configurationFields = Object.keys(ecuConfiguration.shape) as (keyof typeof ecuConfiguration.shape)[]

/**
 * An engine-bus list from a file: the maker's form, a table in any form, or a workbook. INVALID_REQUEST for anything
 * else.
 */
export async function readEcuFile(content: Uint8Array): Promise<EcuFile> {
  if (isWorkbook(content) || isOldWorkbook(content)) return ofTable(await readTable(content, { knows: isEcuColumn }))
  return readEcuText(decodeText(content).text)
}

/** The same for pasted text. */
export function readEcuText(text: string): EcuFile {
  if (/^\s*(PARAM_NAME|START_SECTION)\s*:/m.test(text)) return readMakersForm(text)
  return ofTable(readTextTable(text, { knows: isEcuColumn }))
}

const fieldOf = (column: string): string => column.toUpperCase().replace(/[\s-]+/g, '_')
const isEcuColumn = (column: string): boolean => (ecuFields as string[]).includes(fieldOf(column))
const refuse = (sentence: ReturnType<typeof message>): AppError => new AppError('INVALID_REQUEST', sentence)

function ofTable({ columns, rows }: Table): EcuFile {
  const columnOf = new Map(columns.map((column) => [fieldOf(column), column]))
  if (!columnOf.has('PARAM_NAME') || !(columnOf.has('PGN') || columnOf.has('CAN_ID'))) {
    throw refuse(message('ecuList.firstLine', { columns: ecuFields.slice(0, 10).join(', ') }))
  }
  const destroyed = rows.flatMap(({ line, problems }) =>
    [...problems].map(([column, what]) => ({ line, column, what }))
  )[0]
  if (destroyed) throw refuse(message('ecuList.atLine', destroyed))
  return {
    rows: limited(rows.map(({ cells }) => rowOf((field) => cells.get(columnOf.get(field) ?? '')))),
    configuration: null
  }
}

/**
 * Sections between START_SECTION and END_SECTION; CONFIGURATION has one field a line, the others one parameter a line,
 * its fields separated by commas; # begins a comment. The form of the lists that the maker publishes for the device.
 */
function readMakersForm(text: string): EcuFile {
  const rows: EcuRow[] = []
  const configuration = new Map<string, string>()
  let section = ''
  for (const [index, raw] of text.split(/\r\n|\n|\r/).entries()) {
    const line = withoutMark(raw).trim()
    if (line === '' || line.startsWith('#') || line === 'END_SECTION') continue
    const fields = new Map(
      line
        .split(/,\s*(?=[A-Z0-9_]+\s*:)/)
        .map((part) => /^([A-Z0-9_]+)\s*:\s*(.*)$/.exec(part))
        .map((part) => [part?.[1] ?? '', part?.[2]?.trim() ?? ''] as const)
    )
    if (fields.has('START_SECTION')) section = fields.get('START_SECTION') ?? ''
    else if (section === 'CONFIGURATION')
      for (const [name, value] of fields) configuration.set(name, value.slice(0, mostText))
    else {
      const unknown = [...fields.keys()].find((name) => !(ecuFields as string[]).includes(name))
      if (unknown !== undefined)
        throw refuse(
          unknown === ''
            ? message('ecuList.notALine', { line: index + 1 })
            : message('ecuList.unknownField', { line: index + 1, name: unknown })
        )
      rows.push(rowOf((field) => fields.get(field)))
    }
  }
  const known = configurationFields.filter((name) => configuration.has(name))
  return {
    rows: limited(rows),
    configuration: known.length === 0 ? null : Object.fromEntries(known.map((name) => [name, configuration.get(name)]))
  }
}

function rowOf(value: (field: keyof EcuRow) => string | undefined): EcuRow {
  return Object.fromEntries(
    ecuFields.map((field) => [field, (value(field) ?? '').trim().slice(0, mostText)])
  ) as unknown as EcuRow
}

function limited(rows: EcuRow[]): EcuRow[] {
  if (rows.length > mostEcuRows) throw refuse(message('ecuList.tooManyRows', { n: rows.length, most: mostEcuRows }))
  return rows
}
