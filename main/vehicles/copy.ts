import { AppError } from '../../preload/contract/errors.ts'
import { message, type Message } from '../../preload/contract/messages.ts'
import { vehicleLine, type VehicleCopy, type VehicleLine } from '../../preload/contract/vehicles.ts'
import { foldText, squeeze, startsOf, wordsOf } from './words.ts'

export interface CopySite {
  url: string
  user: string
}

/** What the copy needs of the store; each write is one transaction. */
export interface CopyRows {
  state(site: CopySite): {
    count: number
    copiedAt: string | null
    isComplete: boolean
    open: { startedAt: string; nextPage: number; pageSize: number; seen: number } | null
  }
  beginWalk(site: CopySite, pageSize: number, at: string): void
  putPage(site: CopySite, vehicles: readonly CopiedVehicle[], nextPage: number): void
  endWalk(site: CopySite, end: { at: string; isComplete: boolean }): void
  putOne(site: CopySite, vehicle: CopiedVehicle): void
  get(site: CopySite, id: number): unknown
  findExact(site: CopySite, exact: string, limit: number): unknown[]
  findWords(site: CopySite, starts: readonly string[], limit: number): unknown[]
  /** In the order of the copy, from the one after `after` on. */
  first(site: CopySite, limit: number, after?: number): unknown[]
}
interface CopiedVehicle {
  id: number
  name: string
  exact: string
  words: string
  record: VehicleLine
}

interface CopiedPage {
  page: number
  /** What the gateway counts; null where it does not say. */
  total: number | null
  vehicles: VehicleLine[]
}

export interface VehicleCopyOptions {
  rows: CopyRows
  /** Who asks which gateway now; null while nobody is signed in. */
  site(): Promise<CopySite | null>
  /** All pages from `firstPage` on, in the background's turn; returns `end` when every page was seen. */
  walk(from: { set: number; firstPage: number }, signal: AbortSignal): AsyncGenerator<CopiedPage, string, void>
  changed(copy: VehicleCopy): void
  /** A fault inside Fitter while nobody waits for it. */
  reportFault(error: unknown): void
  pageSize?: number
  now?: () => Date
}

export interface LocalVehicles {
  status(): Promise<VehicleCopy>
  /** Begins to copy all vehicles, from where an earlier walk stopped; gives the state at once. */
  refresh(): Promise<VehicleCopy>
  /** Stops the walk; it can go on from there. Resolves when nothing is written any more. */
  stop(): Promise<void>
  /** Without words, the page after the vehicle `after`. */
  search(text: string, limit: number, after?: number): Promise<{ vehicles: VehicleLine[]; more: boolean; copy: VehicleCopy }>
  get(id: number): Promise<{ vehicle: VehicleLine; copiedAt: string | null } | undefined>
  /** Keeps one vehicle as it was just read. */
  remember(vehicle: VehicleLine): Promise<void>
}

interface Running {
  site: CopySite
  ending: AbortController
  done: number
  total: number | null
  leftMs: number | null
  finished: Promise<void>
}

const defaultPageSize = 1000
const sliceSize = 100
/** An older walk is begun anew: too much has moved between the pages since. */
const resumeWithinMs = 60 * 60_000

/** The copy of the gateway's vehicles on this computer: searched without the gateway, renewed on demand. */
export function createVehicleCopy(options: VehicleCopyOptions): LocalVehicles {
  const { rows, changed } = options
  const now = options.now ?? (() => new Date())
  const pageSize = options.pageSize ?? defaultPageSize
  let running: Running | undefined
  let problem: { site: CopySite; why: Message } | undefined

  function statusOf(site: CopySite | null): VehicleCopy {
    if (!site) return { site: null, count: 0, copiedAt: null, complete: false, running: null, problem: null }
    const { count, copiedAt, isComplete } = rows.state(site)
    const own = running && isSame(running.site, site) ? running : undefined
    return {
      site,
      count,
      copiedAt,
      complete: isComplete,
      running: own ? { done: own.done, total: own.total, leftMs: own.leftMs } : null,
      problem: !own && problem && isSame(problem.site, site) ? problem.why : null
    }
  }

  async function copyPages(run: Running, firstPage: number): Promise<void> {
    const { site, ending } = run
    const startedAt = performance.now()
    const walk = options.walk({ set: pageSize, firstPage }, ending.signal)
    for (;;) {
      ending.signal.throwIfAborted()
      const step = await walk.next()
      if (step.done) {
        const isComplete = step.value === 'end' && (run.total === null || run.done >= run.total)
        rows.endWalk(site, { at: now().toISOString(), isComplete })
        return
      }
      const { page, total, vehicles } = step.value
      await putInSlices(site, vehicles, page)
      run.done = rows.state(site).open?.seen ?? run.done
      run.total = total
      const pagesDone = page - firstPage + 1
      if (total !== null) run.leftMs = Math.max(0, Math.round(((performance.now() - startedAt) / pagesDone) * (Math.ceil(total / pageSize) - page)))
      changed(statusOf(site))
    }
  }

  /** A thousand at once would hold up running checks; until the last slice is in, the page counts as not read. */
  async function putInSlices(site: CopySite, vehicles: readonly VehicleLine[], page: number): Promise<void> {
    let from = 0
    do {
      const slice = vehicles.slice(from, from + sliceSize)
      from += sliceSize
      rows.putPage(site, slice.map(copied), from >= vehicles.length ? page + 1 : page)
      await new Promise((resolve) => setImmediate(resolve))
    } while (from < vehicles.length)
  }

  function begin(site: CopySite): void {
    const { open } = rows.state(site)
    const isFresh = open !== null && open.pageSize === pageSize && now().getTime() - Date.parse(open.startedAt) < resumeWithinMs
    if (!isFresh) rows.beginWalk(site, pageSize, now().toISOString())
    const run: Running = {
      site,
      ending: new AbortController(),
      done: isFresh ? open.seen : 0,
      total: null,
      leftMs: null,
      finished: Promise.resolve()
    }
    running = run
    problem = undefined
    run.finished = copyPages(run, isFresh ? open.nextPage : 1)
      .catch((error: unknown) => {
        const isStopped = run.ending.signal.aborted || (error instanceof AppError && error.code === 'CANCELLED')
        if (isStopped) return
        problem = { site, why: error instanceof AppError ? error.sentence : message('app.fault') }
        if (!(error instanceof AppError) || error.code === 'INTERNAL') options.reportFault(error)
      })
      .finally(() => {
        if (running === run) running = undefined
        if (!run.ending.signal.aborted) changed(statusOf(site))
      })
  }

  async function stop(): Promise<void> {
    running?.ending.abort(new AppError('CANCELLED', message('vehicles.copyStopped')))
    await running?.finished
  }

  return {
    stop,
    status: async () => statusOf(await options.site()),
    async refresh() {
      const site = await options.site()
      if (!site) throw new AppError('NOT_AUTHENTICATED', message('vehicles.signInToCopy'))
      if (running && !isSame(running.site, site)) await stop()
      if (!running) begin(site)
      return statusOf(site)
    },
    async search(text, limit, after) {
      const site = await options.site()
      const copy = statusOf(site)
      if (!site) return { vehicles: [], more: false, copy }
      const wanted = foldText(text)
      if (wanted === '') {
        const first = linesOf(rows.first(site, limit + 1, after))
        return { vehicles: first.slice(0, limit), more: first.length > limit, copy }
      }
      const found = new Map<number, VehicleLine>()
      const whole = squeeze(wanted)
      const hits = [...rows.findExact(site, wanted, limit), ...rows.findWords(site, startsOf(text), limit + 1)]
      // "BKD 123" may stand there as one word.
      const more = hits.length <= limit && /\s/.test(wanted) && whole !== '' ? rows.findWords(site, [whole], limit + 1) : []
      for (const line of linesOf([...hits, ...more])) found.set(line.id, line)
      const sorted = [...found.values()].sort((a, b) => rank(a, wanted) - rank(b, wanted) || a.name.localeCompare(b.name, undefined, { numeric: true }) || a.id - b.id)
      return { vehicles: sorted.slice(0, limit), more: sorted.length > limit, copy }
    },
    async get(id) {
      const site = await options.site()
      const [vehicle] = site ? linesOf([rows.get(site, id)]) : []
      return site && vehicle ? { vehicle, copiedAt: rows.state(site).copiedAt } : undefined
    },
    async remember(vehicle) {
      const site = await options.site()
      if (site) rows.putOne(site, copied(vehicle))
    }
  }
}

function copied(line: VehicleLine): CopiedVehicle {
  return { id: line.id, name: line.name, exact: foldText(line.name), words: wordsOf(line), record: line }
}

/** A record of an older form is no hit: the next walk writes it anew. */
function linesOf(records: readonly unknown[]): VehicleLine[] {
  return records.flatMap((record) => {
    const parsed = vehicleLine.safeParse(record)
    return parsed.success ? [parsed.data] : []
  })
}

function rank(line: VehicleLine, wanted: string): number {
  const name = foldText(line.name)
  const whole = squeeze(wanted)
  if (name === wanted) return 0
  if ([line.plate, line.vin, line.imei, String(line.id)].some((text) => text !== null && squeeze(text) === whole)) return 1
  return name.startsWith(wanted) ? 2 : 3
}

function isSame(a: CopySite, b: CopySite): boolean {
  return a.url === b.url && a.user === b.user
}
