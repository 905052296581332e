import type { Json } from '../../../../preload/contract/define.ts'
import type { Reading, SystemInfo } from '../../../../preload/contract/device/deviceAreas.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import type { GatewayEvidence, SeenEvent } from '../../../../preload/contract/support/evidence.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { liveOperation, type LiveOperation } from '../../../../preload/contract/device/workspace.ts'
import type { Snapshot, SnapshotOperation, SnapshotReading } from '../../../../preload/contract/support/snapshots.ts'
import { sameHost } from '../../../device/client/facts.ts'
import { orAborted } from '../../../base/time/pause.ts'
import { sideBySide } from '../../../base/time/sideBySide.ts'
import { fitToSize } from './fitToSize.ts'

export interface GatherOptions {
  /** Calls one documented operation of the device that only reads. */
  ask(operation: LiveOperation, options: { signal: AbortSignal; timeoutMs: number }): Promise<Reading<unknown>>
  /** A recent reading by other code. */
  heard(operation: SnapshotOperation, notBeforeMs: number): SnapshotReading | undefined
  /**
   * The gateway's data; null without a gateway, or when nobody is signed in. It has its own time limit and never
   * throws.
   */
  askGateway(): Promise<GatewayEvidence | null>
  /** The IMEI that the device must have; null while it is unknown. */
  imei: string | null
  /** A copy without any known secret. */
  redact<T>(value: T): T
  /** A reading by other code that is younger than this is reused. */
  freshMs: number
  /** Requests in parallel: during a job, the steps need the device. */
  atOnce: number
  timeoutMs: number
  wholeMs: number
  progress?(done: number, total: number): void
  now(): number
}

export type Gathered = Pick<Snapshot, 'readings' | 'gateway'> & { takenAt: string }

/** This operation identifies the device for all other readings, so it is always read anew, and last. */
const whoItIs: LiveOperation = 'system.info'
const others = liveOperation.options.filter((operation) => operation !== whoItIs)
/** An answer to an update check within this time is included; a snapshot never checks for updates itself. */
const updateWordMs = 3_600_000
/** A device is silent if this many areas were requested without one answer: the rest is skipped. */
const silentAfter = 4

/**
 * Reads all areas of a device, several in parallel: a silent area becomes a failure in its place and does not delay the
 * others. A snapshot never checks for updates: the documented answers ("Update in progress", "Device will be
 * restarted") show that a check may start an update, and a snapshot changes nothing. Throws WRONG_DEVICE if another
 * device answers, the failure if nothing answers at all, and CANCELLED.
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
    const heard =
      operation === whoItIs || options.freshMs === 0 ? undefined : options.heard(operation, startedMs - options.freshMs)
    if (heard) return clean(heard)
    try {
      const { value, raw, problems, readAt, elapsedMs } = await options.ask(operation, {
        signal: within,
        timeoutMs: options.timeoutMs
      })
      answers += 1
      return clean({ value: value as Json, raw: (raw ?? null) as Json, problems, readAt, elapsedMs, failure: null })
    } catch (error) {
      if (!(error instanceof AppError) || signal.aborted) throw error
      if (error.code === 'TIMEOUT') unanswered += 1
      if (answers === 0 && unanswered >= silentAfter) silence.abort()
      const late = error.code === 'CANCELLED'
      const failure = late
        ? { code: 'TIMEOUT' as const, message: message('snapshots.noAnswerInTime', { withinMs: options.wholeMs }) }
        : { code: error.code, message: error.sentence }
      return {
        value: null,
        raw: null,
        problems: [],
        readAt: new Date(options.now()).toISOString(),
        elapsedMs: null,
        failure
      }
    }
  }

  function clean({ value, raw, ...rest }: SnapshotReading): SnapshotReading {
    return { ...rest, value: options.redact(value), raw: options.redact(raw) }
  }

  const gatewaySays = options.askGateway().finally(oneMore)
  // If reading the device fails, the gateway is no longer awaited.
  gatewaySays.catch(() => undefined)
  options.progress?.(0, total)
  await sideBySide(others, { most: options.atOnce }, read)
  await read(whoItIs)
  assertItIsTheOne(readings[whoItIs], options.imei)
  // Reused readings are not answers: a file of only those would hide that the device is silent now.
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

function assertItIsTheOne(reading: SnapshotReading | undefined, imei: string | null): void {
  const { hostname } = (reading?.value ?? {}) as Partial<SystemInfo>
  if (imei === null || typeof hostname !== 'string' || hostname === '' || sameHost(hostname, imei)) return
  throw new AppError('WRONG_DEVICE', message('device.another', { hostname, imei }))
}

function failureOf(reading: SnapshotReading | undefined): AppError {
  const { code, message: why } = reading?.failure ?? {
    code: 'UNREACHABLE' as const,
    message: message('snapshots.silent')
  }
  // A device that answered "not found" did answer: the name in the request was correct.
  return new AppError(code, why, { retryable: true, ...(code === 'NOT_FOUND' ? { status: 404 } : {}) })
}

/** The latest events of all, and the latest of each type: a diagnosis needs both. */
const newest = 3
const mostTypes = 8
const mostLetters = 4_000

/**
 * A snapshot shows one moment: it contains only those of the gateway's events that describe the state at that moment.
 */
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
