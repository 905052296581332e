import { message, type MessageId } from '../../../preload/contract/messages.ts'
import { stepKind, type Job, type Step, type StepKind } from '../../../preload/contract/job/jobs.ts'
import { csvFile, csvLines } from '../../../preload/base/messages/csvFile.ts'
import { formatTableTime } from '../../../preload/base/messages/times.ts'
import type { Texts } from '../../base/messages/texts.ts'
import { keepText, redactJob, type Redact } from './redact.ts'
import { sayStored, waivedSteps } from './stateTexts.ts'
import { vehicleNameOf } from '../../../preload/job/vehicleName.ts'

interface RowContext {
  job: Job
  texts: Texts
  isTraining: boolean
}
type Column = [name: (texts: Texts) => string, value: (context: RowContext) => string]

function column(name: Extract<MessageId, `reportTable.column.${string}`>, value: Column[1]): Column {
  return [(texts) => texts.say(message(name)), value]
}

const columns: Column[] = [
  column('reportTable.column.id', ({ job }) => job.id),
  column('reportTable.column.kind', ({ job, texts }) => texts.say(message(`reportTable.kind.${job.kind}`))),
  column('reportTable.column.state', ({ job, texts }) => texts.say(message(`reportTable.jobState.${job.state}`))),
  column('reportTable.column.template', ({ job }) => job.template.id),
  column('reportTable.column.templateVersion', ({ job }) => String(job.template.version)),
  column('reportTable.column.imei', ({ job }) => job.device.imei),
  column('reportTable.column.model', ({ job }) => job.device.model),
  column('reportTable.column.vehicleId', ({ job }) => (job.vehicle ? String(job.vehicle.id) : '')),
  column('reportTable.column.vehicle', ({ job }) => vehicleNameOf(job)),
  column('reportTable.column.customer', ({ job }) => job.customer),
  column('reportTable.column.technician', ({ job }) => job.technician),
  column('reportTable.column.createdAt', ({ job, texts }) => formatTableTime(job.createdAt, texts.settings)),
  column('reportTable.column.updatedAt', ({ job, texts }) => formatTableTime(job.updatedAt, texts.settings)),
  ...stepKind.options.map((kind): Column => [
    (texts) => texts.say(message(`reportTable.step.${kind}`)),
    ({ job, texts }) => stepStates(job, kind, texts)
  ]),
  column('reportTable.column.waivers', ({ job, texts }) =>
    waivedSteps(job)
      .map((step) => `${sayStored(step.title, texts)}: ${step.waiver?.reason ?? ''}`)
      .join(' | ')
  ),
  column('reportTable.column.operations', ({ job }) =>
    job.operations.map(({ kind, state }) => `${kind}: ${state}`).join(' | ')
  ),
  column('reportTable.column.seal', ({ job }) => job.seal),
  column('reportTable.column.language', ({ texts }) => texts.settings.language),
  column('reportTable.column.timeZone', ({ texts }) => texts.settings.timeZone),
  column('reportTable.column.training', ({ texts, isTraining }) =>
    texts.say(message(isTraining ? 'reportTable.yes' : 'reportTable.no'))
  )
]

/** The state of the only step of a kind; of several steps, each with its id. Empty without one. */
function stepStates(job: Job, kind: StepKind, texts: Texts): string {
  const word = (step: Step): string =>
    texts.say(message(`reportTable.stepState.${step.state === 'pass' && step.isSent ? 'sent' : step.state}`))
  const steps = job.steps.filter((step) => step.kind === kind)
  const [only] = steps
  if (steps.length <= 1) return only ? word(only) : ''
  return steps.map((step) => `${step.id}: ${word(step)}`).join(' | ')
}

export interface CsvOptions {
  texts: Texts
  isTraining: boolean
  header?: boolean
  redact?: Redact
}

/** One line of a job's table, after the header if wanted, which begins the file. */
export function makeCsvReport(job: Job, { texts, isTraining, header = true, redact = keepText }: CsvOptions): string {
  const context = { job: redactJob(job, redact), texts, isTraining }
  const line = columns.map(([, value]) => value(context))
  return header ? csvFile([columns.map(([name]) => name(texts)), line]) : csvLines([line])
}
