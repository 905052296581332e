import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'
import type { JobState, JobSummary } from '../../preload/contract/jobs.ts'
import type { DataFile, Statement } from './database.ts'
import { jobRowColumns, summaryOf, type JobRow } from './jobRow.ts'
import { exactQuery, holdsNearly, nearQuery, readWanted, type Wanted } from './jobWords.ts'

export interface JobPageRequest {
  state?: JobState | undefined
  /** Only those that still want something. */
  isOpen?: true | undefined
  /** Words, each of which the job has: a part of a plate, of a name, of an IMEI. Accents and case do not matter. */
  search?: string | undefined
  /** Made at this time or later; ISO 8601 UTC. */
  from?: string | undefined
  /** Made before this time. */
  to?: string | undefined
  /** The id of the last job of the page before. */
  after?: string | undefined
  limit: number
}

export interface JobPage {
  jobs: JobSummary[]
  /** What `after` is for the next page; null at the end. */
  next: string | null
  /** How many there are in all; with `isMore`, at least so many. */
  total: number
  isMore: boolean
  /** Jobs of the whole log by state. */
  counts: Partial<Record<JobState, number>>
  /** Nothing has exactly these words: these have nearly the same. */
  isSimilar: boolean
}

const openStates: readonly JobState[] = ['draft', 'running', 'installedAwaitingGateway']
/** Counting goes no further than this: a page has to come at once. */
const countedAtMost = 1_000
/** So many of the newest candidates are looked at for words that are nearly the wanted ones. */
const candidatesAtMost = 2_000
/** With so few jobs in a state they are looked at one by one; else the index of words is asked first. */
const fewInState = 2_000

interface Filter {
  state: string
  from: string
  to: string
  beforeAt: string
  before: number
  match: string
  joined: string
  limit: number
  [word: `word${number}`]: string
}

/** Pages of the job list, by key and never by counting rows, so that the last page costs no more than the first. */
export function createJobPages(data: DataFile): { page(request: JobPageRequest): JobPage } {
  const statements = new Map<string, Statement<[Filter], JobRow & { words: string; n: number }>>()
  const countStates = data.prepare<[], { state: JobState; jobs: number }>('select state, jobs from job_count where jobs > 0')
  const place = data.prepare<[string], { key: number; created_at: string }>('select key, created_at from job where id = ?')

  function statement(text: string) {
    const known = statements.get(text) ?? data.prepare<[Filter], JobRow & { words: string; n: number }>(text)
    statements.set(text, known)
    return known
  }

  function placeOf(id: string | undefined): { before: number; beforeAt: string } {
    if (id === undefined) return placeOfEnd
    const row = place.get(id)
    if (!row) throw new AppError('NOT_FOUND', message('store.noJobToGoOnAfter', { job: id }))
    return { before: row.key, beforeAt: row.created_at }
  }

  function page(request: JobPageRequest): JobPage {
    const counts = Object.fromEntries(countStates.all().map(({ state, jobs }) => [state, jobs])) as JobPage['counts']
    const wanted = readWanted(request.search ?? '')
    const hasWords = wanted.words.length > 0
    if (!hasWords && request.search?.trim()) return { jobs: [], next: null, total: 0, isMore: false, counts, isSimilar: false }
    const filter = filterOf(request, wanted, placeOf(request.after))
    const states = statesOf(request)
    const isWalked = !hasWords || (states !== undefined && countOf(states, counts) <= fewInState)
    const query = isWalked ? undefined : exactQuery(wanted)
    const parts = { request, words: wanted, match: query !== undefined }
    const rows = statement(pageText(parts)).all({ ...filter, match: query ?? '' })
    const isPlain = !hasWords && request.from === undefined && request.to === undefined
    if (rows.length > 0 || !hasWords || hasExact(request, parts, filter, query)) {
      const total = isPlain ? countOf(states ?? Object.keys(counts), counts) : count(parts, { ...filter, match: query ?? '' })
      return { ...cut(rows.map(summaryOf), request.limit), total, isMore: !isPlain && total >= countedAtMost, counts, isSimilar: false }
    }
    return { ...similar(request, wanted, filter), counts }
  }

  /** After the first page an empty one is the end of what is there, and no reason to guess. */
  function hasExact(request: JobPageRequest, parts: Parts, filter: Filter, match = ''): boolean {
    return request.after !== undefined && statement(pageText(parts)).all({ ...filter, ...placeOfEnd, match, limit: 1 }).length > 0
  }

  function count(parts: Parts, filter: Filter): number {
    return statement(countText(parts)).get({ ...filter, ...placeOfEnd, limit: countedAtMost })?.n ?? 0
  }

  function similar(request: JobPageRequest, wanted: Wanted, filter: Filter): Omit<JobPage, 'counts'> {
    const match = nearQuery(wanted)
    if (match === undefined) return { jobs: [], next: null, total: 0, isMore: false, isSimilar: false }
    const text = pageText({ request, words: { words: [], joined: '' }, match: true })
    const candidates = statement(text).all({ ...filter, match, limit: candidatesAtMost })
    const found = candidates.filter((row) => holdsNearly(row.words, wanted)).map(summaryOf)
    const first = cut(found, request.limit)
    const wereAllSeen = candidates.length < candidatesAtMost
    const next = first.next ?? (wereAllSeen ? null : (candidates.at(-1)?.id ?? null))
    return { jobs: first.jobs, next, total: found.length, isMore: !wereAllSeen, isSimilar: found.length > 0 }
  }

  return { page }
}

interface Parts {
  request: JobPageRequest
  words: Wanted
  /** Whether the index of words is asked; each word is looked for in the row as well where the index cannot know it. */
  match: boolean
}

/** After every job that there can be: `~` stands after each digit of a time. */
export const placeOfEnd = { before: Number.MAX_SAFE_INTEGER, beforeAt: '~' }

function filterOf(request: JobPageRequest, { words, joined }: Wanted, place: { before: number; beforeAt: string }): Filter {
  const filter: Filter = { ...place, state: request.state ?? '', from: request.from ?? '', to: request.to ?? '', match: '', joined, limit: request.limit + 1 }
  words.forEach((word, index) => (filter[`word${index}`] = word.length < 3 ? ` ${word}` : word))
  return filter
}

function whereText({ request, words: { words, joined }, match }: Parts): string {
  // The index knows pieces of three letters: a single letter is looked for in the row.
  const inRow = words.map((word, index) => ({ word, index })).filter(({ word }) => !match || word.length < 2)
  const all = inRow.map(({ index }) => `instr(job.words, @word${index}) > 0`).join(' and ')
  return [
    match ? 'job_word match @match and job_word.rowid < @before' : '(job.created_at, job.key) < (@beforeAt, @before)',
    ...(request.state === undefined ? [] : ['job.state = @state']),
    ...(request.isOpen ? [`job.state in ('${openStates.join("', '")}')`] : []),
    ...(request.from === undefined ? [] : ['job.created_at >= @from']),
    ...(request.to === undefined ? [] : ['job.created_at < @to']),
    ...(all === '' ? [] : [joined === '' ? all : `((${all}) or instr(job.words, @joined) > 0)`])
  ].join(' and ')
}

function fromText({ match }: Parts): string {
  return match ? 'job_word cross join job on job.key = job_word.rowid' : 'job'
}

function pageText(parts: Parts): string {
  const order = parts.match ? 'job_word.rowid desc' : 'job.created_at desc, job.key desc'
  const words = parts.match ? ', job.words' : ''
  return `select ${jobRowColumns}${words} from ${fromText(parts)} where ${whereText(parts)} order by ${order} limit @limit`
}

function countText(parts: Parts): string {
  return `select count(*) as n from (select 1 from ${fromText(parts)} where ${whereText(parts)} limit @limit)`
}

function statesOf({ state, isOpen }: JobPageRequest): readonly string[] | undefined {
  if (state !== undefined) return [state]
  return isOpen ? openStates : undefined
}

function countOf(states: readonly string[], counts: JobPage['counts']): number {
  return states.reduce((sum, state) => sum + (counts[state as JobState] ?? 0), 0)
}

function cut(jobs: JobSummary[], limit: number): { jobs: JobSummary[]; next: string | null } {
  const shown = jobs.slice(0, limit)
  return { jobs: shown, next: jobs.length > limit ? (shown.at(-1)?.id ?? null) : null }
}
