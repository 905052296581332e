import type { ClientBase } from 'pg'

/** An answer about one job, or what a test puts into its place. */
interface Answered {
  outcome: 'added' | 'known' | 'fork' | 'refused'
  code?: string
  detail?: string | null
  hash?: string | null
  is_of_other?: boolean
}

/** What one call of a push carries. */
export interface PushedCall {
  jobs: string[]
  entries: number
}

type Rows = object[]

export interface FakeTeamLog {
  client: ClientBase
  /** The entries of each job, as they were sent. */
  logs: Map<string, { seq: number; hash: string; text: string }[]>
  /** The summary that came with the last entries of a job. */
  summaries: Map<string, Record<string, unknown>>
  /** Each query in a few words; pushes with what they carry. */
  asked: string[]
  /** What is answered about a job instead, one for each call. */
  instead: Map<string, Answered[]>
  /** Called before a push is carried out; what it throws is the failure of the call. */
  before(call: PushedCall): void
  /** Answers other queries: the first part of the text that fits. */
  on: [part: string, answer: (values: unknown[]) => Rows][]
}

/** A failure as the server sends it. */
export const failure = (code: string, more: object = {}): Error =>
  Object.assign(new Error(code), { code, severity: 'ERROR', ...more })

/** A team log in memory that answers one laptop like the functions of main/team/server/migrations. */
export function fakeTeamLog(): FakeTeamLog {
  const log: FakeTeamLog = {
    client: {
      query: (sql: string, values: unknown[] = []) => Promise.resolve().then(() => ({ rows: answer(sql, values) }))
    } as unknown as ClientBase,
    logs: new Map(),
    summaries: new Map(),
    asked: [],
    instead: new Map(),
    before: () => undefined,
    on: []
  }

  function answer(sql: string, values: unknown[]): Rows {
    if (sql.includes('fitter.append_jobs')) return append(values as [string, number[], string, string])
    const other = log.on.find(([part]) => sql.includes(part))
    if (other) {
      log.asked.push(other[0])
      return other[1](values)
    }
    if (sql.includes('from fitter.dropped')) return headsOf(values[0] as string[])
    if (sql.includes('fitter.missing')) return []
    throw new Error(`The fake team log does not know: ${sql}`)
  }

  function headsOf(ids: string[]): Rows {
    return ids.flatMap((id) => {
      const last = log.logs.get(id)?.at(-1)
      return last ? [{ id, head_seq: String(last.seq), head_hash: last.hash }] : []
    })
  }

  function append([summaries, ofJob, texts, hashes]: [string, number[], string, string]): Rows {
    const entries = texts.split('\n').map((text, index) => ({
      text,
      hash: hashes.split('\n')[index] ?? '',
      job: ofJob[index],
      seq: (JSON.parse(text) as { seq: number }).seq
    }))
    const jobs = summaries.split('\n').map((text, index) => {
      const summary = JSON.parse(text) as { id: string }
      return { id: summary.id, summary, given: entries.filter(({ job }) => job === index + 1) }
    })
    log.asked.push(jobs.map(({ id, given }) => `${id} ${given[0]?.seq ?? '?'}-${given.at(-1)?.seq ?? '?'}`).join(', '))
    log.before({ jobs: jobs.map(({ id }) => id), entries: entries.length })
    return jobs.map(({ id, summary, given }, index) => ({
      number: index + 1,
      code: null,
      detail: null,
      hash: given.at(-1)?.hash ?? null,
      is_of_other: false,
      ...(log.instead.get(id)?.shift() ?? appendOne(id, summary, given))
    }))
  }

  function appendOne(
    id: string,
    summary: Record<string, unknown>,
    given: { seq: number; hash: string; text: string }[]
  ): Answered {
    const own = log.logs.get(id) ?? []
    const first = given[0]?.seq ?? 0
    if (first > own.length + 1) return { outcome: 'refused', code: 'FT004', detail: String(own.length), hash: null }
    if (given.some(({ seq, hash }) => seq <= own.length && own[seq - 1]?.hash !== hash)) return { outcome: 'fork' }
    const added = given.filter(({ seq }) => seq > own.length)
    log.logs.set(id, [...own, ...added.map(({ seq, hash, text }) => ({ seq, hash, text }))])
    log.summaries.set(id, summary)
    return { outcome: added.length > 0 ? 'added' : 'known' }
  }
  return log
}
