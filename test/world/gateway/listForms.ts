import { rawZip } from '../data/bundles/hostileZips.ts'

/**
 * The same list in one of the forms that programs and people give it; null rows: it must be refused with this message.
 */
export interface ListForm {
  name: string
  bytes: Uint8Array
  /** The id of the message that refuses it, or of the finding about it. */
  refused?: string
}

/** What each readable form means. */
export const listedOrders = [
  {
    device: '867698040023056',
    vehicle: 'Camión Ñandú',
    customer: 'Íñigo Müller',
    analog: [{ channel: 'AN1', minMv: 9000, maxMv: 16000 }]
  },
  {
    device: '490154203237518',
    vehicle: 'Grúa 7, norte',
    customer: 'Peña & Hijos',
    analog: [{ channel: 'AN1', minMv: 9000, maxMv: 16000 }]
  }
] as const

const head = ['device', 'vehicle', 'customer', 'analog']
const rowsWith = (device: (imei: string) => string, analog = 'AN1:9000:16000'): string[][] => [
  head,
  ...listedOrders.map((one) => [device(one.device), one.vehicle, one.customer, analog])
]
const plain = rowsWith((imei) => imei)

const quoted = (cell: string, separator: string): string =>
  cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
const joined = (rows: readonly string[][], separator = ';', end = '\r\n'): string =>
  rows.map((cells) => cells.map((cell) => quoted(cell, separator)).join(separator) + end).join('')
const utf8 = (text: string): Uint8Array => Buffer.from(text, 'utf8')
const utf16 = (text: string, { isBig = false, mark = true } = {}): Uint8Array => {
  const bytes = Buffer.from(`${mark ? '\uFEFF' : ''}${text}`, 'utf16le')
  return isBig ? bytes.swap16() : bytes
}

/** The letters of the list in code pages that no encoder of the platform writes. */
const letters = {
  ibm850: { ó: 0xa2, Ñ: 0xa5, ú: 0xa3, Í: 0xd6, ñ: 0xa4, ü: 0x81 },
  macintosh: { ó: 0x97, Ñ: 0x84, ú: 0x9c, Í: 0xea, ñ: 0x96, ü: 0x9f }
} as const
function inCodePage(text: string, page: keyof typeof letters): Uint8Array {
  const known: Record<string, number> = letters[page]
  return Uint8Array.from(text, (sign) => known[sign] ?? sign.charCodeAt(0))
}

type SheetCell = string | number | boolean

/** A workbook with one sheet, as small as the format allows: texts inside the cells. */
export function workbook(
  rows: readonly (readonly SheetCell[])[],
  more: { name: string; content: Buffer }[] = []
): Uint8Array {
  const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const cell = (value: SheetCell, at: string): string =>
    typeof value === 'number'
      ? `<c r="${at}"><v>${String(value)}</v></c>`
      : typeof value === 'boolean'
        ? `<c r="${at}" t="b"><v>${value ? 1 : 0}</v></c>`
        : `<c r="${at}" t="inlineStr"><is><t>${escaped(value)}</t></is></c>`
  const sheet = rows
    .map(
      (cells, row) =>
        `<row r="${row + 1}">${cells.map((value, column) => cell(value, `${String.fromCharCode(65 + column)}${row + 1}`)).join('')}</row>`
    )
    .join('')
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const parts: Record<string, string> = {
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/></Types>',
    '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="List" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><cellXfs count="1"><xf numFmtId="0"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${sheet}</sheetData></worksheet>`
  }
  return rawZip({
    entries: [
      ...Object.entries(parts).map(([name, text]) => ({
        name,
        content: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${text}`),
        isPacked: true
      })),
      ...more.map((one) => ({ ...one, isPacked: true }))
    ]
  })
}

const scientific = (imei: string, digits: number, point = '.'): string =>
  `${imei[0] ?? ''}${point}${imei.slice(1, digits)}E+14`
const grouped = (imei: string, separator: string): string => imei.replace(/(\d{3})(?=\d)/g, `$1${separator}`)
const labelled = (imei: string): string =>
  `${imei.slice(0, 2)}-${imei.slice(2, 8)}-${imei.slice(8, 14)}-${imei.slice(14)}`

/**
 * Forms of Excel, LibreOffice, Google Sheets, Numbers, DOS programs, chats and people, in both languages of their
 * separators.
 */
export const listForms: readonly ListForm[] = [
  { name: 'commas', bytes: utf8(joined(plain, ',', '\n')) },
  { name: 'commas and line ends of Windows', bytes: utf8(joined(plain, ',')) },
  { name: 'semicolons and a mark', bytes: utf8(`\uFEFF${joined(plain)}`) },
  { name: 'pasted cells', bytes: utf8(joined(plain, '\t', '\n').trimEnd()) },
  { name: 'line ends of an old Mac', bytes: utf8(joined(plain, ';', '\r')) },
  { name: 'Unicode text of Excel', bytes: utf16(joined(plain, '\t')) },
  { name: 'UTF-16 with the high byte first', bytes: utf16(joined(plain, '\t'), { isBig: true }) },
  { name: 'UTF-16 without a mark', bytes: utf16(joined(plain, '\t'), { mark: false }) },
  {
    name: 'UTF-16 with the high byte first and without a mark',
    bytes: utf16(joined(plain), { isBig: true, mark: false })
  },
  { name: 'UTF-16 with semicolons', bytes: utf16(joined(plain)) },
  { name: 'Windows of Western Europe', bytes: Buffer.from(joined(plain), 'latin1') },
  { name: 'Windows with tabs', bytes: Buffer.from(joined(plain, '\t'), 'latin1') },
  { name: 'DOS of Western Europe', bytes: inCodePage(joined(plain), 'ibm850') },
  { name: 'an old Mac', bytes: inCodePage(joined(plain, ';', '\r'), 'macintosh') },
  { name: 'a line with the separator', bytes: utf8(`sep=;\r\n${joined(plain)}`) },
  { name: 'a line with the separator behind a mark', bytes: utf8(`\uFEFFsep=,\r\n${joined(plain, ',')}`) },
  { name: 'a line with the separator in UTF-16', bytes: utf16(`SEP=\t\r\n${joined(plain, '\t')}`) },
  { name: 'a title', bytes: utf8(`Pedidos de la semana\r\n${joined(plain)}`) },
  { name: 'a title as wide as the table', bytes: utf8(`Pedidos, semana 48;;;\r\n${joined(plain)}`) },
  { name: 'a title, a date, an empty line', bytes: utf8(`"Pedidos; semana 48"\r\n29/11/2026\r\n\r\n${joined(plain)}`) },
  { name: 'a title that contains the name of a column', bytes: utf8(`notes\r\n${joined(plain)}`) },
  { name: 'a separator line and a title', bytes: utf8(`sep=;\r\nPedidos\r\n${joined(plain)}`) },
  {
    name: 'quotes around everything',
    bytes: utf8(plain.map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\r\n'))
  },
  {
    name: 'numbers as formulas',
    bytes: utf8(joined(rowsWith((imei) => `="${imei}"`)).replaceAll(/"=""(\d+)"""/g, '="$1"'))
  },
  {
    name: 'numbers as quoted formulas',
    bytes: utf8(
      joined(
        rowsWith((imei) => `="${imei}"`),
        ','
      )
    )
  },
  { name: 'apostrophes before the numbers', bytes: utf8(joined(rowsWith((imei) => `'${imei}`))) },
  { name: 'a decimal behind the numbers', bytes: utf8(joined(rowsWith((imei) => `${imei}.0`))) },
  { name: 'a decimal comma behind the numbers', bytes: utf8(joined(rowsWith((imei) => `${imei},00`))) },
  {
    name: 'an exponent with all digits',
    bytes: utf8(
      joined(
        rowsWith((imei) => scientific(imei, 15)),
        ','
      )
    )
  },
  {
    name: 'an exponent with all digits and a comma',
    bytes: utf8(joined(rowsWith((imei) => scientific(imei, 15, ','))))
  },
  { name: 'groups with spaces', bytes: utf8(joined(rowsWith((imei) => grouped(imei, ' ')))) },
  { name: 'groups with spaces that do not break', bytes: utf8(joined(rowsWith((imei) => grouped(imei, '\u202f')))) },
  {
    name: 'groups with commas',
    bytes: utf8(
      joined(
        rowsWith((imei) => grouped(imei, ',')),
        ','
      )
    )
  },
  { name: 'groups with points', bytes: utf8(joined(rowsWith((imei) => grouped(imei, '.')))) },
  { name: 'groups of a label', bytes: utf8(joined(rowsWith(labelled))) },
  { name: 'the word IMEI before the numbers', bytes: utf8(joined(rowsWith((imei) => `IMEI: ${imei}`))) },
  { name: 'marks of direction', bytes: utf8(joined(rowsWith((imei) => `\u200e${imei}\u200e`))) },
  { name: 'embedded directions', bytes: utf8(joined(rowsWith((imei) => `\u202a${imei}\u202c`))) },
  {
    name: 'spaces of no width',
    bytes: utf8(joined(rowsWith((imei) => `\u200b${imei.slice(0, 8)}\u200b${imei.slice(8)}`)))
  },
  { name: 'a mark inside the file', bytes: utf8(`\uFEFF\uFEFF${joined(rowsWith((imei) => `\uFEFF${imei}`))}`) },
  { name: 'spaces that do not break', bytes: utf8(joined(rowsWith((imei) => `\u00a0${imei}\u00a0`))) },
  {
    name: 'empty columns and lines behind',
    bytes: utf8(
      `${plain.map((cells) => `${cells.map((cell) => quoted(cell, ';')).join(';')};;`).join('\r\n')}\r\n;;;;;\r\n;;;;;\r\n`
    )
  },
  {
    name: 'spaces and capitals',
    bytes: utf8(
      joined([
        head.map((name) => ` ${name.toUpperCase()} `),
        ...plain.slice(1).map((cells) => cells.map((cell) => ` ${cell} `))
      ])
    )
  },
  { name: 'thousands with spaces', bytes: utf8(joined(rowsWith((imei) => imei, 'AN1:9 000:16 000'))) },
  { name: 'a workbook with texts', bytes: workbook(plain) },
  {
    name: 'a workbook with numbers',
    bytes: workbook([head, ...plain.slice(1).map(([device = '', ...rest]) => [Number(device), ...rest])])
  },
  { name: 'a workbook with a title', bytes: workbook([['Pedidos'], [], ...plain]) },
  {
    name: 'lost digits',
    bytes: utf8(
      joined(
        rowsWith((imei) => scientific(imei, 6)),
        ','
      )
    ),
    refused: 'reading.digitsLost'
  },
  {
    name: 'lost digits and a comma',
    bytes: utf8(joined(rowsWith((imei) => scientific(imei, 6, ',')))),
    refused: 'reading.digitsLost'
  },
  {
    name: 'a rounded last digit',
    bytes: utf8(joined(rowsWith((imei) => `${imei.slice(0, 14)}0`))),
    refused: 'label.checkDigit'
  },
  {
    name: 'digits that became zeros',
    bytes: utf8(joined(rowsWith((imei) => `${imei}0000`))),
    refused: 'reading.digitsZeroed'
  },
  {
    name: 'a column that was too narrow',
    bytes: utf8(joined(rowsWith(() => '########'))),
    refused: 'reading.cellError'
  },
  {
    name: 'thousands that could be decimals',
    bytes: utf8(
      joined(
        rowsWith((imei) => imei, 'AN1:9,000:16,000'),
        ';'
      )
    ),
    refused: 'orders.twoNumbers'
  },
  {
    name: 'thousands with points',
    bytes: utf8(joined(rowsWith((imei) => imei, 'AN1:9.000:16.000'))),
    refused: 'orders.twoNumbers'
  },
  {
    name: 'a workbook of an old Excel',
    bytes: Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...Array<number>(512).fill(0)]),
    refused: 'reading.oldWorkbook'
  },
  {
    name: 'a document of another program in an archive',
    bytes: rawZip({
      entries: [{ name: 'mimetype', content: Buffer.from('application/vnd.oasis.opendocument.spreadsheet') }]
    }),
    refused: 'reading.notWorkbook'
  },
  {
    name: 'a workbook that unpacks to gigabytes',
    bytes: workbook(plain, [{ name: 'xl/media/a.xml', content: Buffer.alloc(64 * 1024 * 1024) }]),
    refused: 'reading.workbookTooLarge'
  },
  {
    name: 'a web page',
    bytes: utf8(`<html><table><tr><td>device</td></tr></table></html>`),
    refused: 'reading.markup'
  },
  {
    name: 'a picture',
    bytes: Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13, 1, 2, 0, 3]),
    refused: 'reading.notText'
  }
]
