import type { Json } from '../../../preload/contract/define.ts'
import type { LineChange } from '../../../preload/contract/lines.ts'
import type { Message } from '../../../preload/contract/messages.ts'
import type { LiveReading } from '../../../preload/contract/workspace.ts'

interface Kept<T> {
  value: T
  /** On the clock of this computer. */
  readAt: string
}
type KeptOrNot<T> = Kept<T> | null

/** An event of the gateway as far as facts need it; ages are by the gateway's clock when it was read. */
export interface FactEvent {
  eventAtMs: number
  ageS: number
  delayS: number | null
  latitude: number | null
  longitude: number | null
  isPositionValid: boolean | null
  raw: Json
}

/** What facts are made of: as much of the evidence as they need. */
export interface FactEvidence {
  at: string
  imei: string | null
  device: {
    state: string
    why: Message | null
    readings: Partial<Record<string, LiveReading>>
    lately: { lines: readonly { name: string; changes: readonly LineChange[] }[] } | null
  } | null
  gateway: {
    state: string
    why: Message | null
    aheadS: number | null
    vehicle: KeptOrNot<{ imei: string | null } | null>
    record: KeptOrNot<{ imei: string | null; simIds: readonly string[] } | null>
    sim: KeptOrNot<unknown>
    lines: KeptOrNot<{ values: Readonly<Record<string, boolean>>; ageS: number | null } | null>
    engineBus: KeptOrNot<{ isDetected: boolean | null; heardAgeS: number | null; problem: Message | null } | null>
    distanceM: KeptOrNot<number | null>
    events: KeptOrNot<readonly FactEvent[]>
  } | null
}
