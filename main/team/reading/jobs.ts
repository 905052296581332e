import type { ClientBase } from 'pg'
import { jobKind, jobState, jobSummary, type JobSummary } from '../../../preload/contract/job/jobs.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import type { TeamGroup, TeamJob } from '../../../preload/contract/team/team.ts'
import { splitWords } from '../../data/store/jobs/jobWords.ts'

export interface TeamJobsRequest {
  search?: string | undefined
  state?: string | undefined
  kind?: string | undefined
  imei?: string | undefined
  group?: TeamGroup | undefined
  technician?: string | undefined
  customer?: string | undefined
  holder?: string | undefined
  vehicleId?: number | undefined
  plate?: string | undefined
  either?: { imei?: string | undefined; vehicleId?: number | undefined; plate?: string | undefined } | undefined
  ids?: string[] | undefined
  mine?: true | undefined
  /** Not ended. */
  open?: true | undefined
  /** By creation time, ISO 8601. */
  since?: string | undefined
  until?: string | undefined
  /** By the time of the end; open jobs are always included. */
  endedSince?: string | undefined
  endedUntil?: string | undefined
  /** The job before the page. */
  after?: string | undefined
  limit: number
}

export interface TeamJobsPage {
  jobs: TeamJob[]
  /** Nothing matches exactly: these matches are similar. */
  isSimilar: boolean
  /** The position of the next page; null at the end. */
  next: string | null
}

interface Row {
  id: string
  changed_at: Date
  ended_at: Date | null
  needs_help: boolean
  shown: unknown
  holder: string
  is_mine: boolean
  head_seq: string
  forks: string
  /** Nothing matches the words exactly. */
  is_similar: boolean
}

interface ColumnsRow {
  id: string
  kind: string
  state: string
  template: string
  imei: string
  model: string
  vehicle: string
  plate: string
  customer: string
  technician: string
  made_at: Date
}

const shownColumns = 'id, changed_at, ended_at, needs_help, shown, holder, is_mine, head_seq, forks'
const list = `select ${shownColumns}, false as is_similar from fitter.list_jobs($1, $2)`
// One query: if the exact search has results, the similar one never runs.
const search = `with exact as materialized (${list}) select * from exact union all select ${shownColumns}, true from fitter.list_jobs($3, $2) where not exists (select from exact)`

/** One page of the team's jobs, newest first. Misspelled words are searched only when nothing matches exactly. */
export async function findJobs(
  client: ClientBase,
  { search: text, limit, ...filter }: TeamJobsRequest
): Promise<TeamJobsPage> {
  const words = splitWords(text ?? '')
  const wanted = (nearly: boolean): string => JSON.stringify({ ...filter, words, nearly })
  const asked =
    words.length === 0
      ? client.query<Row>(list, [wanted(false), limit + 1])
      : client.query<Row>(search, [wanted(false), limit + 1, wanted(true)])
  const { rows } = await asked
  const page = rows.slice(0, limit).map((row) => ({ row, summary: summaryOf(row) }))
  const columns = await readColumns(
    client,
    page.filter(({ summary }) => summary === null).map(({ row }) => row.id)
  )
  const jobs = page.flatMap(({ row, summary }) => {
    const listed = summary ?? columns.get(row.id)
    return listed ? [jobOf(row, listed)] : []
  })
  return {
    jobs,
    isSimilar: rows[0]?.is_similar === true,
    next: rows.length > limit ? (page.at(-1)?.row.id ?? null) : null
  }
}

/** Another laptop's summary is accepted only in the form of the lists; otherwise the columns are used. */
function summaryOf({ id, shown }: Row): JobSummary | null {
  const read = jobSummary.safeParse(shown)
  return read.success && read.data.id === id ? read.data : null
}

async function readColumns(client: ClientBase, ids: readonly string[]): Promise<Map<string, JobSummary>> {
  if (ids.length === 0) return new Map()
  const { rows } = await client.query<ColumnsRow>(
    'select id, kind, state, template, imei, model, vehicle, plate, customer, technician, made_at from fitter.job where id = any ($1)',
    [ids]
  )
  return new Map(
    rows.map(({ id, kind, state, template, imei, model, vehicle, plate, customer, technician, made_at }) => [
      id,
      {
        id,
        kind: jobKind.catch('installation').parse(kind),
        state: jobState.catch('draft').parse(state),
        template: { id: template, version: 0, name: plainMessage(template) },
        device: { imei, model, address: '' },
        vehicle: vehicle === '' ? null : { id: 0, name: vehicle, plate },
        customer,
        technician,
        createdAt: made_at.toISOString(),
        updatedAt: made_at.toISOString(),
        stepsDone: 0,
        stepsTotal: 0
      }
    ])
  )
}

function jobOf(row: Row, summary: JobSummary): TeamJob {
  return {
    ...summary,
    changedAt: summary.updatedAt,
    updatedAt: row.changed_at.toISOString(),
    holder: row.holder,
    isMine: row.is_mine,
    needsHelp: row.needs_help,
    endedAt: row.ended_at?.toISOString() ?? null,
    entries: Number(row.head_seq),
    forks: Number(row.forks),
    keptAt: null
  }
}
