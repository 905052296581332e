import type { AccessoryView, TagReading, LineState } from '../../../preload/contract/gateway/accessories.ts'
import type { Json } from '../../../preload/contract/define.ts'
import type { Message } from '../../../preload/contract/messages.ts'
import type { createPhotoReader } from '../../gateway/client/accessories/photoReader.ts'
import type { createRemoteCommands } from '../../gateway/client/accessories/remoteCommands.ts'
import type { Operations } from '../../gateway/waitingWork/engine.ts'

export type EventFields = Readonly<Record<string, unknown>>

/** What the accessory work needs from the gateway; times are by its clock. */
export interface AccessoryGateway {
  nowMs(): Promise<number>
  readEvents(
    vehicleId: number,
    wanted: (name: string) => boolean,
    range: { sinceMs: number; tail: number },
    signal: AbortSignal
  ): Promise<EventFields[]>
  /** When an event happened, epoch ms. */
  eventMs(event: EventFields): number | undefined
  readTags(vehicleId: number, sinceMs: number, signal: AbortSignal): Promise<TagReading[]>
  readView(vehicleId: number, signal: AbortSignal): Promise<AccessoryView>
  deviceOf(vehicleId: number, signal: AbortSignal): Promise<string | null>
  readLines(
    imei: string,
    signal: AbortSignal
  ): Promise<{ lines: LineState[]; isExpanderConnected: boolean | null; at: string | null }>
  /** Whether the history has the asset since then, and later than `afterMs`; `sure` when the history was readable. */
  findLink(
    vehicleId: number,
    assetId: number,
    request: { sinceMs: number; afterMs?: number | undefined; wording: 1 | 2; signal: AbortSignal }
  ): Promise<{ found: boolean; sure: boolean; raw: Json }>
  photos: ReturnType<typeof createPhotoReader>
  commands: ReturnType<typeof createRemoteCommands>
}

/** Live writes: the intent is on the disk first, and the result afterwards. */
export type LiveWrites = Pick<Operations, 'sendNow' | 'endLive'>

export interface SentCommand {
  message: string
  deviceIsOnline: boolean | null
  id: number | null
}

export interface JobLog {
  /** The open job of a device; null without one. */
  jobOf(imei: string): string | null
  attach(
    jobId: string,
    stepId: null,
    photo: CameraPhoto
  ): Promise<{ outcome: 'kept'; attachment: { sha256: string } } | { outcome: 'refused'; reason: Message }>
}

export interface CameraPhoto {
  bytes: Uint8Array
  purpose: 'cameraView'
  source: 'vehicleCamera'
  takenAt: string | null
  latitude: number | null
  longitude: number | null
  placeSource: 'gateway'
}

/** Logs what is sent: the intent before the first byte, then the result. */
export interface CommandLog {
  begin(write: { imei: string; operation: string; input: Json }): number
  end(id: number, outcome: 'done' | 'unknown' | 'refused', detail: string, answer: Json): void
}
