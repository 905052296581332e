import type { LiveOperation } from '../../../preload/contract/device/workspace.ts'
import type { CallOutput } from '../../../preload/contract/index.ts'
import type { DiagnosisLimits } from '../diagnosis/limits.ts'
import { readLive } from '../../device/client/readLive.ts'
import { readFacts } from './readFacts.ts'
import type { OpenedDevice } from './ports.ts'

export interface LiveInput {
  view: string
  operations: readonly LiveOperation[]
  everyMs: number
}

export type LiveResult = CallOutput<'workspace.read'>

/** A device that needs longer than this for a round is read less often. */
const slowRoundMs = 700
const longestMs = 15_000
const timeoutMs = 5_000

/**
 * When the next round begins after one that took `tookMs`: a slow device is read every three times its response time,
 * one that was silent in the last `silentRounds` rounds less and less, up to every 15 s.
 */
export function planNextRound({
  tookMs,
  everyMs,
  silentRounds
}: {
  tookMs: number
  everyMs: number
  silentRounds: number
}): { nextInMs: number; isSlow: boolean } {
  const pauseMs =
    silentRounds > 0 ? everyMs * 2 ** Math.min(silentRounds, 6) : tookMs > slowRoundMs ? tookMs * 3 : everyMs - tookMs
  return {
    nextInMs: Math.round(Math.min(longestMs, Math.max(50, pauseMs))),
    isSlow: tookMs > Math.max(slowRoundMs, everyMs) || silentRounds > 0
  }
}

/** Live reading of the views that are open. */
export function createLiveReader(limits: () => DiagnosisLimits) {
  const views = new Map<string, Set<AbortController>>()
  const silentRounds = new Map<string, number>()

  /** Runs `work` as a request of a view: closing the view aborts it. */
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
    /**
     * Reads operations once, in parallel. A failure appears in its reading; only CANCELLED (the view was closed) is
     * thrown.
     */
    async read(
      { key, device }: Pick<OpenedDevice, 'key' | 'device'>,
      { view, operations, everyMs }: LiveInput,
      signal: AbortSignal
    ): Promise<LiveResult> {
      const startedMs = performance.now()
      const read = await within(view, signal, (own) =>
        Promise.all(
          operations.map(
            async (operation) =>
              [operation, await readLive(device, operation, { signal: own, timeoutMs }, () => new Date())] as const
          )
        )
      )
      const tookMs = performance.now() - startedMs
      const isSilent = read.every(([, reading]) => reading.failure !== null)
      const silent = isSilent ? (silentRounds.get(key) ?? 0) + 1 : 0
      silentRounds.set(key, silent)
      const readings = Object.fromEntries(read)
      return {
        readings,
        facts: readFacts(readings, Date.now(), limits()),
        ...planNextRound({ tookMs, everyMs, silentRounds: silent })
      }
    },
    closeView(view: string): void {
      for (const abort of views.get(view) ?? []) abort.abort()
      views.delete(view)
    },
    stop(): void {
      for (const view of [...views.keys()]) this.closeView(view)
    }
  }
}
