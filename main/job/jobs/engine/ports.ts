import type { Json } from '../../../../preload/contract/define.ts'
import type { EntityChoice } from '../../../../preload/contract/gateway/gateway.ts'
import type { Job, JobSnapshot } from '../../../../preload/contract/job/jobs.ts'
import type { Message } from '../../../../preload/contract/messages.ts'
import type { DeviceClient } from '../../../device/client/client.ts'
import type { Operations } from '../../../gateway/waitingWork/engine.ts'
import type { CopiedRecord } from '../../../gateway/waitingWork/kinds/fromCopy.ts'
import type { PhotoAnswer, PhotoInput } from '../../photos/preparePhoto.ts'
import type { AttachmentStore } from '../../../data/store/jobs/attachments.ts'
import type { JobStore } from '../../../data/store/jobs/jobs.ts'
import type { BegunSnapshot } from '../../../data/store/jobs/snapshots.ts'
import type { AccessoryPort } from './accessoryPort.ts'

export interface DevicePort {
  gps: DeviceClient['gps']
  io: Pick<DeviceClient['io'], 'all' | 'setOutput'>
  modem: Pick<DeviceClient['modem'], 'information' | 'configuration' | 'editApn'>
  system: Pick<DeviceClient['system'], 'info'>
  wifi: Pick<DeviceClient['wifi'], 'state'>
  hotspot: Pick<DeviceClient['hotspot'], 'state'>
  updates: DeviceClient['updates']
  apps: Pick<DeviceClient['apps'], 'list'>
  ecu: Pick<DeviceClient['ecu'], 'addParameter'>
  accel: Pick<DeviceClient['accel'], 'autoAlignment'>
}

/** The newest event of a device at the gateway. Times are the gateway's. */
export interface GatewayEvent {
  eventAtMs: number
  /** Seconds between the event and now, by the gateway's clock. */
  ageS: number
  /** Seconds between the event and its processing at the gateway. */
  delayS: number | null
  /** As documented ("Rawdata event"); null where the gateway does not say. */
  type: number | null
  label: string | null
  latitude: number | null
  longitude: number | null
  isPositionValid: boolean | null
  raw: Json
}

/** The newest few events of the last 30 minutes, or between two times by the date of the event. */
export interface EventsRequest {
  imei: string
  vehicleId: number | null
  sinceMs?: number
  untilMs?: number
  /** The newest by their arrival, not by their date. */
  by?: 'arrival'
  /** Without the events that prove a connection alone. */
  isOfReceiver?: boolean
}

/** Inputs and outputs at the gateway; only those that it exposes. */
export interface GatewayLines {
  values: Map<string, boolean>
  /** When the gateway last received them, by its clock; null when unknown. */
  atMs: number | null
  /** Seconds since then. */
  ageS: number | null
  raw: Json
}

export interface DeviceRecord {
  /** The device that the record names; null when it names none. */
  imei: string | null
  simIds: string[]
  raw: Json
}

/** One engine-bus value, scaled if the description of its parameter states a divisor. */
export interface BusValue {
  /** Without the prefix `ecu_`, in lower case. */
  name: string
  /** The value is valid only with T. */
  flag: 'B' | 'D' | 'F' | 'O' | 'T' | 'U'
  meaning: Message
  value: number | string | boolean | null
}

/** The engine bus at the gateway. Null: not reported, or unreadable. */
export interface EngineBusAtGateway {
  isDetected: boolean | null
  isEngineOn: boolean | null
  isUpgrading: boolean | null
  /** Why `detected` cannot be read. */
  problem: Message | null
  parameters: { name: string; description: string }[]
  /** The time since the gateway last received anything from this device, by its clock; null when it never did. */
  heardAgeS: number | null
  /** Events of this device with bus values, oldest first; ages by the gateway's clock. */
  events: { atMs: number; ageS: number; values: BusValue[] }[]
  raw: Json
}

/** The record for a person's text; a similar one is never chosen without asking. */
export type ExactEntity =
  { kind: 'one'; entity: EntityChoice } | { kind: 'none' | 'several' | 'notAllSeen'; similar: EntityChoice[] }

/** The same from the local copy, with its age. */
export type CopiedEntity = ExactEntity & { copiedAt: string | null }

/** An event for judging a drive; times by the device's clock. */
export interface RoadEvent {
  eventAtMs: number
  /** Its arrival, by the gateway's clock. */
  arrivedAtMs: number | null
  /** The device that sent it; null when it names none. */
  imei: string | null
  type: number | null
  delayS: number | null
  latitude: number | null
  longitude: number | null
  isPositionValid: boolean | null
  speedKmh: number | null
  raw: Json
}

/** The distance of a vehicle at the gateway, and its period; null when not reported. */
export interface GatewayDistance {
  distanceM: number | null
  fromMs: number | null
  untilMs: number | null
  raw: Json
}

export interface Fitting {
  now: { kind: 'device'; imei: string } | { kind: 'none' } | { kind: 'unreadable' }
  /** Newest first; without an end it is still there, or the history does not say. */
  stays: { imei: string; fromMs: number | null; untilMs: number | null }[]
  isHistoryKnown: boolean
  raw: Json
}

/** The traces of a drive and of a device exchange at the gateway. */
export interface RoadGateway {
  /** Every event between two times, oldest first: of the vehicle, or of the device if there is no vehicle. */
  readEvents(
    request: { vehicleId: number | null; imei: string; fromMs: number; untilMs: number },
    signal: AbortSignal
  ): Promise<{ events: RoadEvent[]; isWhole: boolean }>
  readTrips(
    request: { vehicleId: number; fromMs: number; untilMs: number },
    signal: AbortSignal
  ): Promise<GatewayDistance | null>
  readDistance(
    request: { vehicleId: number; fromMs: number; untilMs: number },
    signal: AbortSignal
  ): Promise<GatewayDistance | null>
  readFitting(vehicleId: number, signal: AbortSignal): Promise<Fitting | null>
  /** Counters of the vehicle by name, metres and seconds; null when the gateway does not show them. */
  readCounters(vehicleId: number, signal: AbortSignal): Promise<{ values: Record<string, number>; raw: Json } | null>
  /** As in the last event of another device. */
  readCountersOf(
    request: { vehicleId: number; imei: string; untilMs: number },
    signal: AbortSignal
  ): Promise<{ values: Record<string, number>; raw: Json } | null>
}

/** The gateway requests of a job. Every call throws AppError when the gateway cannot be asked. */
export interface GatewayPort {
  /** Null when the gateway does not show the device: not found or not permitted. */
  findDevice(imei: string, signal: AbortSignal): Promise<DeviceRecord | null>
  findSim(iccid: string, signal: AbortSignal): Promise<{ raw: Json } | null>
  readLines(imei: string, signal: AbortSignal): Promise<GatewayLines | null>
  /** Newest first. */
  readEvents(request: EventsRequest, signal: AbortSignal): Promise<GatewayEvent[]>
  findVehicleOfDevice(imei: string, signal: AbortSignal): Promise<EntityChoice | null>
  /** Null when the gateway shows this device in no vehicle. */
  readEngineBus(request: { imei: string; sinceMs: number }, signal: AbortSignal): Promise<EngineBusAtGateway | null>
  /** The gateway's clock minus this computer's, in seconds; null when unknown. */
  readClock(signal: AbortSignal): Promise<{ aheadS: number | null }>
  findExact(kind: 'vehicle' | 'asset', text: string, signal: AbortSignal): Promise<ExactEntity>
  /** The record for a text in the local copy, for offline work; undefined without a copy. */
  findCopied(kind: 'vehicle' | 'asset', text: string): Promise<CopiedEntity | undefined>
  /** The current record with this id; null when the gateway does not show it. */
  readRecord(kind: 'vehicle' | 'asset', id: number, signal: AbortSignal): Promise<EntityChoice | null>
  readonly road: RoadGateway
  accessories: AccessoryPort
}

/** Waiting gateway work, as a link step needs it. */
export interface OperationsPort {
  addLink(link: {
    jobId: string
    primary: { id: number | null; text: string }
    secondary: { id: number | null; text: string }
    copied?: CopiedRecord[]
  }): { id: string }
  addKey(key: { jobId: string; id: string; assetId: number | null; assetName: string; copied?: CopiedRecord[] }): {
    id: string
  }
  /**
   * Sets a counter with the device's next report; the vehicle is named by text only while the gateway cannot be
   * reached.
   */
  addCounter(counter: {
    jobId: string
    vid: number | null
    vehicle: string
    counter: string
    unit: 'm' | 's'
    value: number
    copied?: CopiedRecord[]
  }): { id: string }
  sendNow: Operations['sendNow']
  endLive: Operations['endLive']
  /** Resolves when the operation is settled, needs a person, or `signal` fires. */
  settled(
    id: string,
    signal: AbortSignal
  ): Promise<{ state: string; reason: string | Message; evidence: { at: string; what: string | Message; raw: Json }[] }>
  ofJob(jobId: string): { id: string; kind: string; state: string; reason: string | Message }[]
}

export type AttachmentPort = Pick<AttachmentStore, 'write' | 'keep' | 'facts' | 'piece'>

export interface PhotoPort {
  prepare(input: PhotoInput): Promise<PhotoAnswer>
}

export interface SnapshotPort {
  /** Throws AppError when nothing could be read, or a different device answers. */
  makeForJob(
    wish: {
      cause: 'jobStart' | 'signOff'
      jobId: string
      device: { imei: string; model: string; address: string }
      vehicle: { id: number | null; name: string } | null
    },
    signal: AbortSignal
  ): Promise<MadeSnapshotFacts & { keep(): void }>
  /** Records, also across a crash, that one is being made. */
  begin(begun: BegunSnapshot): void
  end(jobId: string, cause: JobSnapshot['cause']): void
  /** Those that were started and did not end. */
  begun(): BegunSnapshot[]
  /** The stored ones of a job, oldest first. */
  kept(jobId: string, cause: JobSnapshot['cause']): MadeSnapshotFacts[]
}

export type MadeSnapshotFacts = Omit<JobSnapshot, 'cause' | 'why' | 'sha256'> & { sha256: string }

export interface PreparedPort {
  /** Throws AppError NOT_FOUND, or CONFLICT when it can no longer be started. */
  take(id: string): NonNullable<Job['prepared']>
  begun(id: string, jobId: string): void
}

export type JobLog = Pick<
  JobStore,
  'append' | 'lose' | 'lostOf' | 'journal' | 'readable' | 'page' | 'inState' | 'runningWith' | 'openOfDevice'
>
