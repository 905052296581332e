import {
  copyKinds,
  type CopyKind,
  type GatewayCopies,
  type KindCopy
} from '../../../preload/contract/gateway/copies.ts'
import type { HandlersOf } from '../../../preload/contract/index.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { messageSchema } from '../../../preload/contract/base/messageSchema.ts'
import type { EntityChoice } from '../../../preload/contract/gateway/gateway.ts'
import type { VehicleLine } from '../../../preload/contract/gateway/vehicles/vehicles.ts'
import type { Rhythm } from '../../../preload/gateway/reporting.ts'
import type { GatewayClient } from '../client/client.ts'
import { rhythmOfState, withReports, type CopiedState, type ShownReports } from './copiedState.ts'
import { copiedForms, deviceRow, kindsOfCopy, rowOfDevice, vehicleRow, type Copied, type KindOfCopy } from './kinds.ts'
import {
  choiceOfCopy,
  findNamed,
  readNamed,
  searchNamed,
  type CopiedName,
  type FoundCopies,
  type NamedKind,
  type NamedKinds,
  type NamedQuery
} from './named.ts'
import { isAboutData } from '../../data/store/untilStored.ts'
import type { CopiedRow, CopySite, GatewayCopyStore } from '../../data/store/gatewayCopies.ts'
import { stopped, walkAll, walkOne, type Progress, type WalkParts } from './walk.ts'

export interface CopiesOptions {
  rows: GatewayCopyStore
  /** The present account; null while nobody is signed in. */
  site(): Promise<CopySite | null>
  /** Whether this account is still in use; a pass for any other one ends. */
  isPresent(site: CopySite): Promise<boolean>
  client(site: CopySite): GatewayClient
  changed(copies: GatewayCopies): void
  reportFault(error: unknown): void
  /** A job is being worked on: it gets most of the gateway's request limit. */
  isBusy(): boolean
  kinds?: readonly KindOfCopy[]
  now?: () => Date
  gentleEveryMs?: number
}

export interface CopyAge {
  copiedAt: string | null
  isComplete: boolean
}

export type SeenRecord = {
  kind: EntityChoice['kind']
  id: number
  name: string
  plate: string | null
  imei: string | null
  ownImei: string | null
  copiedAt: string | null
}

export type Copies = ReturnType<typeof createCopies>

interface Running extends Progress {
  site: CopySite
  ending: AbortController
  isAsked: boolean
  /** Reads only the devices, whose states somebody looks at: no sync, and nobody waits for it. */
  isOfStates: boolean
  finished: Promise<void>
}

/** An older copy is renewed automatically. */
const oldAfterMs = 12 * 60 * 60_000
const againAfterMs = 5 * 60_000
/** While somebody looks at them, states are read again. */
const statesEveryMs = 5 * 60_000
/** Half of the smallest documented limit, 30 requests a minute. */
const gentleEveryMs = 4_000

const partSize = 500

const copiedKind = { vehicle: 'vehicles', asset: 'assets' } as const
const nothingKept = { count: 0, copiedAt: null, isComplete: false }

/** The local copy of gateway data: searched offline, renewed page by page. */
export function createCopies(options: CopiesOptions) {
  const { rows, changed } = options
  const now = options.now ?? (() => new Date())
  const kinds = options.kinds ?? kindsOfCopy
  let running: Running | undefined
  let held: CopySite | undefined
  let writes = 0
  /** Devices that were read alone: they come often, and each changes little. */
  let single = 0
  let problem: { site: CopySite; why: Message; atMs: number } | undefined

  function kindOf(site: CopySite, kind: CopyKind): KindCopy {
    const { count, copiedAt, isComplete, refused, open } = rows.state(site, kind)
    return {
      kind,
      count,
      copiedAt,
      complete: isComplete,
      open: open ? { done: open.seen, total: open.total } : null,
      refused: messageSchema.safeParse(refused).data ?? null
    }
  }

  function statusOf(site: CopySite | null): GatewayCopies {
    const others = rows.sites().filter((one) => !site || !isSame(one, site))
    if (!site) return { site: null, kinds: [], running: null, problem: null, others }
    const own = running && !running.isOfStates && isSame(running.site, site) ? running : undefined
    return {
      site,
      kinds: copyKinds.map((kind) => kindOf(site, kind)),
      running: own ? { kind: own.kind, done: own.done, total: own.total, leftMs: own.leftMs } : null,
      problem: !own && problem && isSame(problem.site, site) ? problem.why : null,
      others
    }
  }

  function begin(site: CopySite, isAsked: boolean, isOfStates = false): void {
    const run: Running = {
      site,
      ending: new AbortController(),
      isAsked,
      isOfStates,
      kind: 'vehicles',
      done: 0,
      total: null,
      leftMs: null,
      finished: Promise.resolve()
    }
    running = run
    problem = undefined
    const parts: WalkParts = {
      rows,
      site,
      kinds,
      client: options.client(site),
      isPresent: () => options.isPresent(site),
      isGentle: () => !run.isAsked || options.isBusy(),
      progress(at) {
        writes += 1
        Object.assign(run, at)
        if (!isOfStates) changed(statusOf(site))
      },
      now,
      gentleEveryMs: options.gentleEveryMs ?? gentleEveryMs,
      signal: run.ending.signal
    }
    const devices = kinds.find(({ kind }) => kind === 'devices')
    run.finished = (isOfStates && devices ? walkOne(parts, devices) : walkAll(parts))
      .catch((error: unknown) => {
        const isStopped = run.ending.signal.aborted || (error instanceof AppError && error.code === 'CANCELLED')
        if (isStopped) return run.ending.abort()
        problem = {
          site,
          why: error instanceof AppError ? error.sentence : message('app.fault'),
          atMs: performance.now()
        }
        if (!(error instanceof AppError) || error.code === 'INTERNAL') options.reportFault(error)
      })
      .finally(() => {
        writes += 1
        if (running === run) running = undefined
        if (!run.ending.signal.aborted) changed(statusOf(site))
      })
  }

  /** Stops the pass; it can continue later. Resolves when nothing is being written any more. */
  async function stop(): Promise<void> {
    running?.ending.abort(stopped())
    await running?.finished
  }

  async function start(site: CopySite, isAsked: boolean): Promise<void> {
    while (running && (running.isOfStates || !isSame(running.site, site))) await stop()
    if (running) running.isAsked ||= isAsked
    else begin(site, isAsked)
  }

  function isOld(site: CopySite): boolean {
    if (rows.roundAt(site) !== null) return true
    return kinds.some(({ kind }) => {
      const { endedAt } = rows.state(site, kind)
      return endedAt === null || now().getTime() - Date.parse(endedAt) > oldAfterMs
    })
  }

  function ageOf(site: CopySite, kind: CopyKind): CopyAge {
    const { copiedAt, isComplete } = rows.state(site, kind)
    return { copiedAt, isComplete }
  }

  async function deviceState(imei: string): Promise<CopiedState | undefined> {
    const site = await options.site()
    return site ? copiedForms.devices.safeParse(rows.get(site, 'devices', imei)).data?.state : undefined
  }

  /** What was just read is shown also while the data file cannot be written: the next reading is stored. */
  function put(site: CopySite, kind: 'devices' | 'vehicles', row: CopiedRow): void {
    try {
      rows.putOne(site, kind, row)
    } catch (error) {
      if (!isAboutData(error)) throw error
    }
  }

  return {
    stop,
    /** Stops the pass as a person asked: it continues on request. */
    async hold(): Promise<GatewayCopies> {
      const site = await options.site()
      held = site ?? undefined
      await stop()
      return statusOf(site)
    },
    /** Resolves when no pass is running. */
    ended: async () => running?.finished,
    status: async (): Promise<GatewayCopies> => statusOf(await options.site()),
    /** Starts copying everything, from where an earlier pass stopped; returns the state at once. */
    async refresh(): Promise<GatewayCopies> {
      const site = await options.site()
      if (!site) throw new AppError('NOT_AUTHENTICATED', message('vehicles.signInToCopy'))
      held = undefined
      await start(site, true)
      return statusOf(site)
    },
    /** Starts automatically without a copy or with an old one; slowly, because nobody waits for it. */
    async refreshOld(): Promise<void> {
      const site = await options.site()
      if (!site || running || (held && isSame(held, site))) return
      const failedLately = problem && isSame(problem.site, site) && performance.now() - problem.atMs < againAfterMs
      if (!failedLately && isOld(site)) await start(site, false)
    },
    /** Reads the states of the devices again if they are old; the first copy of them is a sync. */
    async refreshStates(): Promise<void> {
      const site = await options.site()
      if (!site || running) return
      const failedLately = problem && isSame(problem.site, site) && performance.now() - problem.atMs < againAfterMs
      const { endedAt } = rows.state(site, 'devices')
      const isDue = endedAt !== null && now().getTime() - Date.parse(endedAt) >= statesEveryMs
      if (isDue && !failedLately) begin(site, false, true)
    },
    /** Without words, the page after the record `after`. */
    async search<Kind extends NamedKind>(kind: Kind, query: NamedQuery): Promise<FoundCopies<Kind>> {
      const site = await options.site()
      return site ? searchNamed({ rows, site }, kind, query) : { records: [], more: false, instead: null }
    },
    /** Vehicles or assets with these words, each with the age of the copy; undefined without a copy. */
    async choices(
      kind: EntityChoice['kind'],
      text: string,
      limit: number
    ): Promise<{ entities: EntityChoice[]; complete: boolean } | undefined> {
      const site = await options.site()
      const copied = copiedKind[kind]
      const { count, copiedAt, isComplete } = site ? rows.state(site, copied) : nothingKept
      if (!site || count === 0) return undefined
      const { records, more } = searchNamed({ rows, site }, copied, { text, limit, isForgiving: true })
      return {
        entities: records.map((one) => ({ ...choiceOfCopy(copied, one), copiedAt })),
        complete: !more && isComplete
      }
    },
    /** The record that a text means; undefined without a copy of this kind. */
    async findExact(kind: EntityChoice['kind'], text: string): Promise<(CopiedName & CopyAge) | undefined> {
      const site = await options.site()
      const copied = copiedKind[kind]
      if (!site || rows.state(site, copied).count === 0) return undefined
      return { ...findNamed({ rows, site }, copied, text), ...ageOf(site, copied) }
    },
    async get<Kind extends NamedKind>(
      kind: Kind,
      id: number
    ): Promise<(CopyAge & { record: NamedKinds[Kind] }) | undefined> {
      const site = await options.site()
      const [record] = site ? readNamed(kind, [rows.get(site, kind, String(id))]) : []
      return site && record ? { record, ...ageOf(site, kind) } : undefined
    },
    /** The copied record, for work that is compared with the gateway before it is sent. */
    async seen(kind: EntityChoice['kind'], id: number, copiedAt: string): Promise<SeenRecord | undefined> {
      const site = await options.site()
      const [record] = site ? readNamed(copiedKind[kind], [rows.get(site, copiedKind[kind], String(id))]) : []
      if (!record) return undefined
      const { name, plate, imei } = choiceOfCopy(copiedKind[kind], record)
      return { kind, id, name, plate, imei, ownImei: null, copiedAt }
    },
    /** All copied records of a kind, up to `limit`; undefined without a copy. */
    async all<Kind extends CopyKind>(
      kind: Kind,
      limit: number
    ): Promise<(CopyAge & { records: Copied[Kind][] }) | undefined> {
      const site = await options.site()
      if (!site || rows.state(site, kind).endedAt === null) return undefined
      const records = rows.first(site, kind, { limit }).flatMap((one) => {
        const parsed = copiedForms[kind].safeParse(one)
        return parsed.success ? [parsed.data as Copied[typeof kind]] : []
      })
      return { records, ...ageOf(site, kind) }
    },
    /** All copied records of a kind, in parts, so that nothing else has to wait for them. */
    async *parts<Kind extends CopyKind>(kind: Kind): AsyncGenerator<Copied[Kind][]> {
      const site = await options.site()
      for (let after: string | undefined; site;) {
        const records = rows.first(site, kind, { limit: partSize, after })
        yield records.flatMap((one) => copiedForms[kind].safeParse(one).data ?? []) as Copied[typeof kind][]
        const { id, imei } = (records.at(-1) ?? {}) as { id?: unknown; imei?: unknown }
        if (records.length < partSize) return
        after = String(id ?? imei)
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    deviceState,
    /** Changes with the account and with every change of its copy. */
    async version(): Promise<{ site: string; version: number; single: number; isRunning: boolean }> {
      const site = await options.site()
      return {
        site: `${site?.url ?? ''} ${site?.user ?? ''}`,
        version: writes,
        single,
        isRunning: running !== undefined
      }
    },
    /**
     * The record of a device that this account has just read, or the part of it that shows its reports. Returns how it
     * stands now, with what was known before.
     */
    async rememberDevice(record: unknown, gatewayMs: number): Promise<CopiedState | undefined> {
      const site = await options.site()
      if (!site) return undefined
      const row = deviceRow(record, {
        at: now().toISOString(),
        gatewayAt: new Date(gatewayMs).toISOString(),
        before: (imei) => rows.get(site, 'devices', imei)
      })
      if (row) put(site, 'devices', row)
      single += 1
      return copiedForms.devices.safeParse(row?.record).data?.state
    },
    /** The usual time between two reports of a device; undefined while the copy does not have it. */
    async rhythm(imei: string): Promise<Rhythm | undefined> {
      const state = await deviceState(imei)
      return state && rhythmOfState(state)
    },
    /** What the events of a device show of its reports. */
    async rememberReports(imei: string, shown: ShownReports): Promise<void> {
      const site = await options.site()
      const device = site ? copiedForms.devices.safeParse(rows.get(site, 'devices', imei)).data : undefined
      const state = device && withReports(device.state, shown)
      if (!site || !state) return
      put(site, 'devices', rowOfDevice({ ...device, state }))
      single += 1
    },
    /** Stores one vehicle that this account has just read; does nothing if another account is in use now. */
    async remember(site: CopySite, vehicle: VehicleLine): Promise<void> {
      if (!(await options.isPresent(site))) return
      put(site, 'vehicles', vehicleRow(vehicle))
      writes += 1
    }
  }
}

function isSame(a: CopySite, b: CopySite): boolean {
  return a.url === b.url && a.user === b.user
}

export function createCopyHandlers(copies: Copies): HandlersOf<'copies'> {
  return {
    'copies.status': () => copies.status(),
    'copies.refresh': () => copies.refresh(),
    'copies.stop': () => copies.hold()
  }
}
