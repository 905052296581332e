import { message, type Message } from '../../../../preload/contract/messages.ts'
import {
  order as orderSchema,
  type Order,
  type OrderFinding,
  type OrderLine
} from '../../../../preload/contract/job/orders.ts'
import { stepKind, type StepKind } from '../../../../preload/contract/job/steps/index.ts'
import type { Table, TableRow } from '../../../base/reading/csvTable.ts'
import { readLabelText } from '../../../base/reading/labelText.ts'
import { schemaFindings } from '../checklists/schemaFindings.ts'
import { readItemSettings, type JsonSchema } from './itemSettings.ts'
import { readCell, readYesNo } from './readCell.ts'

type Item = Record<string, unknown> & { kind: string }
type Report = (column: string, what: Message) => void

/** `for` and `when` are for the office; `problem` is what Fitter adds to the lines that it did not send. */
const orderColumns = [
  'reference',
  'device',
  'template',
  'vehicle',
  'customer',
  'notes',
  'for',
  'when',
  'problem'
] as const
const kinds = new Map(stepKind.options.map((kind) => [kind.toLowerCase(), kind]))

interface OpenOrder {
  line: number
  lines: number[]
  about: Record<(typeof orderColumns)[number], string>
  items: { item: Item; line: number }[]
}

/** An order of a table as the office prepares it: also one with errors. */
export interface TableOrder {
  lines: number[]
  about: OpenOrder['about']
  /** Null when it has an error. */
  order: Order | null
  findings: OrderFinding[]
}

/**
 * With a column `kind` each line is an item of an order; without it a vehicle, with columns `<kind>` and
 * `<kind>.<setting>`.
 */
export function ordersOfTable(table: Table): { orders: OrderLine[]; findings: OrderFinding[] } {
  const { open, findings } = openOrders(table)
  const orders = open.flatMap((one): OrderLine[] => {
    const order = readOrder(one, findings)
    return order ? [{ line: one.line, device: one.about.device, template: one.about.template, order }] : []
  })
  return { orders, findings }
}

/** The same with each order and its own errors; `findings` are those of the whole table. */
export function tableOrders(table: Table): { orders: TableOrder[]; findings: OrderFinding[] } {
  const { open, findings } = openOrders(table)
  const readOrders = open.map((one) => ({ one, order: readOrder(one, findings) }))
  const isOf =
    (lines: readonly number[]) =>
    ({ line }: OrderFinding) =>
      line !== null && lines.includes(line)
  return {
    orders: readOrders.map(({ one: { lines, about }, order }) => {
      const own = findings.filter(isOf(lines))
      return { lines, about, order: own.length > 0 ? null : order, findings: own }
    }),
    findings: findings.filter((finding) => !open.some(({ lines }) => isOf(lines)(finding)))
  }
}

function openOrders({ columns, rows }: Table): { open: OpenOrder[]; findings: OrderFinding[] } {
  const settings = readItemSettings()
  const isItemPerLine = columns.includes('kind')
  const findings: OrderFinding[] = unknownColumns(columns, isItemPerLine, settings)
  const open = new Map<string, OpenOrder>()
  for (const row of rows) {
    const report: Report = (column, what) => findings.push({ line: row.line, column, what })
    for (const [column, what] of row.problems) report(column, what)
    const read = { ...row, cells: withDevice(row.cells, report) }
    const present = orderOfLine(open, read, isItemPerLine, report)
    const items = isItemPerLine ? itemOfLine(read, settings, report) : itemsOfVehicle(read, settings, report)
    present.items.push(...items.map((item) => ({ item, line: row.line })))
  }
  return { open: [...open.values()], findings }
}

/** True for a column of orders in one of the two forms. */
export function isOrderColumn(column: string): boolean {
  const settings = readItemSettings()
  return column !== '' && (isKnownColumn(column, true, settings) || isKnownColumn(column, false, settings))
}

/** A device is named by an address, or by its IMEI in any form that labels and spreadsheets give it. */
function withDevice(cells: TableRow['cells'], report: Report): TableRow['cells'] {
  const device = cells.get('device')
  if (device === undefined || !/^(?:IMEI\b)?[\s:=.,'’/-]*(?:\d[\s.,'’/-]*){14,17}$/i.test(device)) return cells
  const read = readLabelText(device.replace(/[,'’]/g, ' '))
  if (read.kind === 'imei') return new Map([...cells, ['device', read.imei]])
  report('device', read.detail)
  return cells
}

function isKnownColumn(column: string, isItemPerLine: boolean, settings: ReturnType<typeof readItemSettings>): boolean {
  if (column === '' || (orderColumns as readonly string[]).includes(column)) return true
  if (isItemPerLine) return column === 'kind' || [...settings.values()].some((own) => own.has(column))
  const [kind = '', setting] = column.split('.')
  const known = kinds.get(kind)
  return known !== undefined && (setting === undefined || settings.get(known)?.has(setting) === true)
}

function unknownColumns(
  columns: readonly string[],
  isItemPerLine: boolean,
  settings: ReturnType<typeof readItemSettings>
): OrderFinding[] {
  return columns
    .filter((column) => !isKnownColumn(column, isItemPerLine, settings))
    .map((column) => ({ line: 1, column, what: message('orders.noSuchColumn', { name: column }) }))
}

/** The order that a line belongs to. Lines of one order must not contradict each other. */
function orderOfLine(
  open: Map<string, OpenOrder>,
  { line, cells }: TableRow,
  isItemPerLine: boolean,
  report: Report
): OpenOrder {
  const name = ['reference', 'vehicle', 'device'].map((column) => cells.get(column)).find((cell) => cell !== undefined)
  const key = isItemPerLine ? (name ?? '') : String(line)
  const present = open.get(key) ?? {
    line,
    lines: [],
    about: {
      reference: '',
      device: '',
      template: '',
      vehicle: '',
      customer: '',
      notes: '',
      for: '',
      when: '',
      problem: ''
    },
    items: []
  }
  open.set(key, present)
  present.lines.push(line)
  for (const column of orderColumns) {
    const said = cells.get(column)
    if (said === undefined) continue
    if (present.about[column] !== '' && present.about[column] !== said)
      report(column, message('orders.saidTwice', { one: present.about[column], other: said }))
    present.about[column] = said
  }
  return present
}

function itemOfLine({ cells }: TableRow, settings: ReturnType<typeof readItemSettings>, report: Report): Item[] {
  const said = cells.get('kind')
  if (said === undefined) return []
  const kind = kinds.get(said.toLowerCase())
  if (!kind) {
    report('kind', message('orders.noSuchKind', { name: said, known: [...kinds.values()] }))
    return []
  }
  const known = settings.get(kind) ?? new Map<string, { name: string; schema: JsonSchema }>()
  const own = [...cells].filter(
    ([column]) => column !== 'kind' && !(orderColumns as readonly string[]).includes(column)
  )
  const item: Item = { kind }
  for (const [column, text] of own) {
    const setting = known.get(column)
    if (setting) put(item, setting, text, (what) => report(column, what))
    else report(column, message('orders.notOfKind', { name: column, kind }))
  }
  return [item]
}

function itemsOfVehicle({ cells }: TableRow, settings: ReturnType<typeof readItemSettings>, report: Report): Item[] {
  const items = new Map<StepKind, Item>()
  const itemOf = (kind: StepKind): Item => items.get(kind) ?? items.set(kind, { kind }).get(kind) ?? { kind }
  for (const [column, text] of cells) {
    const [name = '', field] = column.split('.')
    const kind = (orderColumns as readonly string[]).includes(column) ? undefined : kinds.get(name)
    if (!kind) continue
    const own = settings.get(kind)
    const isWanted = field === undefined ? readYesNo(text) : undefined
    if (isWanted === false) continue
    const item = itemOf(kind)
    // A value that is neither yes nor no is the first setting of this kind.
    const setting = field === undefined ? mainSetting(own) : own?.get(field)
    if (isWanted !== true && setting) put(item, setting, text, (what) => report(column, what))
    else if (isWanted !== true) report(column, message('orders.notYesNo', { text }))
  }
  return [...items.values()]
}

function mainSetting(own: ReadonlyMap<string, { name: string; schema: JsonSchema }> | undefined) {
  return [...(own ?? [])].find(([name]) => !['as', 'name', 'instruction'].includes(name))?.[1]
}

function put(
  item: Item,
  { name, schema }: { name: string; schema: JsonSchema },
  text: string,
  report: (what: Message) => void
): void {
  const read = readCell(text, schema)
  if ('problem' in read) report(read.problem)
  else item[name] = read.value
}

function readOrder(
  { line, about: { reference, vehicle, customer, notes }, items }: OpenOrder,
  findings: OrderFinding[]
): Order | null {
  const parsed = orderSchema.safeParse({ reference, vehicle, customer, notes, items: items.map(({ item }) => item) })
  if (parsed.success) return parsed.data
  for (const { path, what } of schemaFindings(parsed.error.issues)) {
    const at = /^items\[(\d+)\]\.?(.*)$/.exec(path)
    findings.push({ line: items[Number(at?.[1] ?? -1)]?.line ?? line, column: at?.[2] || path, what })
  }
  return null
}
