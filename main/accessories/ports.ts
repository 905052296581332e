import type { AccessoryView, PhotoView, TagReading } from '../../preload/contract/gateway/accessories.ts'
import type { Json } from '../../preload/contract/define.ts'
import type { Message } from '../../preload/contract/messages.ts'
import type { PhotoEventView } from '../../preload/contract/gateway/photos.ts'
import type { OutputLogEntry } from '../../preload/contract/gateway/remoteOutputs.ts'
import type { Operations } from '../operations/engine.ts'
import type { LineState } from '../../preload/contract/gateway/accessories.ts'
import type { NavMessage } from '../../preload/contract/gateway/navUnit.ts'

export type EventFields = Readonly<Record<string, unknown>>

/** What the accessory work needs from the gateway; times are by its clock. */
export interface AccessoryGateway {
  nowMs(): Promise<number>
  readEvents(vehicleId: number, wanted: (name: string) => boolean, range: { sinceMs: number; tail: number }, signal: AbortSignal): Promise<EventFields[]>
  /** When an event happened, epoch ms. */
  eventMs(event: EventFields): number | undefined
  readTags(vehicleId: number, sinceMs: number, signal: AbortSignal): Promise<TagReading[]>
  readView(vehicleId: number, signal: AbortSignal): Promise<AccessoryView>
  deviceOf(vehicleId: number, signal: AbortSignal): Promise<string | null>
  readLines(imei: string, signal: AbortSignal): Promise<{ lines: LineState[]; isExpanderConnected: boolean | null; at: string | null }>
  /**
   * Whether the vehicle's association history has the asset since then, and later than `afterMs`; `sure` when the history
   * was readable.
   */
  findLink(vehicleId: number, assetId: number, request: { sinceMs: number; afterMs?: number | undefined; wording: 1 | 2; signal: AbortSignal }): Promise<{ found: boolean; sure: boolean; raw: Json }>
  photos: {
    capture(vehicleId: number, signal: AbortSignal): Promise<{ message: string; deviceIsOnline: boolean | null; raw: Json }>
    last(vehicleId: number, signal: AbortSignal): Promise<{ photos: PhotoView[]; event: PhotoEventView | null }>
  }
  commands: {
    setOutput(vehicleId: number, command: { otype: string; out: number; state: boolean }, signal: AbortSignal): Promise<{ message: string; deviceIsOnline: boolean | null; raw: Json }>
    outputLog(vehicleId: number, signal: AbortSignal): Promise<OutputLogEntry[]>
    userName(): Promise<string | null>
    navState(vehicleId: number, signal: AbortSignal): Promise<{ isOnline: boolean | null; pending: number | null; readAt: string }>
    setNavMode(vehicleId: number, on: boolean, signal: AbortSignal): Promise<void>
    navMessages(vehicleId: number, from: string, signal: AbortSignal): Promise<{ messages: NavMessage[]; total: number | null }>
    sendNavMessage(vehicleId: number, message: { mtype: 'inbox' | 'screen'; message: string }, signal: AbortSignal): Promise<SentCommand>
    sendNavJob(vehicleId: number, job: { message: string; flat: number; flon: number }, signal: AbortSignal): Promise<SentCommand>
  }
}

/** Live writes: the intent is on the disk first, and the result afterwards. */
export type LiveWrites = Pick<Operations, 'sendNow' | 'endLive'>

export interface SentCommand {
  message: string
  deviceIsOnline: boolean | null
  id: number | null
}

/** What accessories need from jobs. */
export interface JobLog {
  /** The open job of a device; null without one. */
  jobOf(imei: string): string | null
  attach(jobId: string, stepId: null, photo: CameraPhoto): Promise<{ outcome: 'kept'; attachment: { sha256: string } } | { outcome: 'refused'; reason: Message }>
}

/** A picture of a vehicle's camera, with the gateway's data about it. */
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
