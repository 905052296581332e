import { plainMessage, type Message } from '../../../preload/contract/messages.ts'
import type { JobSummary } from '../../../preload/contract/jobs/jobs.ts'
import { wordsOf } from './jobWords.ts'
import { readJson, readText } from '../file/errors.ts'
import { canonicalJson, sha256Hex } from './seal.ts'

/** A job in the list: a column for each shown value. */
export interface JobRow {
  key: number
  id: string
  kind: string
  state: string
  template_id: string
  template_version: number
  template_name: string
  imei: string
  model: string
  address: string
  vehicle_id: number | null
  vehicle_name: string | null
  customer: string
  technician: string
  created_at: string
  updated_at: string
  steps_done: number
  steps_total: number
  more: string | null
}

const columns = {
  id: 'id',
  kind: 'kind',
  state: 'state',
  template_id: 'templateId',
  template_version: 'templateVersion',
  template_name: 'templateName',
  imei: 'imei',
  model: 'model',
  address: 'address',
  vehicle_id: 'vehicleId',
  vehicle_name: 'vehicleName',
  customer: 'customer',
  technician: 'technician',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  steps_done: 'stepsDone',
  steps_total: 'stepsTotal',
  more: 'more',
  words: 'words',
  row_hash: 'rowHash',
  last_hash: 'lastHash'
} as const
/** Columns that are indexed, or that an indexed column is computed from: written only when one of them changed. */
const indexed: readonly string[] = ['id', 'state', 'imei', 'created_at', 'words', 'customer', 'technician', 'template_id', 'more']

export const jobRowColumns = ['key', ...Object.keys(columns).filter((name) => !['words', 'row_hash', 'last_hash'].includes(name))]
  .map((name) => `job.${name}`)
  .join(', ')

export const insertJobRow = `insert into job (${Object.keys(columns).join(', ')}) values (${Object.values(columns)
  .map((name) => `@${name}`)
  .join(', ')})`

/** Without the indexed columns, because most entries change none of them. */
export function updateJobRow({ isIndexChanged }: { isIndexChanged: boolean }): string {
  const changed = Object.entries(columns).filter(([column]) => isIndexChanged || !indexed.includes(column))
  return `update job set ${changed.map(([column, name]) => `${column} = @${name}`).join(', ')} where id = @id`
}

/** The columns of a job, with a hash over the shown values, so that a changed row is noticed. */
export function rowOf(job: JobSummary) {
  const { id, kind, state, template, device, vehicle, customer, technician, createdAt, updatedAt, stepsDone, stepsTotal, ...more } = job
  // Only the gateway's own vehicles have an id: no column for it.
  const rest = { ...more, ...(vehicle?.plate ? { plate: vehicle.plate } : {}) }
  const shown = {
    id,
    kind,
    state,
    templateId: template.id,
    templateVersion: template.version,
    templateName: storeName(template.name),
    imei: device.imei,
    model: device.model,
    address: device.address,
    vehicleId: vehicle?.id ?? null,
    vehicleName: vehicle?.name ?? null,
    customer,
    technician,
    createdAt,
    updatedAt,
    stepsDone,
    stepsTotal,
    more: Object.keys(rest).length === 0 ? null : JSON.stringify(rest)
  }
  return { ...shown, words: wordsOf(job), rowHash: sha256Hex(canonicalJson(shown)) }
}

export function sealRow(row: JobRow): string {
  const shown = Object.entries(columns).filter(([column]) => !['words', 'row_hash', 'last_hash'].includes(column))
  return sha256Hex(canonicalJson(Object.fromEntries(shown.map(([column, name]) => [name, row[column as keyof JobRow]]))))
}

/** The name of a checklist is a message or a customer's text; texts are stored unchanged, as in rows of earlier versions. */
function storeName(name: Message): string {
  return name.id === 'plain.text' ? String(name.values['text']) : JSON.stringify(name)
}

function readName(stored: string): Message {
  return stored.startsWith('{"id":') ? readJson<Message>(stored) : plainMessage(stored)
}

export function summaryOf(row: JobRow): JobSummary {
  const summary: JobSummary = {
    id: row.id,
    kind: row.kind as JobSummary['kind'],
    state: row.state as JobSummary['state'],
    template: { id: row.template_id, version: row.template_version, name: readName(readText(row.template_name)) },
    device: { imei: row.imei, model: row.model, address: row.address },
    vehicle: row.vehicle_id === null ? null : { id: row.vehicle_id, name: row.vehicle_name ?? '' },
    customer: row.customer,
    technician: row.technician,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    stepsDone: row.steps_done,
    stepsTotal: row.steps_total
  }
  if (row.more === null) return summary
  const { plate, ...more } = readJson<Partial<JobSummary> & { plate?: string }>(row.more)
  return { ...summary, ...more, ...(plate && summary.vehicle ? { vehicle: { ...summary.vehicle, plate } } : {}) }
}
