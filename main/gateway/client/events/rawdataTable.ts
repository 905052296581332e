import { AppError } from '../../../../preload/contract/errors.ts'
import type {
  RawdataCell,
  RawdataTable,
  rawdataQuestion
} from '../../../../preload/contract/gateway/vehicles/rawdata.ts'
import type { GatewayClient } from '../client.ts'
import { withUnits, type RawdataInput } from '../areas/rawdata.ts'
import { buildRequest, type Input } from '../request/buildRequest.ts'
import { assistanceLabels } from '../decoders/assistance.ts'
import type { Fields } from '../decoders/fields.ts'
import { labelText } from '../decoders/label.ts'
import { nullIfUnreadable } from '../transport/orNull.ts'
import { gatewayEndpoints } from '../request/endpointTable.ts'
import type { EventReader } from './eventReader.ts'
import type { Priority } from '../transport/rateLimit.ts'
import { pause } from '../../../base/time/pause.ts'
import { checkField, checkFilter } from './rawdataExpression.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'

export type Question = (typeof rawdataQuestion)['_output']
export interface QuestionProblem {
  part: 'fields' | 'filter'
  message: Message
}

/**
 * A query over a longer period becomes a background job at the gateway: the direct answer would be too slow ("Limits").
 */
const longMs = 3 * 86_400_000
const jobLimitMs = 45_000
const jobPauseMs = 1_500

/** Answers queries for events: checked here first, then sent, with the text of each label. */
export function createRawdataTables(client: () => Promise<GatewayClient>, events: EventReader) {
  async function check(
    question: { fields: readonly string[]; filter: string },
    signal: AbortSignal
  ): Promise<QuestionProblem[]> {
    const { types, sets } = await events.fieldTypes(signal)
    const problems = question.fields.flatMap((entry): QuestionProblem[] => {
      const problem = checkField(entry, types, sets)
      return problem === null
        ? []
        : [{ part: 'fields', message: message('rawdata.ofField', { field: entry, problem }) }]
    })
    const ofFilter = question.filter.trim() === '' ? null : checkFilter(question.filter, types)
    return ofFilter === null ? problems : [...problems, { part: 'filter', message: ofFilter }]
  }

  async function query(question: Question, signal: AbortSignal): Promise<RawdataTable> {
    const problems = await check(question, signal)
    if (problems.length > 0)
      throw new AppError(
        'INVALID_REQUEST',
        message('gateway.questionWrong', { problems: problems.map(({ message: problem }) => problem) })
      )
    const spanMs = Date.parse(question.to) - Date.parse(question.from)
    if (spanMs < 0) throw new AppError('INVALID_REQUEST', message('gateway.endsBeforeBeginning'))
    const gateway = await client()
    const input = inputOf(question)
    const answer = isLong(question.from, question.to)
      ? await askInBackground(gateway, input, { signal, priority: 'person' })
      : (await gateway.rawdata.query(input, { signal, priority: 'person' })).value
    const rows = (answer.events ?? []) as Fields[]
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
    return {
      columns,
      rows: rows.map((row) => columns.map((column) => cellOf(row[column]))),
      labels: await labelsOf(rows, signal),
      units: Object.fromEntries(
        Object.entries(answer.units ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      ),
      isCut: rows.length >= question.limit,
      readAt: new Date().toISOString()
    }
  }

  async function labelsOf(rows: readonly Fields[], signal: AbortSignal): Promise<RawdataTable['labels']> {
    const seen = new Set(
      rows.map((row) => row['label']).filter((label): label is string => typeof label === 'string' && label !== '')
    )
    if (seen.size === 0) return {}
    const known = (await events.labels(signal).catch(nullIfUnreadable)) ?? {}
    return Object.fromEntries(
      [...seen].map((label) => {
        const own =
          !Object.hasOwn(known, label) && Object.hasOwn(assistanceLabels, label) ? assistanceLabels[label] : undefined
        return [label, own ?? { en: labelText(known, label, 'en'), es: labelText(known, label, 'es') }]
      })
    )
  }

  return { check, query, requestText }
}

function requestText(question: Question): string {
  const endpoint = gatewayEndpoints.get('rawdata.query')
  if (!endpoint) throw new AppError('INTERNAL', message('app.fault'))
  const isJob = isLong(question.from, question.to)
  const { method, path, query } = buildRequest(endpoint, {
    ...withUnits(inputOf(question)),
    ...(isJob ? { async: true } : {})
  } as Input)
  return `${method} ${path}?${query}`
}

function inputOf(question: Question): RawdataInput {
  const { resample, filter, labels } = question
  return {
    vehicles: [question.vehicleId],
    from: question.from,
    to: question.to,
    ...(question.fields.length > 0 ? { fields: question.fields } : {}),
    ...(filter.trim() === '' ? {} : { filter: filter.trim() }),
    ...(labels.length > 0 ? { labels } : {}),
    distance: question.distance,
    ...(question.speed === 'default' ? {} : { speed: question.speed }),
    ...(resample
      ? {
          resample: resample.by,
          freq: resample.every,
          how: resample.how,
          ...(resample.fill === 'none' ? {} : { fill: resample.fill })
        }
      : { order: question.newestFirst ? '-event_time' : 'event_time' }),
    head: question.limit
  }
}

export function isLong(from: string, to: string): boolean {
  return Date.parse(to) - Date.parse(from) > longMs
}

/** Requests events as a background job and waits for its file. */
export async function askInBackground(
  gateway: GatewayClient,
  input: RawdataInput,
  { signal, priority }: { signal: AbortSignal; priority: Priority }
): Promise<{ units?: object; events?: unknown[] }> {
  const { value } = await gateway.rawdata.query({ ...input, async: true }, { signal, priority })
  if (value.events) return value
  const job = value.job_id
  if (job === undefined) throw new AppError('UNREADABLE', message('gateway.noJobNamed'), { retryable: true })
  const endsAt = performance.now() + jobLimitMs
  while (performance.now() < endsAt) {
    await pause(jobPauseMs, signal)
    const { value: state } = await gateway.jobs.get({ job_id: job }, { signal, priority })
    if (state.state === 'error' || state.state === 'failed')
      throw new AppError('SERVER_ERROR', message('gateway.questionNotFinished'))
    if (state.state === 'queued' || state.state === 'running' || state.state === 'created') continue
    const { value: data } = await gateway.jobs.data({ job_id: job, format: 'json' }, { signal, priority })
    if (Array.isArray(data)) return { events: data }
    return (data ?? {}) as { units?: object; events?: unknown[] }
  }
  throw new AppError('TIMEOUT', message('gateway.stillWorks'), { retryable: true })
}

/** A value of any form as a table shows it. */
export function cellOf(value: unknown): RawdataCell {
  if (value === undefined || value === null) return null
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string'
    ? value
    : JSON.stringify(value)
}
