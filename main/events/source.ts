import type { CatalogueField } from '../gateway/events/eventReader.ts'
import type { Fields } from '../gateway/decoders/fields.ts'
import type { Priority } from '../gateway/transport/rateLimit.ts'

export interface EventWindow {
  vehicleId: number
  /** Both included, to the second. */
  fromMs: number
  toMs: number
  /** Only fields that the catalogue knows. */
  fields: readonly string[]
}

/** Where events come from: the gateway, or a file that was made of what it had told. */
export interface EventSource {
  catalogue(signal: AbortSignal): Promise<CatalogueField[]>
  labels(signal: AbortSignal): Promise<Fields>
  /** The clock that `fromMs` and `toMs` are read on. */
  nowMs(): Promise<number>
  /** From when on every event is known; left out: from the beginning. */
  knownFromMs?: number
  /**
   * Every event of a stretch of time in any order. `inBackground`: the stretch is too long to be answered at once.
   * `priority`: what a person asked for, or what a screen goes on to load.
   */
  read(window: EventWindow, options: { inBackground: boolean; priority: Priority; signal: AbortSignal }): Promise<{ events: Fields[]; speedUnit: string | null; calls: number }>
}
