import type { LiveOperation } from '../../preload/contract/device/workspace.ts'
import type { CallOutput } from '../../preload/contract/index.ts'
import type { DiagnosisLimits } from '../diagnosis/limits.ts'
import { readLive } from '../device/readLive.ts'
import { readFacts } from './facts.ts'
import type { OpenedDevice } from './ports.ts'

export interface LiveInput {
  view: string
  operations: readonly LiveOperation[]
  /** The interval that the view requests. */
  everyMs: number
}

export type LiveResult = CallOutput<'workspace.read'>

export interface LiveReader {
  /** Reads operations once, in parallel. A failure appears in its reading; only CANCELLED (the view was closed) is thrown. */
  read(opened: Pick<OpenedDevice, 'key' | 'device'>, input: LiveInput, signal: AbortSignal): Promise<LiveResult>
  /** Aborts the running requests of this view. */
  closeView(view: string): void
  /** Runs `work` as a request of a view: closing the view aborts it. */
  within<T>(view: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>
  stop(): void
}

/** A device that needs longer than this for a round is read less often. */
const slowRoundMs = 700
const longestMs = 15_000
const timeoutMs = 5_000

/**
 * Live reading with back-off: the result says when to read again. A slow device is read every three times its response time, and
 * for a silent one the pause doubles after every failure, up to 15 s; one good round ends that.
 */
export function createLiveReader(limits: () => DiagnosisLimits): LiveReader {
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

  return {
    within,
    async read({ key, device }, { view, operations, everyMs }, signal) {
      const startedMs = performance.now()
      const read = await within(view, signal, (own) =>
        Promise.all(operations.map(async (operation) => [operation, await readLive(device, operation, { signal: own, timeoutMs }, () => new Date())] as const))
      )
      const tookMs = performance.now() - startedMs
      const isSilent = read.every(([, reading]) => reading.failure !== null)
      const failed = isSilent ? (failedRounds.get(key) ?? 0) + 1 : 0
      failedRounds.set(key, failed)
      const isSlow = tookMs > Math.max(slowRoundMs, everyMs) || isSilent
      const pauseMs = isSilent ? everyMs * 2 ** Math.min(failed, 6) : tookMs > slowRoundMs ? tookMs * 3 : everyMs - tookMs
      const readings = Object.fromEntries(read)
      return { readings, facts: readFacts(readings, Date.now(), limits()), nextInMs: Math.round(Math.min(longestMs, Math.max(50, pauseMs))), isSlow }
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
