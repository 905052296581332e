import { readFlag } from '../access.ts'
import { okAnswer, Refusal, type Answer, type Call, type Endpoint } from '../call.ts'
import type { AsyncJob, JsonRecord } from '../state.ts'
import { answerText, writeTable, type ExportFormat } from './table.ts'

export interface Result {
  rows: JsonRecord[]
  columns: string[]
  format: ExportFormat
  /** The answer of a request that is neither exported nor asynchronous. */
  body: unknown
}

/** Answers at once, or creates a job if `async` asks for one. */
export function answerJobOrTable(call: Call, result: Result): Answer {
  if (!readFlag(call, 'async')) {
    if (result.format === 'json') return okAnswer(result.body)
    return answerText(writeTable(result.rows, result.columns, result.format), result.format)
  }
  const job: AsyncJob = {
    id: call.state.nextId('job'),
    user_id: call.user.id,
    app: call.session.app,
    params: Object.fromEntries(call.query),
    readyMs: call.nowMs + call.delayMs,
    format: result.format,
    text: writeTable(result.rows, result.columns, result.format)
  }
  call.state.jobs.push(job)
  return okAnswer({ message: 'Job queued', job_id: job.id })
}

export const jobEndpoints: Endpoint[] = [
  {
    id: 'jobs.get',
    scopes: ['rawdata'],
    handle: (call) => {
      const job = ownJob(call)
      const isReady = call.nowMs >= job.readyMs
      return okAnswer({
        id: job.id,
        user_id: job.user_id,
        app: job.app ?? '',
        control: 'run',
        stdout: '',
        notice: '',
        state: isReady ? 'done' : 'queued',
        params: job.params
      })
    }
  },
  {
    id: 'jobs.data',
    scopes: ['rawdata'],
    handle: (call) => {
      const job = ownJob(call)
      if (call.params['format'] !== job.format) throw new Refusal(404, 'no such file')
      if (call.nowMs < job.readyMs) throw new Refusal(404, 'the job is not ready')
      return answerText(job.text, job.format as ExportFormat)
    }
  }
]

function ownJob(call: Call): AsyncJob {
  const job = call.state.jobs.find((candidate) => String(candidate.id) === call.params['job_id'])
  if (!job || job.user_id !== call.user.id) throw new Refusal(404, 'job not found')
  return job
}
