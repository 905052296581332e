import type { ClientBase } from 'pg'
import { AppError } from '../../../preload/contract/errors.ts'
import type { CallOutput } from '../../../preload/contract/index.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { TableEncoding } from '../../../preload/contract/job/tables.ts'
import type { OfficeOrder } from '../../../preload/contract/team/teamOffice.ts'
import { csvFile } from '../../../preload/base/messages/csvFile.ts'
import { type TableOrder, tableOrders } from '../../job/jobs/orders/ordersOfTable.ts'
import { readOrderTable } from '../../job/jobs/orders/readOrders.ts'
import { canonicalJson, sha256Hex } from '../../data/store/jobs/seal.ts'
import type { Team } from '../team.ts'

/** The server answers for at most this many ids in one call. */
const mostIds = 1_000
/** More is not a day's work of an office, and each order is one call. */
const mostOrders = 1_000
/** A started job of this age is done: the same order without a date is a new visit. */
const sameOrderDays = 30

interface SentRow {
  id: string
  made_by: string
  made_at: Date
  to_name: string
  begun_at: Date | null
  withdrawn_at: Date | null
}

/** Reads a table of orders, with what the team log knows of each. Creates nothing. */
export async function checkOrders(
  content: Uint8Array,
  { team, signal, encoding }: { team: Pick<Team, 'ask'>; signal: AbortSignal; encoding?: TableEncoding | undefined }
): Promise<CallOutput<'team.checkOrders'>> {
  const table = await tableOf(content, encoding)
  const { orders, findings } = tableOrders(table)
  if (orders.length > mostOrders)
    throw new AppError('INVALID_REQUEST', message('teamOffice.tooMany', { most: mostOrders }))
  const read = withIds(orders)
  return team.ask(async (client) => {
    const { ids, sent } = await findSent(
      client,
      read.map(({ id }) => id)
    )
    const open = await findOpen(client, read, new Set(ids))
    return {
      orders: read.map((one, index): OfficeOrder => ({
        ...one,
        id: ids[index] ?? one.id,
        sent: sent[index] ?? null,
        open: sent[index] ? null : openOf(open, one)
      })),
      findings,
      reading: table.reading
    }
  }, signal)
}

/** These lines of a table as they are, with the problem of each in one more column. */
export async function faultsTable(
  content: Uint8Array,
  faults: readonly { lines: readonly number[]; problem: string }[],
  encoding?: TableEncoding
): Promise<string> {
  const { columns: all, rows } = await tableOf(content, encoding)
  const columns = all.filter((name) => name !== '' && name !== 'problem')
  const problems = new Map(faults.flatMap(({ lines, problem }) => lines.map((line) => [line, problem] as const)))
  const written = rows.flatMap(({ line, cells }) => {
    const problem = problems.get(line)
    return problem === undefined ? [] : [[...columns.map((name) => cells.get(name) ?? ''), problem]]
  })
  return csvFile([[...columns, 'problem'], ...written])
}

async function tableOf(content: Uint8Array, encoding: TableEncoding | undefined): ReturnType<typeof readOrderTable> {
  const start = new TextDecoder().decode(content.subarray(0, 200)).trimStart()
  if (/^[[{]/.test(start)) throw new AppError('INVALID_REQUEST', message('teamOffice.noTable'))
  return readOrderTable(content, encoding)
}

/** Two orders with the same content are two orders; whom one is for is no part of it. */
function withIds(orders: readonly TableOrder[]): Omit<OfficeOrder, 'open' | 'sent'>[] {
  const times = new Map<string, number>()
  return orders.map(
    ({ lines, about: { device, template, vehicle, customer, notes, reference, for: to, when }, order, findings }) => {
      const due = readDue(when)
      const content = canonicalJson([
        reference,
        device,
        template,
        vehicle,
        customer,
        notes,
        when,
        JSON.parse(JSON.stringify(order?.items ?? [])) as never
      ])
      const nth = (times.get(content) ?? 0) + 1
      times.set(content, nth)
      const id = sha256Hex(`${content} ${String(nth)}`).slice(0, 32)
      const errors: Message[] = findings.map(({ column, what }) => message('teamOffice.inColumn', { column, what }))
      if (due === undefined) errors.push(message('teamOffice.when', { text: when }))
      return { id, lines, device, template, vehicle, customer, notes, to, due: due ?? '', order, errors }
    }
  )
}

/** Only the order year, month, day is the same in all countries. Undefined for anything else. */
function readDue(text: string): string | undefined {
  if (text === '') return ''
  const [, day, time, zone = ''] =
    /^(\d{4}-\d{2}-\d{2})[T ](\d{1,2}:\d{2})(?::\d{2})?\s?(Z|[+-]\d{2}:\d{2})?$/i.exec(text) ?? []
  if (day === undefined || time === undefined) return undefined
  const due = `${day}T${time.padStart(5, '0')}`
  const at = new Date(`${due}:00Z`)
  return Number.isNaN(at.getTime()) || !at.toISOString().startsWith(due) ? undefined : `${due}${zone.toUpperCase()}`
}

/** The id of each order: the one that it has been prepared under, otherwise the first free one. */
async function findSent(
  client: ClientBase,
  wanted: readonly string[]
): Promise<{ ids: string[]; sent: (OfficeOrder['sent'] | undefined)[] }> {
  const ids = [...wanted]
  const sent: (OfficeOrder['sent'] | undefined)[] = wanted.map(() => undefined)
  const since = Date.now() - sameOrderDays * 86_400_000
  let asked = wanted.map((_, index) => index)
  for (let generation = 2; asked.length > 0; generation++) {
    const known = new Map<string, SentRow>()
    for (let from = 0; from < asked.length; from += mostIds) {
      const some = asked.slice(from, from + mostIds).map((index) => ids[index])
      const { rows } = await client.query<SentRow>(
        'select id, made_by, made_at, to_name, begun_at, withdrawn_at from fitter.assignments($1, $2)',
        [JSON.stringify({ ids: some }), mostIds]
      )
      for (const row of rows) known.set(row.id, row)
    }
    const again: number[] = []
    for (const index of asked) {
      const row = known.get(ids[index] ?? '')
      if (!row) continue
      if (row.withdrawn_at === null && (row.begun_at === null || row.made_at.getTime() >= since))
        sent[index] = { at: row.made_at.toISOString(), by: row.made_by, to: row.to_name }
      else {
        ids[index] = `${wanted[index] ?? ''}-${String(generation)}`
        again.push(index)
      }
    }
    asked = again
  }
  return { ids, sent }
}

interface OpenRow {
  names: string[]
  imei: string
  is_started: boolean
  by_name: string
}

/** Open jobs of the team for these vehicles and devices, and prepared ones that are not among these orders. */
async function findOpen(
  client: ClientBase,
  orders: readonly Pick<OfficeOrder, 'vehicle' | 'device'>[],
  ids: ReadonlySet<string>
): Promise<OpenRow[]> {
  const names = [...new Set(orders.map(({ vehicle }) => folded(vehicle)).filter((name) => name !== ''))]
  const imeis = [...new Set(orders.map(({ device }) => device).filter((device) => /^\d{15}$/.test(device)))]
  const { rows } = await client.query<OpenRow>(
    `select array[lower(j.vehicle), lower(j.plate), lower(j.vehicle || ' ' || j.plate)] as names, j.imei, true as is_started, coalesce(nullif(j.technician, ''), l.name, '') as by_name
     from fitter.job j left join fitter.laptop l on l.id = j.holder
     where j.ended_at is null and (lower(j.vehicle) = any ($1) or lower(j.plate) = any ($1) or lower(j.vehicle || ' ' || j.plate) = any ($1) or (j.imei <> '' and j.imei = any ($2)))
     union all
     select array[lower(a.vehicle)], a.imei, false, coalesce(r.name, m.name)
     from fitter.assignment a join fitter.laptop m on m.id = a.made_by left join fitter.laptop r on r.id = a.to_laptop
     where a.begun_at is null and a.withdrawn_at is null and not a.id = any ($3) and (lower(a.vehicle) = any ($1) or (a.imei <> '' and a.imei = any ($2)))`,
    [names, imeis, [...ids]]
  )
  return rows
}

function openOf(
  open: readonly OpenRow[],
  { vehicle, device }: Pick<OfficeOrder, 'vehicle' | 'device'>
): OfficeOrder['open'] {
  const name = folded(vehicle)
  const found = open.filter(
    ({ names, imei }) => (name !== '' && names.includes(name)) || (imei !== '' && imei === device)
  )
  const worst = found.find(({ is_started }) => is_started) ?? found[0]
  return worst ? { isStarted: worst.is_started, by: worst.by_name } : null
}

function folded(vehicle: string): string {
  return vehicle.trim().toLowerCase()
}
