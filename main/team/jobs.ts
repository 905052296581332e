import type { ClientBase } from 'pg'
import { splitWords } from '../store/jobWords.ts'

/** What is looked for in the jobs of the team. */
export interface TeamJobsRequest {
  search?: string | undefined
  state?: string | undefined
  kind?: string | undefined
  imei?: string | undefined
  technician?: string | undefined
  customer?: string | undefined
  /** By when it was made, ISO 8601. */
  since?: string | undefined
  until?: string | undefined
  /** The job after which the page goes on. */
  after?: string | undefined
  limit: number
}

/** A job of the team, as its holder summed it up with its last push. */
export interface TeamJob {
  id: string
  kind: string
  state: string
  template: string
  device: { imei: string; model: string }
  vehicle: { name: string; plate: string } | null
  customer: string
  technician: string
  createdAt: string
  updatedAt: string
  /** Whose it is now; empty while nobody holds it. */
  holder: string
  entries: number
  /** Entries of another log of it that are kept beside. */
  forks: number
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
  holder: string
  head_seq: string
  forks: string
}

/** One page of the team's jobs, newest made first. Words with typing errors are looked for only when nothing has the words themselves. */
export async function findJobs(client: ClientBase, { search, limit, ...filter }: TeamJobsRequest): Promise<TeamJobsPage> {
  const words = splitWords(search ?? '')
  const ask = async (nearly: boolean): Promise<Row[]> => {
    const wanted = Object.fromEntries(Object.entries({ ...filter, words, nearly }).filter(([, value]) => value !== undefined))
    return (await client.query<Row>('select * from fitter.find_jobs($1, $2)', [JSON.stringify(wanted), limit + 1])).rows
  }
  const exact = await ask(false)
  const isSimilar = exact.length === 0 && words.length > 0 && filter.after === undefined
  const rows = isSimilar ? await ask(true) : exact
  const jobs = rows.slice(0, limit).map(jobOf)
  return { jobs, isSimilar: isSimilar && jobs.length > 0, next: rows.length > limit ? (jobs.at(-1)?.id ?? null) : null }
}

function jobOf(row: Row): TeamJob {
  const { id, kind, state, template, imei, model, vehicle, plate, customer, technician, holder } = row
  return {
    id,
    kind,
    state,
    template,
    device: { imei, model },
    vehicle: vehicle === '' ? null : { name: vehicle, plate },
    customer,
    technician,
    createdAt: row.made_at.toISOString(),
    updatedAt: row.changed_at.toISOString(),
    holder,
    entries: Number(row.head_seq),
    forks: Number(row.forks)
  }
}
