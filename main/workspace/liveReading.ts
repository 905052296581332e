import type { Json } from '../../preload/contract/define.ts'
import type { Reading } from '../../preload/contract/deviceAreas.ts'
import { AppError } from '../../preload/contract/errors.ts'
import type { LiveFacts, LiveOperation, LiveReading } from '../../preload/contract/workspace.ts'
import { readFacts } from './facts.ts'
import type { CallOptions, DevicePort, OpenedDevice } from './ports.ts'

type Ask = (device: DevicePort, options: CallOptions) => Promise<Reading<unknown>>

const asks: Readonly<Record<LiveOperation, Ask>> = {
  'gps.position': (device, options) => device.gps.position(options),
  'eth.state': (device, options) => device.eth.state(options),
  'wifi.state': (device, options) => device.wifi.state(options),
  'wifi.list': (device, options) => device.wifi.list(options),
  'hotspot.state': (device, options) => device.hotspot.state(options),
  'hotspot.list': (device, options) => device.hotspot.list(options),
  'modem.information': (device, options) => device.modem.information(options),
  'modem.configuration': (device, options) => device.modem.configuration(options),
  'io.all': (device, options) => device.io.all(options),
  'accel.state': (device, options) => device.accel.state(options),
  'accel.configuration': (device, options) => device.accel.configuration(options),
  'system.info': (device, options) => device.system.info(options),
  'apps.list': (device, options) => device.apps.list(options)
}

export interface LiveInput {
  view: string
  operations: readonly LiveOperation[]
  /** How often the view would like to be told. */
  everyMs: number
}

export interface LiveResult {
  readings: Partial<Record<LiveOperation, LiveReading>>
  facts: LiveFacts
  nextInMs: number
  isSlow: boolean
}

export interface LiveReader {
  /** Reads operations once, side by side. What fails is said in its reading; only CANCELLED (the view was closed) throws. */
  read(opened: Pick<OpenedDevice, 'key' | 'device'>, input: LiveInput, signal: AbortSignal): Promise<LiveResult>
  /** Aborts what this view has under way. */
  closeView(view: string): void
  /** Runs `work` as a request of a view: closing the view aborts it. */
  within<T>(view: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>
  stop(): void
}

/** A device that takes longer than this for a round is asked less often. */
const slowRoundMs = 700
const longestMs = 15_000
const timeoutMs = 5_000

/**
 * Live reading with back-off: a view asks again when it is told to. A device that answers slowly is given three times the
 * time it took, and one that does not answer twice as long after every failure, up to 15 s; one good round ends that.
 */
export function createLiveReader(now: () => Date = () => new Date()): LiveReader {
  const views = new Map<string, Set<AbortController>>()
  const failedRounds = new Map<string, number>()

  async function within<T>(view: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const abort = new AbortController()
    const open = views.get(view) ?? new Set()
    views.set(view, open.add(abort))
    const giveUp = () => abort.abort()
    signal.addEventListener('abort', giveUp, { once: true })
    if (signal.aborted) giveUp()
    try {
      return await work(abort.signal)
    } finally {
      signal.removeEventListener('abort', giveUp)
      open.delete(abort)
      if (open.size === 0 && views.get(view) === open) views.delete(view)
    }
  }

  async function readOne(device: DevicePort, operation: LiveOperation, signal: AbortSignal): Promise<LiveReading> {
    try {
      const { value, raw, problems, readAt, elapsedMs } = await asks[operation](device, { signal, timeoutMs })
      return { value: value as Json, raw: (raw ?? null) as Json, problems, readAt, elapsedMs, failure: null }
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
      const failure = { code: error.code, message: error.sentence }
      return { value: null, raw: null, problems: [], readAt: now().toISOString(), elapsedMs: null, failure }
    }
  }

  return {
    within,
    async read({ key, device }, { view, operations, everyMs }, signal) {
      const startedMs = performance.now()
      const read = await within(view, signal, (own) =>
        Promise.all(operations.map(async (operation) => [operation, await readOne(device, operation, own)] as const))
      )
      const tookMs = performance.now() - startedMs
      const isSilent = read.every(([, reading]) => reading.failure !== null)
      const failed = isSilent ? (failedRounds.get(key) ?? 0) + 1 : 0
      failedRounds.set(key, failed)
      const isSlow = tookMs > Math.max(slowRoundMs, everyMs) || isSilent
      const pauseMs = isSilent ? everyMs * 2 ** Math.min(failed, 6) : tookMs > slowRoundMs ? tookMs * 3 : everyMs - tookMs
      const readings = Object.fromEntries(read)
      return { readings, facts: readFacts(readings, now().getTime()), nextInMs: Math.round(Math.min(longestMs, Math.max(50, pauseMs))), isSlow }
    },
    closeView(view) {
      for (const abort of views.get(view) ?? []) abort.abort()
      views.delete(view)
    },
    stop() {
      for (const view of [...views.keys()]) this.closeView(view)
    }
  }
}
