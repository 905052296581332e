import type Database from 'better-sqlite3'
import { asMessage, plainMessage, type Message } from '../../../../preload/contract/messages.ts'
import type { NumbersFilter, NumbersGroup, WorkNumbers } from '../../../../preload/contract/job/numbers.ts'
import { builtName, isEndedJob, keepNumbers, missingJobs, preparedOnce, type PrepareStatement } from './jobNumbers.ts'
import { readJson, readMessage } from '../file/errors.ts'
import { pagesOf } from '../file/pages.ts'
import type { Progress } from '../file/progress.ts'

type Numbers = Omit<WorkNumbers, 'building'>

const columns: Readonly<Record<NumbersGroup, string>> = {
  template: 'job.template_id',
  technician: 'job.technician',
  model: 'job.model'
}
/** The number of listed groups, those with the most jobs first. */
const groupsAtMost = 50

/** The conditions of a filter; `endedAt`: the column with the end of a job. */
function conditionsOf(filter: NumbersFilter, endedAt: string): string[] {
  return [
    ...(filter.from === undefined ? [] : [`${endedAt} >= @from`]),
    ...(filter.technician === undefined ? [] : ['job.technician = @technician']),
    ...(filter.template === undefined ? [] : ['job.template_id = @template']),
    ...(filter.model === undefined ? [] : ['job.model = @model'])
  ]
}

/** Computes the statistics of all jobs of a filter. For a separate thread: years of work take a moment. */
export function readNumbers(sql: Database.Database, filter: NumbersFilter): Numbers {
  const wanted = conditionsOf(filter, 'job_numbers.ended_at')
  const where = wanted.length > 0 ? `where ${wanted.join(' and ')}` : ''
  const jobs = `job_numbers join job on job.id = job_numbers.job_id ${where}`
  const all = <Row>(text: string): Row[] => sql.prepare<[NumbersFilter], Row>(text).all(filter)

  const [whole] = all<{ jobs: number; firstTime: number | null }>(
    `select count(*) as jobs, sum(job_numbers.is_first_time) as firstTime from ${jobs}`
  )
  const total = whole?.jobs ?? 0
  const [middle] =
    total === 0
      ? []
      : all<{ ms: number }>(
          `select round(avg(ms)) as ms from (select job_numbers.lasted_ms as ms from ${jobs} order by job_numbers.lasted_ms
           limit ${2 - (total % 2)} offset ${Math.floor((total - 1) / 2)})`
        )
  const steps = all<Omit<WorkNumbers['steps'][number], 'name'> & { title: string }>(
    `select step_numbers.kind as kind, max(title) as title, count(*) as runs, avg(work_ms) as averageMs, sum(step_numbers.is_first_time) as firstTime,
       sum(failures > 0) as failures, sum(step_numbers.state = 'waived') as waived
     from step_numbers join job_numbers using (job_id) join job on job.id = step_numbers.job_id ${where}
     group by step_numbers.kind order by sum(work_ms) desc`
  )
  const spans = new Map(all<Span & { kind: string }>(spansOf(where)).map((span) => [span.kind, span]))
  const causes = all<{ kind: string; sentence: string; steps: number }>(
    `select step_numbers.kind as kind, min(failure) as sentence, count(*) as steps
     from step_numbers join job_numbers using (job_id) join job on job.id = step_numbers.job_id
     ${where === '' ? 'where' : `${where} and`} failures > 0 group by step_numbers.kind, ${failureId} order by steps desc, kind limit ${causesAtMost}`
  )
  const months = all<WorkNumbers['months'][number]>(
    `select substr(job_numbers.ended_at, 1, 7) as month, count(*) as jobs, sum(job_numbers.is_first_time) as firstTimeJobs from ${jobs} group by month order by month`
  )
  const named = new Map(steps.map(({ kind, title }) => [kind, storedMessageOf(title)]))
  const nameOf = (kind: string): Message => named.get(kind) ?? plainMessage(kind)
  const groups = (Object.keys(columns) as NumbersGroup[]).flatMap((by) => readGroup({ all, by, jobs, where, nameOf }))
  return {
    jobs: total,
    firstTimeJobs: whole?.firstTime ?? 0,
    middleMs: middle?.ms ?? null,
    steps: steps.map(({ title: _title, ...step }) => {
      const { middleMs = 0, lowMs = 0, highMs = 0 } = spans.get(step.kind) ?? {}
      return { ...step, middleMs, lowMs, highMs, name: nameOf(step.kind) }
    }),
    causes: causes.map(({ kind, sentence, steps: times }) => ({
      step: nameOf(kind),
      sentence: storedMessageOf(sentence),
      steps: times
    })),
    failedSteps: steps.reduce((sum, { failures }) => sum + failures, 0),
    months,
    uncounted: all<{ n: number }>(uncountedOf(filter))[0]?.n ?? 0,
    groups
  }
}

type Span = Pick<WorkNumbers['steps'][number], 'middleMs' | 'lowMs' | 'highMs'>
const causesAtMost = 6
const failureId = `coalesce(json_extract(failure, '$.id'), failure)`

/** For each kind of step the times at 10, 50 and 90 % of its runs; the middle of two lies between them. */
function spansOf(where: string): string {
  return `with ranked as (
      select step_numbers.kind as kind, work_ms, row_number() over (partition by step_numbers.kind order by work_ms) as place, count(*) over (partition by step_numbers.kind) as n
      from step_numbers join job_numbers using (job_id) join job on job.id = step_numbers.job_id ${where}
    )
    select kind, max(case when place = (n + 9) / 10 then work_ms end) as lowMs, round(avg(case when place in ((n + 1) / 2, (n + 2) / 2) then work_ms end)) as middleMs,
      max(case when place = (9 * n + 9) / 10 then work_ms end) as highMs
    from ranked group by kind`
}

/** Ended jobs without numbers have no end in them: the last change of the job counts. */
function uncountedOf(filter: NumbersFilter): string {
  return `select count(*) as n from job where ${[isEndedJob, ...conditionsOf(filter, 'job.updated_at')].join(' and ')} and not exists (select 1 from job_numbers where job_id = job.id)`
}

interface GroupRequest {
  all<Row>(text: string): Row[]
  by: NumbersGroup
  jobs: string
  where: string
  nameOf(kind: string): Message
}

function storedMessageOf(text: string): Message {
  return asMessage(readJson<Message | string | null>(text) ?? '')
}

function readGroup({ all, by, jobs, where, nameOf }: GroupRequest): Numbers['groups'] {
  const column = columns[by]
  const worked = new Map(
    all<{ value: string; steps: number; waived: number }>(
      `select ${column} as value, count(*) as steps, sum(step_numbers.state = 'waived') as waived
       from step_numbers join job_numbers using (job_id) join job on job.id = step_numbers.job_id ${where} group by value`
    ).map((row) => [row.value, row])
  )
  const rows = all<{ value: string; name: string; jobs: number; firstTimeJobs: number; averageMs: number }>(
    `select ${column} as value, ${by === 'template' ? 'max(job.template_name)' : column} as name, count(*) as jobs, sum(job_numbers.is_first_time) as firstTimeJobs, avg(job_numbers.lasted_ms) as averageMs
     from ${jobs} group by value order by jobs desc, value limit ${groupsAtMost}`
  )
  const failures = all<{ value: string; kind: string; sentence: string; jobs: number }>(
    `select ${column} as value, step_numbers.kind as kind, min(failure) as sentence, count(*) as jobs
     from step_numbers join job_numbers using (job_id) join job on job.id = step_numbers.job_id
     ${where === '' ? 'where' : `${where} and`} failures > 0 group by value, step_numbers.kind, ${failureId} order by jobs desc, kind`
  )
  // The rows are sorted by frequency: the first of each value is the one.
  const commonest = new Map(
    failures
      .toReversed()
      .map(({ value, kind, sentence, jobs: times }) => [
        value,
        { step: nameOf(kind), sentence: storedMessageOf(sentence), jobs: times }
      ])
  )
  return rows.map(({ name, ...row }) => ({
    ...row,
    steps: worked.get(row.value)?.steps ?? 0,
    waived: worked.get(row.value)?.waived ?? 0,
    by,
    name: readMessage(name),
    commonest: commonest.get(row.value) ?? null
  }))
}

const jobsAtOnce = 25

/** Adds jobs that ended before statistics existed, in small batches, so that other writers never wait. */
export function buildNumbers(sql: Database.Database, progress: Progress): number {
  const prepare = preparedOnce((text) => sql.prepare(text))
  const total =
    sql
      .prepare<[], { n: number }>(
        `select count(*) - (select count(*) from job_numbers) as n from job where ${isEndedJob}`
      )
      .get()?.n ?? 0
  const missing = sql.prepare<[number, number], { id: string; key: number }>(missingJobs)
  let done = 0
  for (const jobs of pagesOf<{ id: string; key: number }>(jobsAtOnce, (last) =>
    missing.all(last?.key ?? -1, jobsAtOnce)
  )) {
    sql.transaction(() => jobs.forEach(({ id }) => keepIfReadable(prepare, id))).immediate()
    done += jobs.length
    progress(Math.min(done, total), total)
  }
  sql.prepare("insert into setting (name, value) values (?, 'true') on conflict (name) do nothing").run(builtName)
  return done
}

/** A job with an unreadable log is left out. */
function keepIfReadable(prepare: PrepareStatement, id: string): void {
  try {
    keepNumbers(prepare, id)
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'DATA_UNUSABLE') throw error
  }
}
