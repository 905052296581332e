import type { ClientBase } from 'pg'
import { jobKind, jobState, jobSummary, type JobSummary } from '../../../preload/contract/jobs/jobs.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import type { TeamGroup, TeamJob } from '../../../preload/contract/team/team.ts'
import { splitWords } from '../../store/jobs/jobWords.ts'

/** What is looked for in the jobs of the team. */
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
  /** Jobs that have one of these. */
  either?: { imei?: string | undefined; vehicleId?: number | undefined; plate?: string | undefined } | undefined
  ids?: string[] | undefined
  /** Held by this laptop. */
  mine?: true | undefined
  /** Not ended. */
  open?: true | undefined
  /** By when it was made, ISO 8601. */
  since?: string | undefined
  until?: string | undefined
  /** By when it ended; what is open is there however old. */
  endedSince?: string | undefined
  endedUntil?: string | undefined
  /** The job after which the page goes on. */
  after?: string | undefined
  limit: number
}

export interface TeamJobsPage {
  jobs: TeamJob[]
  /** Nothing has exactly these words: what is here has nearly them. */
  isSimilar: boolean
  /** Where the next page goes on; null at the end. */
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
  /** Of the words themselves nothing was found. */
  is_similar: boolean
}

/** What is known of a job whose summary makes no sense. */
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
// One question: of a search that finds something, the second half is never begun.
const search = `with exact as materialized (${list}) select * from exact union all select ${shownColumns}, true from fitter.list_jobs($3, $2) where not exists (select from exact)`

/** One page of the team's jobs, newest made first. Words with typing errors are looked for only when nothing has the words themselves. */
export async function findJobs(client: ClientBase, { search: text, limit, ...filter }: TeamJobsRequest): Promise<TeamJobsPage> {
  const words = splitWords(text ?? '')
  const wanted = (nearly: boolean): string => JSON.stringify({ ...filter, words, nearly })
  const asked = words.length === 0 ? client.query<Row>(list, [wanted(false), limit + 1]) : client.query<Row>(search, [wanted(false), limit + 1, wanted(true)])
  const { rows } = await asked
  const page = rows.slice(0, limit).map((row) => ({ row, summary: summaryOf(row) }))
  const columns = await readColumns(client, page.filter(({ summary }) => summary === null).map(({ row }) => row.id))
  const jobs = page.flatMap(({ row, summary }) => {
    const listed = summary ?? columns.get(row.id)
    return listed ? [jobOf(row, listed)] : []
  })
  return { jobs, isSimilar: rows[0]?.is_similar === true, next: rows.length > limit ? (page.at(-1)?.row.id ?? null) : null }
}

/** What another laptop says of its job is taken only in the form that lists have; else its columns are. */
function summaryOf({ id, shown }: Row): JobSummary | null {
  const read = jobSummary.safeParse(shown)
  return read.success && read.data.id === id ? read.data : null
}

async function readColumns(client: ClientBase, ids: readonly string[]): Promise<Map<string, JobSummary>> {
  if (ids.length === 0) return new Map()
  const { rows } = await client.query<ColumnsRow>('select id, kind, state, template, imei, model, vehicle, plate, customer, technician, made_at from fitter.job where id = any ($1)', [ids])
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
