import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import type { JobState, JobSummary } from '../../../../preload/contract/job/jobs.ts'
import type { DataFile } from '../file/database.ts'
import { factColumns, factNames, type JobFilter } from './jobFilter.ts'
import { preparedOnce } from './jobNumbers.ts'
import { jobRowColumns, summaryOf, type JobRow } from './jobRow.ts'
import {
  bareNumber,
  createNearness,
  exactQuery,
  hasNumber,
  isShortNumber,
  nearQuery,
  readWanted,
  type Wanted
} from './jobWords.ts'

export interface JobPageRequest extends JobFilter {
  after?: string | undefined
  /** Starts at the newest job created before this time, and skips this many. */
  before?: string | undefined
  skip?: number | undefined
  /** A caller with the facets of the filter already knows the total. */
  isCounted?: false | undefined
  /** Exactly these words: a short number is a whole one, and nothing similar is searched. */
  isExact?: true | undefined
  limit: number
}

export interface JobPage {
  jobs: JobSummary[]
  /** The `after` of the next page; null at the end. */
  next: string | null
  /** The total number; with `isMore`, at least that many. */
  total: number
  isMore: boolean
  counts: Partial<Record<JobState, number>>
  /** Nothing matches exactly: these matches are similar. */
  isSimilar: boolean
}

const openStates: readonly JobState[] = ['draft', 'running', 'installedAwaitingGateway']
/** Counting stops here, because a page must come at once. */
const countedAtMost = 1_000
/** The number of newest candidates that are compared with misspelled words. */
const candidatesAtMost = 1_000
/** With so few jobs in a state they are compared one by one; otherwise the word index is used first. */
const fewInState = 2_000

interface Filter {
  state: string
  from: string
  to: string
  beforeAt: string
  before: number
  /** The key for `beforeAt`. */
  untilKey: number
  match: string
  joined: string
  [word: `word${number}`]: string
  standings: string
  customers: string
  technicians: string
  templates: string
  [number: `number${number}`]: string
}

/** Pages of the job list by key, never by counting rows, so that the last page costs no more than the first. */
export function createJobPages(data: DataFile): { page(request: JobPageRequest): JobPage } {
  const statement = preparedOnce((text) => data.prepare<[Filter], JobRow & { words: string; n: number }>(text))
  const countStates = data.prepare<[], { state: JobState; jobs: number }>(
    'select state, jobs from job_count where jobs > 0'
  )
  const byKeys = data.prepare<[{ keys: string }], JobRow>(
    `select ${jobRowColumns} from job where key in (select value from json_each(@keys)) order by key desc`
  )
  const idOf = data.prepare<[number], { id: string }>('select id from job where key = ?')
  // In the word index jobs are in the order of writing.
  const newestBefore = data.prepare<[string], { key: number }>(
    'select key + 1 as key from job where created_at < ? order by created_at desc, key desc limit 1'
  )
  const place = data.prepare<[string], { key: number; created_at: string }>(
    'select key, created_at from job where id = ?'
  )

  function placeOf(id: string | undefined): { before: number; beforeAt: string } {
    if (id === undefined) return placeOfEnd
    const row = place.get(id)
    if (!row) throw new AppError('NOT_FOUND', message('store.noJobToGoOnAfter', { job: id }))
    return { before: row.key, beforeAt: row.created_at }
  }

  function placeBefore(time: string): { before: number; beforeAt: string } {
    return { before: newestBefore.get(time)?.key ?? 0, beforeAt: time }
  }

  function page(request: JobPageRequest): JobPage {
    const counts = Object.fromEntries(countStates.all().map(({ state, jobs }) => [state, jobs])) as JobPage['counts']
    const read = readWanted(request.search ?? '')
    // Without separators a short number would match the beginning of longer ones.
    const wanted = request.isExact && read.words.some(isShortNumber) ? { ...read, joined: '' } : read
    const hasWords = wanted.words.length > 0
    if (!hasWords && request.search?.trim()) return { ...nothing, counts }
    const filter = filterOf(
      request,
      wanted,
      request.before === undefined ? placeOf(request.after) : placeBefore(request.before)
    )
    const states = statesOf(request)
    // A whole IMEI has its own index, because every other IMEI shares its trigrams.
    const isImei = wanted.words.length === 1 && /^\d{15}$/.test(wanted.words[0] ?? '')
    const isWalked = !hasWords || isImei || (states !== undefined && countOf(states, counts) <= fewInState)
    const query = isWalked ? undefined : exactQuery(wanted)
    const parts = { request, words: wanted, match: query !== undefined, isImei }
    const rows = statement(pageText(parts, request.limit + 1)).all({ ...filter, match: query ?? '' })
    const isPlain =
      !hasWords &&
      request.from === undefined &&
      request.to === undefined &&
      factNames.every((name) => request[name] === undefined)
    if (rows.length > 0 || !hasWords || request.isExact || hasExact(request, parts, filter, query)) {
      const total = isPlain
        ? countOf(states ?? Object.keys(counts), counts)
        : request.isCounted === false
          ? rows.length
          : count(parts, { ...filter, match: query ?? '' })
      return {
        ...cut(rows.map(summaryOf), request.limit),
        total,
        isMore: !isPlain && total >= countedAtMost,
        counts,
        isSimilar: false
      }
    }
    return { ...similar(request, wanted, filter, isWalked && !isImei), counts }
  }

  /** An empty page after the first one is the end of the list, not a reason to search for similar words. */
  function hasExact(request: JobPageRequest, parts: Parts, filter: Filter, match = ''): boolean {
    return (
      (request.after !== undefined || request.before !== undefined) &&
      statement(pageText(wholeOf(parts), 1)).all({ ...filter, ...placeOfEnd, match }).length > 0
    )
  }

  function count(parts: Parts, filter: Filter): number {
    return statement(countText(wholeOf(parts))).get({ ...filter, ...placeOfEnd })?.n ?? 0
  }

  function similar(
    request: JobPageRequest,
    wanted: Wanted,
    filter: Filter,
    isWalked: boolean
  ): Omit<JobPage, 'counts'> {
    const match = nearQuery(wanted)
    if (match === undefined) return nothing
    const parts = { request, words: noWords, match: !isWalked, isImei: false }
    const candidates = candidatesOf(parts, { ...filter, match })
    const holds = createNearness(wanted)
    const found: number[] = []
    let looked = 0
    for (const { key, words } of candidates) {
      looked += 1
      if (holds(words)) found.push(key)
      if (found.length > request.limit) break
    }
    const shown = byKeys.all({ keys: JSON.stringify(found.slice(0, request.limit)) }).map(summaryOf)
    const hasNext = found.length > request.limit
    const wereAllSeen = looked === candidates.length && candidates.length < candidatesAtMost
    const next = hasNext ? shown.at(-1)?.id : wereAllSeen ? undefined : idOf.get(candidates.at(-1)?.key ?? 0)?.id
    return {
      jobs: shown,
      next: next ?? null,
      total: found.length,
      isMore: hasNext || !wereAllSeen,
      isSimilar: found.length > 0
    }
  }

  /** Only the compared columns: most candidates are not shown. */
  function candidatesOf(parts: Parts, filter: Filter): { key: number; words: string }[] {
    return statement(
      `select job.key, job.words from ${fromText(parts)} where ${whereText(parts)} order by ${orderText(parts)} limit ${candidatesAtMost}`
    ).all(filter)
  }

  return { page }
}

/** The rows of a filter, as text and values of a statement, for counting. Undefined when no row can match. */
export function filteredRows(request: JobFilter): { from: string; where: string; values: object } | undefined {
  const words = readWanted(request.search ?? '')
  if (words.words.length === 0 && request.search?.trim()) return undefined
  const isImei = words.words.length === 1 && /^\d{15}$/.test(words.words[0] ?? '')
  const query = isImei ? undefined : exactQuery(words)
  const parts: Parts = { request: { ...request, limit: 0 }, words, match: query !== undefined, isImei }
  // Otherwise SQLite would read the rows of a log of years, although the index contains everything that is counted.
  return {
    from: parts.match || words.words.length > 0 ? fromText(parts) : 'job indexed by job_created',
    where: whereText(parts),
    values: { ...filterOf(parts.request, words, placeOfEnd), match: query ?? '' }
  }
}

const nothing: Omit<JobPage, 'counts'> = { jobs: [], next: null, total: 0, isMore: false, isSimilar: false }
const noWords: Wanted = { words: [], joined: '' }

interface Parts {
  request: JobPageRequest
  words: Wanted
  /** Whether the word index is used; words that the index cannot contain are also compared in the row. */
  match: boolean
  isImei: boolean
}

/** The same from the first page on. */
function wholeOf(parts: Parts): Parts {
  return { ...parts, request: { ...parts.request, after: undefined, before: undefined, skip: undefined } }
}

/** After every possible job: `~` sorts after each digit of a time. */
export const placeOfEnd = { before: Number.MAX_SAFE_INTEGER, beforeAt: '~', untilKey: Number.MAX_SAFE_INTEGER }

function filterOf(
  request: JobPageRequest,
  { words, joined }: Wanted,
  place: { before: number; beforeAt: string }
): Filter {
  // One bound instead of two: SQLite would use the wider one and read everything newer.
  const { to } = request
  const bound =
    to !== undefined && to < place.beforeAt
      ? { beforeAt: to, before: placeOfEnd.before, untilKey: -1 }
      : { ...place, untilKey: place.before }
  const filter: Filter = {
    ...bound,
    state: request.state ?? '',
    from: request.from ?? '',
    to: to ?? '',
    match: '',
    joined,
    ...factValues(request)
  }
  words.forEach((word, index) => {
    filter[`word${index}`] = word.length < 3 ? ` ${word}` : word
    if (isShortNumber(word)) filter[`number${index}`] = bareNumber(word)
  })
  return filter
}

function factValues(request: JobFilter): Pick<Filter, (typeof factNames)[number]> {
  return Object.fromEntries(factNames.map((name) => [name, JSON.stringify(request[name] ?? [])])) as Pick<
    Filter,
    (typeof factNames)[number]
  >
}

function whereText({ request, words: { words, joined }, match, isImei }: Parts): string {
  // The index contains trigrams: a single letter, and a number with possible leading zeros, is compared in the row.
  const inRow = words
    .map((word, index) => ({ word, index }))
    .filter(({ word }) => !match || word.length < 2 || isShortNumber(word))
  const all = inRow
    .map(({ word, index }) =>
      isShortNumber(word)
        ? `(instr(job.words, @word${index}) > 0 or ${hasNumber('job.vehicle_name', `@number${index}`, request.isExact)})`
        : `instr(job.words, @word${index}) > 0`
    )
    .join(' and ')
  // The first page has no position to continue from, and SQLite would test a bound that is always true for each row.
  const isBound = request.after !== undefined || request.before !== undefined || request.to !== undefined
  const bound = match ? 'job_word.rowid < @before' : '(job.created_at, job.key) < (@beforeAt, @untilKey)'
  const conditions = [
    ...(match ? ['job_word match @match'] : []),
    ...(isBound ? [bound] : []),
    ...(request.state === undefined ? [] : ['job.state = @state']),
    ...(request.isOpen ? [`job.state in ('${openStates.join("', '")}')`] : []),
    ...factNames
      .filter((name) => request[name] !== undefined)
      .map((name) => `job.${factColumns[name]} in (select value from json_each(@${name}))`),
    ...(request.from === undefined ? [] : ['job.created_at >= @from']),
    ...(request.to === undefined ? [] : ['job.created_at < @to']),
    ...(isImei
      ? ['job.imei = @word0']
      : all === ''
        ? []
        : [joined === '' ? all : `((${all}) or instr(job.words, @joined) > 0)`])
  ]
  return conditions.length === 0 ? 'true' : conditions.join(' and ')
}

function fromText({ match }: Parts): string {
  return match ? 'job_word cross join job on job.key = job_word.rowid' : 'job'
}

/** The limit is in the text: SQLite takes a third longer for a bound value. */
function pageText(parts: Parts, limit: number): string {
  return `select ${jobRowColumns} from ${fromText(parts)} where ${whereText(parts)} order by ${orderText(parts)} limit ${Math.trunc(limit)}${parts.request.skip ? ` offset ${Math.trunc(parts.request.skip)}` : ''}`
}

function orderText({ match }: Parts): string {
  return match ? 'job_word.rowid desc' : 'job.created_at desc, job.key desc'
}

/** The word index alone can count while no column of the job is filtered. */
function countText(parts: Parts): string {
  const where = whereText(parts)
  const from = parts.match && !where.includes('job.') ? 'job_word' : fromText(parts)
  return `select count(*) as n from (select 1 from ${from} where ${where} limit ${countedAtMost})`
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
