import type { ClientBase } from 'pg'
import { jobKind, jobState, jobSummary } from '../../preload/contract/jobs.ts'
import { plainMessage } from '../../preload/contract/messages.ts'
import type { TeamGroup, TeamJob } from '../../preload/contract/team.ts'
import { splitWords } from '../store/jobWords.ts'

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
  changed_at: Date
  ended_at: Date | null
  needs_help: boolean
  shown: unknown
  holder: string
  is_mine: boolean
  head_seq: string
  forks: string
}

/** One page of the team's jobs, newest made first. Words with typing errors are looked for only when nothing has the words themselves. */
export async function findJobs(client: ClientBase, { search, limit, ...filter }: TeamJobsRequest): Promise<TeamJobsPage> {
  const words = splitWords(search ?? '')
  const ask = async (nearly: boolean): Promise<Row[]> => {
    const wanted = Object.fromEntries(Object.entries({ ...filter, words, nearly }).filter(([, value]) => value !== undefined))
    return (await client.query<Row>('select * from fitter.list_jobs($1, $2)', [JSON.stringify(wanted), limit + 1])).rows
  }
  const exact = await ask(false)
  const isSimilar = exact.length === 0 && words.length > 0
  const rows = isSimilar ? await ask(true) : exact
  const jobs = rows.slice(0, limit).map(jobOf)
  return { jobs, isSimilar: isSimilar && jobs.length > 0, next: rows.length > limit ? (jobs.at(-1)?.id ?? null) : null }
}

/** What another laptop says of its job is taken only in the form that lists have; else its columns are. */
function jobOf(row: Row): TeamJob {
  const { id, imei, model, vehicle, plate, customer, technician, holder } = row
  const shown = jobSummary.safeParse(row.shown)
  const summary = shown.success && shown.data.id === id ? shown.data : null
  return {
    ...(summary ?? {
      id,
      kind: jobKind.catch('installation').parse(row.kind),
      state: jobState.catch('draft').parse(row.state),
      template: { id: row.template, version: 0, name: plainMessage(row.template) },
      device: { imei, model, address: '' },
      vehicle: vehicle === '' ? null : { id: 0, name: vehicle, plate },
      customer,
      technician,
      createdAt: row.made_at.toISOString(),
      stepsDone: 0,
      stepsTotal: 0
    }),
    updatedAt: row.changed_at.toISOString(),
    holder,
    isMine: row.is_mine,
    needsHelp: row.needs_help,
    endedAt: row.ended_at?.toISOString() ?? null,
    entries: Number(row.head_seq),
    forks: Number(row.forks),
    keptAt: null
  }
}
