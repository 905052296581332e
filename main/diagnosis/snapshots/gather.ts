import type { Json } from '../../../preload/contract/define.ts'
import type { Reading, SystemInfo } from '../../../preload/contract/device/deviceAreas.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import type { GatewayEvidence, SeenEvent } from '../../../preload/contract/diagnosis/evidence.ts'
import { message } from '../../../preload/contract/messages.ts'
import { liveOperation, type LiveOperation } from '../../../preload/contract/device/workspace.ts'
import type { Snapshot, SnapshotOperation, SnapshotReading } from '../../../preload/contract/diagnosis/snapshots.ts'
import { sameHost } from '../../device/facts.ts'
import { orAborted } from '../../time/pause.ts'
import { fitToSize } from './fitToSize.ts'

export interface GatherOptions {
  /** Asks the device for one documented operation that only looks. */
  ask(operation: LiveOperation, options: { signal: AbortSignal; timeoutMs: number }): Promise<Reading<unknown>>
  /** What somebody else was told a moment ago. */
  heard(operation: SnapshotOperation, notBeforeMs: number): SnapshotReading | undefined
  /** What the gateway says; null where there is none, or nobody is signed in. It has its own limits and never throws. */
  askGateway(): Promise<GatewayEvidence | null>
  /** Whose device this has to be; null while that is not known. */
  imei: string | null
  /** A copy without any known secret. */
  redact<T>(value: T): T
  /** A reading of another asker that is this young is not asked again. */
  freshMs: number
  /** Requests at a time: beside a job the device is left to its steps. */
  atOnce: number
  timeoutMs: number
  /** No area is waited for any longer than this. */
  wholeMs: number
  progress?(done: number, total: number): void
  now(): number
}

export type Gathered = Pick<Snapshot, 'readings' | 'gateway'> & { takenAt: string }

/** It vouches for the rest, so it is asked anew, and last. */
const whoItIs: LiveOperation = 'system.info'
const others = liveOperation.options.filter((operation) => operation !== whoItIs)
/** What somebody was told by the update check within this time belongs to the picture; a snapshot never asks it itself. */
const updateWordMs = 3_600_000
/** A device of which so many areas were asked without one answer is silent: nobody waits for all the others. */
const silentAfter = 4

/**
 * Reads all areas of a device, several at a time: one that is silent becomes a failure in its place and holds nothing else.
 * The update check is never asked: its documented answers ("Update in progress", "Device will be restarted") say that asking
 * may start an update, and a snapshot changes nothing. Throws WRONG_DEVICE when another device answers, the failure when
 * nothing answers at all, and CANCELLED.
 */
export async function gatherSnapshot(options: GatherOptions, signal: AbortSignal): Promise<Gathered> {
  const startedMs = options.now()
  const limit = AbortSignal.timeout(options.wholeMs)
  const silence = new AbortController()
  const within = AbortSignal.any([signal, limit, silence.signal])
  const readings: Gathered['readings'] = {}
  const total = others.length + 2
  let done = 0
  let answers = 0
  let unanswered = 0
  const oneMore = (): void => options.progress?.(++done, total)

  async function read(operation: LiveOperation): Promise<void> {
    readings[operation] = await readOne(operation)
    oneMore()
  }

  async function readOne(operation: LiveOperation): Promise<SnapshotReading> {
    const heard = operation === whoItIs || options.freshMs === 0 ? undefined : options.heard(operation, startedMs - options.freshMs)
    if (heard) return clean(heard)
    try {
      const { value, raw, problems, readAt, elapsedMs } = await options.ask(operation, { signal: within, timeoutMs: options.timeoutMs })
      answers += 1
      return clean({ value: value as Json, raw: (raw ?? null) as Json, problems, readAt, elapsedMs, failure: null })
    } catch (error) {
      if (!(error instanceof AppError) || signal.aborted) throw error
      if (error.code === 'TIMEOUT') unanswered += 1
      if (answers === 0 && unanswered >= silentAfter) silence.abort()
      const late = error.code === 'CANCELLED'
      const failure = late ? { code: 'TIMEOUT' as const, message: message('snapshots.noAnswerInTime', { withinMs: options.wholeMs }) } : { code: error.code, message: error.sentence }
      return { value: null, raw: null, problems: [], readAt: new Date(options.now()).toISOString(), elapsedMs: null, failure }
    }
  }

  function clean({ value, raw, ...rest }: SnapshotReading): SnapshotReading {
    return { ...rest, value: options.redact(value), raw: options.redact(raw) }
  }

  const gatewaySays = options.askGateway().finally(oneMore)
  // Where the device ends it all, nobody waits for the gateway any more.
  gatewaySays.catch(() => undefined)
  options.progress?.(0, total)
  await inLanes(others, options.atOnce, read)
  await read(whoItIs)
  assertItIsTheOne(readings[whoItIs], options.imei)
  // What others heard a moment ago is no answer: a file of that alone would hide that the device is silent now.
  if (answers === 0) throw failureOf(readings[whoItIs])
  const told = options.heard('updates.osCheck', startedMs - updateWordMs)
  if (told) readings['updates.osCheck'] = clean(told)
  const gateway = await orAborted(gatewaySays, signal)
  return {
    takenAt: new Date(startedMs).toISOString(),
    readings: fitToSize(readings),
    gateway: gateway && options.redact(shortenGateway(gateway))
  }
}

/** So many at a time, in their order. */
async function inLanes<Item>(items: readonly Item[], lanes: number, work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items]
  async function next(): Promise<void> {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: lanes }, next))
}

function assertItIsTheOne(reading: SnapshotReading | undefined, imei: string | null): void {
  const { hostname } = (reading?.value ?? {}) as Partial<SystemInfo>
  if (imei === null || typeof hostname !== 'string' || hostname === '' || sameHost(hostname, imei)) return
  throw new AppError('WRONG_DEVICE', message('device.another', { hostname, imei }))
}

function failureOf(reading: SnapshotReading | undefined): AppError {
  const { code, message: why } = reading?.failure ?? { code: 'UNREACHABLE' as const, message: message('snapshots.silent') }
  // Whoever answered "not found" answered: it is no wrong name of ours.
  return new AppError(code, why, { retryable: true, ...(code === 'NOT_FOUND' ? { status: 404 } : {}) })
}

/** The newest of all, and the newest of each type: what a diagnosis needs of them. */
const newest = 3
const mostTypes = 8
const mostLetters = 4_000

/** A snapshot is of one moment: of the events that the gateway has, only those that say how it stood then. */
function shortenGateway(gateway: GatewayEvidence): GatewayEvidence {
  if (!gateway.events) return gateway
  const types = new Set<number | null>()
  const events: SeenEvent[] = []
  for (const [index, event] of gateway.events.value.entries()) {
    const isFirstOfType = !types.has(event.type) && types.size < mostTypes
    if (index >= newest && !isFirstOfType) continue
    types.add(event.type)
    events.push(JSON.stringify(event.raw).length > mostLetters ? { ...event, raw: null } : event)
  }
  return { ...gateway, events: { ...gateway.events, value: events } }
}
