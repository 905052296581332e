import { stepKind, type Job, type StepKind } from '../../preload/contract/jobs.ts'
import { keepText, redactJob, type Redact } from './redact.ts'
import { waivedSteps } from './words.ts'

const jobColumns: [name: string, value: (job: Job) => string][] = [
  ['id', (job) => job.id],
  ['kind', (job) => job.kind],
  ['state', (job) => job.state],
  ['template', (job) => job.template.id],
  ['templateVersion', (job) => String(job.template.version)],
  ['imei', (job) => job.device.imei],
  ['model', (job) => job.device.model],
  ['vehicleId', (job) => (job.vehicle ? String(job.vehicle.id) : '')],
  ['vehicle', (job) => job.vehicle?.name ?? ''],
  ['customer', (job) => job.customer],
  ['technician', (job) => job.technician],
  ['createdAt', (job) => job.createdAt],
  ['updatedAt', (job) => job.updatedAt]
]

const endColumns: [name: string, value: (job: Job) => string][] = [
  ['waivers', (job) => waivedSteps(job).map((step) => `${step.title}: ${step.waiver?.reason ?? ''}`).join(' | ')],
  ['operations', (job) => job.operations.map(({ kind, state }) => `${kind}: ${state}`).join(' | ')],
  ['seal', (job) => job.seal]
]

const columns: [name: string, value: (job: Job) => string][] = [
  ...jobColumns,
  ...stepKind.options.map((kind): [string, (job: Job) => string] => [`step ${kind}`, (job) => stepStates(job, kind)]),
  ...endColumns
]

/** One state where the job has one step of that kind; with several, each with its id. Empty where it has none. */
function stepStates(job: Job, kind: StepKind): string {
  const steps = job.steps.filter((step) => step.kind === kind)
  if (steps.length <= 1) return steps[0]?.state ?? ''
  return steps.map(({ id, state }) => `${id}: ${state}`).join(' | ')
}

/**
 * One line of a table for a job, RFC 4180 with CRLF, columns always the same and in the same order; before it the
 * header line unless `header` is false. Cells that a spreadsheet would take for a formula start with an apostrophe.
 */
export function makeCsvReport(job: Job, { header = true, redact = keepText }: { header?: boolean; redact?: Redact } = {}): string {
  const clean = redactJob(job, redact)
  const lines = header ? [columns.map(([name]) => name)] : []
  lines.push(columns.map(([, value]) => value(clean)))
  return lines.map((line) => `${line.map(quoteCell).join(',')}\r\n`).join('')
}

/** A cell as RFC 4180 wants it, with formulas made harmless. */
export function quoteCell(text: string): string {
  // Spreadsheets also start a formula after spaces, and with the full-width forms of the signs.
  const safe = /^[\s\0\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u.test(text) ? `'${text}` : text
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
