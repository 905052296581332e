import type { Message } from '../../../../preload/contract/messages.ts'
import type { JobSummary } from '../../../../preload/contract/job/jobs.ts'
import { wordsOf } from './jobWords.ts'
import { readJson, readMessage, readText } from '../file/errors.ts'
import { canonicalJson, sha256Hex } from './seal.ts'

/** A job in the list: each column, and the name of its value. */
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
const indexed: readonly string[] = [
  'id',
  'state',
  'imei',
  'created_at',
  'words',
  'customer',
  'technician',
  'template_id',
  'more'
]

/** A row of the list with its values by name, without what is computed from them. */
export type JobRow = Omit<ReturnType<typeof rowOf>, 'words' | 'rowHash'> & { key: number }

function select(isWanted: (column: string) => boolean): string {
  return Object.entries(columns)
    .flatMap(([column, name]) => (isWanted(column) ? [`job.${column} as ${name}`] : []))
    .join(', ')
}

export const jobRowColumns = `job.key, ${select((column) => !['words', 'row_hash', 'last_hash'].includes(column))}`

/** What decides whether the indexed columns are written. */
export type IndexedRow = Partial<ReturnType<typeof rowOf>>
export const indexedColumns = select((column) => indexed.includes(column))

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
  const {
    id,
    kind,
    state,
    template,
    device,
    vehicle,
    vehicleText,
    customer,
    technician,
    createdAt,
    updatedAt,
    stepsDone,
    stepsTotal,
    ...more
  } = job
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
    // Without an id it is the text that a person typed.
    vehicleName: vehicle?.name ?? vehicleText ?? null,
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

/** The hash over the shown values of a stored row. */
export function sealRow({ key: _key, ...shown }: JobRow): string {
  return sha256Hex(canonicalJson(shown))
}

/** The name of a checklist is a message or a customer's text; texts are stored unchanged. */
function storeName(name: Message): string {
  return name.id === 'plain.text' ? String(name.values['text']) : JSON.stringify(name)
}

export function summaryOf({
  id,
  kind,
  state,
  templateId,
  templateVersion,
  templateName,
  imei,
  model,
  address,
  vehicleId,
  vehicleName,
  customer,
  technician,
  createdAt,
  updatedAt,
  stepsDone,
  stepsTotal,
  more: stored
}: JobRow): JobSummary {
  const summary: JobSummary = {
    id,
    kind,
    state,
    template: { id: templateId, version: templateVersion, name: readMessage(readText(templateName)) },
    device: { imei, model, address },
    vehicle: vehicleId === null ? null : { id: vehicleId, name: vehicleName ?? '' },
    ...(vehicleId === null && vehicleName !== null && { vehicleText: vehicleName }),
    customer,
    technician,
    createdAt,
    updatedAt,
    stepsDone,
    stepsTotal
  }
  if (stored === null) return summary
  const { plate, ...more } = readJson<Partial<JobSummary> & { plate?: string }>(stored)
  return { ...summary, ...more, ...(plate && summary.vehicle ? { vehicle: { ...summary.vehicle, plate } } : {}) }
}
