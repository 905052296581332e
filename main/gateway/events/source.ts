import type { CatalogueField } from '../client/events/eventReader.ts'
import type { Fields } from '../client/decoders/fields.ts'
import type { Priority } from '../client/transport/rateLimit.ts'

export interface EventWindow {
  vehicleId: number
  /** Both included, to the second. */
  fromMs: number
  toMs: number
  /** Only fields in the catalogue. */
  fields: readonly string[]
}

/** The source of events: the gateway, or a file. */
export interface EventSource {
  catalogue(signal: AbortSignal): Promise<CatalogueField[]>
  labels(signal: AbortSignal): Promise<Fields>
  nowMs(): Promise<number>
  /** The time from which on every event is known; omitted: from the beginning. */
  knownFromMs?: number
  /**
   * Every event of a period in any order. `inBackground`: too long for a direct answer. `priority`: a person's request.
   */
  read(
    window: EventWindow,
    options: { inBackground: boolean; priority: Priority; signal: AbortSignal }
  ): Promise<{ events: Fields[]; speedUnit: string | null; calls: number }>
}
