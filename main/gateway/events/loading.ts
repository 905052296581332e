import { AppError } from '../../../preload/contract/errors.ts'
import { speedFactor } from '../client/decoders/fields.ts'
import type { EventSource } from './source.ts'
import type { EventTable } from './table.ts'

export interface Loading {
  source: EventSource
  vehicleId: number
  fromMs: number
  toMs: number
  fields: readonly string[]
  table: EventTable
  signal: AbortSignal
  /** After each window: everything since `coveredFromMs` is loaded. */
  loaded(progress: { coveredFromMs: number; calls: number }): void
}

const secondMs = 1_000
/** A person sees the newest first: the first window is short. */
const firstWindowMs = 2 * 3_600_000
const leastWindowMs = 60_000
const wantedEvents = 8_000
/** A longer period should be a background job at the gateway ("Limits"). */
export const longMs = 3 * 86_400_000
const mostGrowth = 6
/** A gateway that cannot answer shorter requests either counts as silent. */
const mostLate = 3
/** More than anyone reads; the newest of them are kept. */
export const mostEvents = 120_000

/** Loads a period in windows, newest first. `full`: older events are missing: too many, or unknown to the source. */
export async function loadEvents({
  source,
  vehicleId,
  fromMs: wantedFromMs,
  toMs,
  fields,
  table,
  signal,
  loaded
}: Loading): Promise<'whole' | 'full'> {
  // An unknown period is not a silence.
  const fromMs = Math.max(wantedFromMs, source.knownFromMs ?? wantedFromMs)
  let endMs = Math.floor(toMs / secondMs) * secondMs
  let windowMs = Math.min(firstWindowMs, endMs - fromMs + secondMs)
  let calls = 0
  let late = 0
  /** A window that was too long once is not requested again. */
  let mostMs = Infinity
  let broken = 0
  let isShown = false
  while (endMs >= fromMs) {
    const startMs = Math.max(fromMs, endMs - windowMs + secondMs)
    const spanMs = endMs - startMs + secondMs
    const read = await readWindow()
    if (read === 'again') continue
    if (!read) {
      windowMs = Math.max(leastWindowMs, spanMs / 4)
      mostMs = windowMs
      continue
    }
    calls += read.calls
    broken = 0
    late = 0
    isShown = true
    table.add(read.events, speedFactor({ speed: read.speedUnit }))
    loaded({ coveredFromMs: startMs, calls })
    if (table.size >= mostEvents && startMs > fromMs) return 'full'
    const fitting = read.events.length === 0 ? Infinity : (spanMs / read.events.length) * wantedEvents
    windowMs = Math.max(leastWindowMs, Math.min(fitting, spanMs * mostGrowth, mostMs))
    endMs = startMs - secondMs

    async function readWindow() {
      try {
        // A person waits for the first answer; later ones leave the last requests to persons and jobs.
        return await source.read(
          { vehicleId, fromMs: startMs, toMs: endMs, fields },
          { inBackground: spanMs > longMs, priority: isShown ? 'screen' : 'person', signal }
        )
      } catch (error) {
        const isTooMuch =
          error instanceof AppError &&
          (error.code === 'TIMEOUT' || error.sentence.id === 'gateway.tooLarge') &&
          !signal.aborted
        // A connection that breaks between windows is retried once.
        const isBroken =
          error instanceof AppError &&
          error.code === 'UNREACHABLE' &&
          error.retryable &&
          calls > 0 &&
          broken === 0 &&
          !signal.aborted
        if (isBroken) {
          broken += 1
          calls += 1
          return 'again' as const
        }
        late += 1
        if (!isTooMuch || spanMs <= leastWindowMs || late > mostLate) throw error
        calls += 1
        return undefined
      }
    }
  }
  return fromMs > wantedFromMs ? 'full' : 'whole'
}
