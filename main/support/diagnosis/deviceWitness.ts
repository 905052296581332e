import type { DeviceEvidence } from '../../../preload/contract/support/evidence.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { isValidImei, parseDeviceName } from '../../../preload/contract/base/imei.ts'
import type { LineChange, LinesMark, LinesNews } from '../../../preload/contract/device/lines.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { LiveOperation, LiveReading } from '../../../preload/contract/device/workspace.ts'

/** A connected device; a failed reading contains its reason. */
export interface DeviceDoor {
  imei: string | null
  host: string
  model: string | null
  read(operation: LiveOperation, signal: AbortSignal): Promise<LiveReading>
  lines?: ((since: LinesMark | null) => LinesNews) | undefined
}

/** In the order in which the links need them, each with the time for which a reading stays valid. */
const freshMs = {
  'io.all': 900,
  'modem.information': 1_900,
  'system.info': 4_900,
  'modem.configuration': 4_900,
  'gps.position': 900,
  'accel.state': 60_000
} as const satisfies Partial<Record<LiveOperation, number>>
export const deviceOperations = Object.keys(freshMs) as (keyof typeof freshMs)[]
type Wanted = (typeof deviceOperations)[number]

/** Lines are judged by this period. */
const latelyMs = 5 * 60_000

/** Reads one device only as often as useful, in parallel as far as the device allows, and keeps its readings. */
export function createDeviceWitness(reportFault: (error: unknown) => void, now: () => number = () => Date.now()) {
  const readings = new Map<LiveOperation, LiveReading>()
  const running = new Map<LiveOperation, Promise<void>>()
  const ending = new AbortController()
  const lines = new Map<string, LineChange[]>()
  let door: DeviceDoor | undefined
  let mark: LinesMark | null = null
  let latelyFromMs = -Infinity
  let wake: () => void = () => undefined

  function begin(operation: Wanted, from: DeviceDoor): void {
    // Readings requested before a refresh do not count.
    const isWanted = () => running.get(operation) === work
    const work: Promise<void> = from
      .read(operation, ending.signal)
      .then((reading) => {
        if (isWanted()) readings.set(operation, reading)
      })
      .finally(() => {
        if (isWanted()) running.delete(operation)
        wake()
      })
    running.set(operation, work)
    work.catch((error: unknown) => {
      if (!ending.signal.aborted && !(error instanceof AppError)) reportFault(error)
    })
  }

  function follow(): void {
    const news = door?.lines?.(mark)
    if (!news) return
    if (news.since === null) lines.clear()
    mark = { story: news.story, mark: news.mark }
    const sinceMs = Math.max(news.nowMs - latelyMs, latelyFromMs)
    for (const { name, changes } of news.lines) lines.set(name, [...(lines.get(name) ?? []), ...changes])
    for (const [name, changes] of lines) {
      const first = changes.findLastIndex(([atMs]) => atMs <= sinceMs)
      if (first > 0) lines.set(name, changes.slice(first))
    }
  }

  function lately(): DeviceEvidence['lately'] {
    const known = [...lines].filter(([, changes]) => changes.length > 0)
    // Someone follows them, and has not read them yet.
    if (known.length === 0) return mark === null ? null : { sinceAt: new Date(now()).toISOString(), lines: [] }
    const sinceMs = Math.max(now() - latelyMs, latelyFromMs, Math.min(...known.map(([, [first]]) => first?.[0] ?? 0)))
    // The value of a line at the start of the period.
    const told = known.map(([name, changes]) => ({
      name,
      changes: changes.map(([atMs, on]): LineChange => [Math.max(atMs, sinceMs), on])
    }))
    return { sinceAt: new Date(sinceMs).toISOString(), lines: told }
  }

  return {
    /** Requests what is due from this device, without waiting. */
    ask(from: DeviceDoor): void {
      if (door && (door.host !== from.host || door.imei !== from.imei)) readings.clear()
      door = from
      for (const operation of deviceOperations) {
        const readAt = readings.get(operation)?.readAt
        if (!running.has(operation) && !(readAt !== undefined && now() - Date.parse(readAt) < freshMs[operation]))
          begin(operation, from)
      }
      follow()
    },
    /** From now on only later readings count for these. */
    forget(operations: readonly LiveOperation[]): void {
      for (const operation of operations) {
        readings.delete(operation)
        running.delete(operation)
      }
      if (operations.includes('io.all')) latelyFromMs = now()
    },
    /** A reading that another screen has just made counts here as well. */
    addReadings(read: Partial<Record<LiveOperation, LiveReading>>): void {
      for (const [operation, reading] of Object.entries(read) as [LiveOperation, LiveReading][])
        readings.set(operation, reading)
    },
    /** Those that have never been answered. */
    isWaitingFor: (operations: readonly LiveOperation[]): boolean =>
      operations.some((operation) => !readings.has(operation) && running.has(operation)),
    /** Resolves when a reading arrived, or after this time. */
    async next(mostMs: number): Promise<void> {
      if (running.size === 0) return
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        wake = resolve
        timer = setTimeout(resolve, mostMs)
      })
      clearTimeout(timer)
    },
    /** The reported identity, if it was unknown before. */
    imei(): string | null {
      return door?.imei ?? namedBy(readings)
    },
    evidence(): DeviceEvidence | null {
      return door ? evidenceOf(door, readings, lately()) : null
    },
    stop(): void {
      ending.abort()
    }
  }
}
export type DeviceWitness = ReturnType<typeof createDeviceWitness>

/** The IMEI in the host name, otherwise that of the modem. */
function namedBy(readings: ReadonlyMap<LiveOperation, LiveReading>): string | null {
  const { hostname } = (readings.get('system.info')?.value ?? {}) as { hostname?: unknown }
  const name = typeof hostname === 'string' ? parseDeviceName(hostname) : undefined
  if (name) return name.imei
  const { IMEI } = (readings.get('modem.information')?.value ?? {}) as { IMEI?: unknown }
  return typeof IMEI === 'string' && isValidImei(IMEI.trim()) ? IMEI.trim() : null
}

function evidenceOf(
  door: DeviceDoor,
  readings: ReadonlyMap<LiveOperation, LiveReading>,
  lately: DeviceEvidence['lately']
): DeviceEvidence {
  const all = [...readings.values()].sort((a, b) => b.readAt.localeCompare(a.readAt))
  const failures = all.flatMap(({ failure }) => (failure ? [failure] : []))
  const nothing = { host: door.host, readings: {}, lately: null }
  const { hostname } = (readings.get('system.info')?.value ?? {}) as { hostname?: unknown }
  const other = door.imei !== null && typeof hostname === 'string' ? parseDeviceName(hostname) : undefined
  const isAnother = failures.find(({ code }) => code === 'WRONG_DEVICE')
  // Readings of a different device are not used.
  if (other && other.imei !== door.imei)
    return {
      ...nothing,
      state: 'another',
      why: message('device.another', { imei: door.imei ?? '', hostname: String(hostname).slice(0, 80) })
    }
  if (isAnother) return { ...nothing, state: 'another', why: isAnother.message }
  const told = { host: door.host, readings: Object.fromEntries(readings), lately }
  if (all.some(({ failure }) => failure === null)) return { ...told, state: 'answers', why: null }
  const [failure] = failures
  if (!failure) return { ...told, state: 'asking', why: null }
  const isLocked = failure.code === 'NOT_AUTHENTICATED' || failure.code === 'NOT_PERMITTED'
  return { ...told, state: isLocked ? 'locked' : 'away', why: failure.message }
}
