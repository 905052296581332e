import type { Json } from '../../../preload/contract/define.ts'
import type { Applications, GpsPosition, HotspotState, IoState, ModemConfiguration, ModemInformation, OsUpdate, OutputLine, Reading, SystemInfo, WifiState } from '../../../preload/contract/device/deviceAreas.ts'
import type { EntityChoice } from '../../../preload/contract/gateway/gateway.ts'
import type { Job, JobSnapshot, JobState, JobSummary } from '../../../preload/contract/jobs/jobs.ts'
import type { EcuEntry } from '../../../preload/contract/device/workspace.ts'
import type { Message } from '../../../preload/contract/messages.ts'
import type { Operations } from '../../operations/engine.ts'
import type { CopiedRecord } from '../../operations/kinds/fromCopy.ts'
import type { PhotoAnswer, PhotoInput } from '../../photos/preparePhoto.ts'
import type { JobPage, JobPageRequest } from '../../store/jobs/jobPages.ts'
import type { Lost } from '../../store/jobs/jobs.ts'
import type { JournalEntry } from '../../store/jobs/seal.ts'
import type { AccessoryPort } from './accessoryPort.ts'

/** What a job needs of the device beside it. The device client fits as it is. */
export interface DevicePort {
  gps: { position(options?: CallOptions): Promise<Reading<GpsPosition>> }
  io: {
    all(options?: CallOptions): Promise<Reading<IoState>>
    setOutput(input: { out: OutputLine; state: boolean }, options?: CallOptions): Promise<Reading<unknown>>
  }
  modem: {
    information(options?: CallOptions): Promise<Reading<ModemInformation>>
    configuration(options?: CallOptions): Promise<Reading<ModemConfiguration>>
    /** User, password and PIN are secrets. */
    editApn(input: { apn: string; user: string; pass: string; pin: string }, options?: CallOptions): Promise<Reading<unknown>>
  }
  system: { info(options?: CallOptions): Promise<Reading<SystemInfo>> }
  wifi: { state(options?: CallOptions): Promise<Reading<WifiState>> }
  hotspot: { state(options?: CallOptions): Promise<Reading<HotspotState>> }
  updates: { osCheck(options?: CallOptions): Promise<Reading<OsUpdate>> }
  apps: { list(options?: CallOptions): Promise<Reading<Applications>> }
  ecu: { addParameter(input: EcuEntry, options?: CallOptions): Promise<Reading<unknown>> }
  accel: { autoAlignment(input: { state: boolean }, options?: CallOptions): Promise<Reading<unknown>> }
}

export interface CallOptions {
  signal?: AbortSignal
  timeoutMs?: number
}

/** The newest that the gateway has of a device. Times are the gateway's. */
export interface GatewayEvent {
  eventAtMs: number
  /** Seconds between the event and now, by the gateway's clock. */
  ageS: number
  /** Seconds between the event and its processing at the gateway. */
  delayS: number | null
  latitude: number | null
  longitude: number | null
  isPositionValid: boolean | null
  raw: Json
}

/** Inputs and outputs as the gateway shows them; only what it exposes is there. */
export interface GatewayLines {
  values: Map<string, boolean>
  /** When the gateway last heard them, by its clock; null when it does not say. */
  atMs: number | null
  /** Seconds since then. */
  ageS: number | null
  raw: Json
}

/** The gateway's record of a device. */
export interface DeviceRecord {
  /** Which device the record says that it is of; null when it does not say. */
  imei: string | null
  simIds: string[]
  raw: Json
}

/** One value of the engine bus, scaled where the description of its parameter states a divisor. */
export interface BusValue {
  /** Without `ecu_` before it, in lower case. */
  name: string
  /** Only with T is the value valid. */
  flag: 'B' | 'D' | 'F' | 'O' | 'T' | 'U'
  meaning: Message
  value: number | string | boolean | null
}

/** The engine bus as the gateway has it. Null: it does not say, or not in a form that can be read. */
export interface EngineBusAtGateway {
  isDetected: boolean | null
  isEngineOn: boolean | null
  isUpgrading: boolean | null
  /** Why it cannot be read whether the bus is detected. */
  problem: Message | null
  parameters: { name: string; description: string }[]
  /** How long ago this device was heard at all, by the gateway's clock; null where it was not. */
  heardAgeS: number | null
  /** Events of this device with values of the bus, oldest first; ages by the gateway's clock. */
  events: { atMs: number; ageS: number; values: BusValue[] }[]
  raw: Json
}

/** What a text that a person gave means at the gateway; what is only similar is never taken without asking. */
export type ExactEntity = { kind: 'one'; entity: EntityChoice } | { kind: 'none' | 'several' | 'notAllSeen'; similar: EntityChoice[] }

/** The same of the copy, with its age. */
export type CopiedEntity = ExactEntity & { copiedAt: string | null }

/** An event as a drive is judged by it; times by the device's clock. */
export interface RoadEvent {
  eventAtMs: number
  /** When the gateway had it, by the gateway's clock. */
  arrivedAtMs: number | null
  /** Which device sent it; null when it does not say. */
  imei: string | null
  type: number | null
  delayS: number | null
  latitude: number | null
  longitude: number | null
  isPositionValid: boolean | null
  speedKmh: number | null
  raw: Json
}

/** How far the gateway has a vehicle driven, and from when until when that is counted; null where it does not say. */
export interface GatewayDistance {
  distanceM: number | null
  fromMs: number | null
  untilMs: number | null
  raw: Json
}

/** Which device the gateway has in a vehicle, and which it had there. */
export interface Fitting {
  now: { kind: 'device'; imei: string } | { kind: 'none' } | { kind: 'unreadable' }
  /** The newest first; without an end it is still there, or the history does not say. */
  stays: { imei: string; fromMs: number | null; untilMs: number | null }[]
  isHistoryKnown: boolean
  raw: Json
}

/** What a drive and an exchange of devices leave at the gateway. */
export interface RoadGateway {
  /** Every event between two times, oldest first; of the vehicle, whichever device sent it, or without one of the device. */
  readEvents(
    request: { vehicleId: number | null; imei: string; fromMs: number; untilMs: number },
    signal: AbortSignal
  ): Promise<{ events: RoadEvent[]; isWhole: boolean }>
  readTrips(request: { vehicleId: number; fromMs: number; untilMs: number }, signal: AbortSignal): Promise<GatewayDistance | null>
  readDistance(request: { vehicleId: number; fromMs: number; untilMs: number }, signal: AbortSignal): Promise<GatewayDistance | null>
  readFitting(vehicleId: number, signal: AbortSignal): Promise<Fitting | null>
  /** Counters of the vehicle by name, metres and seconds; null when the gateway does not show them. */
  readCounters(vehicleId: number, signal: AbortSignal): Promise<{ values: Record<string, number>; raw: Json } | null>
  /** As the last event of another device had them. */
  readCountersOf(request: { vehicleId: number; imei: string; untilMs: number }, signal: AbortSignal): Promise<{ values: Record<string, number>; raw: Json } | null>
}

/** What a job asks of the gateway. Every call throws AppError when the gateway cannot be asked. */
export interface GatewayPort {
  /** Null when the gateway does not show the device: not found or not permitted. */
  findDevice(imei: string, signal: AbortSignal): Promise<DeviceRecord | null>
  findSim(iccid: string, signal: AbortSignal): Promise<{ raw: Json } | null>
  readLines(imei: string, signal: AbortSignal): Promise<GatewayLines | null>
  /** The newest few, newest first; of the last 30 minutes, or between `sinceMs` and `untilMs`. */
  readEvents(request: { imei: string; vehicleId: number | null; sinceMs?: number; untilMs?: number }, signal: AbortSignal): Promise<GatewayEvent[]>
  findVehicleOfDevice(imei: string, signal: AbortSignal): Promise<EntityChoice | null>
  /** Null where the gateway shows this device in no vehicle. */
  readEngineBus(request: { imei: string; sinceMs: number }, signal: AbortSignal): Promise<EngineBusAtGateway | null>
  /** The gateway's clock less this computer's, in seconds; null when it does not say. */
  readClock(signal: AbortSignal): Promise<{ aheadS: number | null }>
  /** What a text means: one record, or a question. */
  findExact(kind: 'vehicle' | 'asset', text: string, signal: AbortSignal): Promise<ExactEntity>
  /** What a text means in the copy on this computer, for when the gateway is away; undefined where nothing is kept. */
  findCopied(kind: 'vehicle' | 'asset', text: string): Promise<CopiedEntity | undefined>
  /** The record of this id now; null when the gateway does not show it. */
  readRecord(kind: 'vehicle' | 'asset', id: number, signal: AbortSignal): Promise<EntityChoice | null>
  readonly road: RoadGateway
  /** What hangs on the device, as its events tell of it. */
  accessories: AccessoryPort
}

/** Gateway work that waits, as a link step needs it. */
export interface OperationsPort {
  addLink(link: {
    jobId: string
    primary: { id: number | null; text: string }
    secondary: { id: number | null; text: string }
    /** Those of them that come from the copy. */
    copied?: CopiedRecord[]
  }): { id: string }
  /** Registers a key for somebody. */
  addKey(key: { jobId: string; id: string; assetId: number | null; assetName: string; copied?: CopiedRecord[] }): { id: string }
  /** Sets a counter of the vehicle, named by text only while the gateway is out of reach. It is applied with the device's next report. */
  addCounter(counter: { jobId: string; vid: number | null; vehicle: string; counter: string; unit: 'm' | 's'; value: number; copied?: CopiedRecord[] }): { id: string }
  sendNow: Operations['sendNow']
  endLive: Operations['endLive']
  /** Resolves when the operation is settled, needs a person, or `signal` fires. */
  settled(id: string, signal: AbortSignal): Promise<{ state: string; reason: string | Message; evidence: { at: string; what: string | Message; raw: Json }[] }>
  ofJob(jobId: string): { id: string; kind: string; state: string; reason: string | Message }[]
}

/** Where pictures are kept. The store fits as it is. */
export interface AttachmentPort {
  write(bytes: Uint8Array): Promise<{ sha256: string; sizeBytes: number }>
  keep(attachment: { jobId: string; file: { sha256: string; sizeBytes: number }; mediaType: string; at: string }): string
  facts(sha256: string): { mediaType: string; sizeBytes: number } | undefined
  piece(sha256: string, number: number): Uint8Array | undefined
}

/** What judges and shrinks pictures, in a thread of its own. */
export interface PhotoPort {
  prepare(input: PhotoInput): Promise<PhotoAnswer>
}

/** Reads a whole device beside its job, and keeps what it read. */
export interface SnapshotPort {
  /** Throws AppError when nothing could be read, or another device answers. */
  makeForJob(
    wish: { cause: 'jobStart' | 'signOff'; jobId: string; device: { imei: string; model: string; address: string }; vehicle: { id: number | null; name: string } | null },
    signal: AbortSignal
  ): Promise<MadeSnapshotFacts & { keep(): void }>
  /** Remembers, also over a crash, that one is being made. */
  begin(begun: BegunSnapshot): void
  end(jobId: string, cause: JobSnapshot['cause']): void
  /** Those that were begun and did not end. */
  begun(): BegunSnapshot[]
  /** Those of a job that are kept, oldest first. */
  kept(jobId: string, cause: JobSnapshot['cause']): MadeSnapshotFacts[]
}

export type MadeSnapshotFacts = Omit<JobSnapshot, 'cause' | 'why' | 'sha256'> & { sha256: string }

export interface BegunSnapshot {
  jobId: string
  cause: JobSnapshot['cause']
  /** How many entries with this cause the log of the job had then. */
  told: number
  at: string
}

/** Jobs that somebody prepared: one is taken, and said to be begun once its job is there. */
export interface PreparedPort {
  /** Throws AppError NOT_FOUND, or CONFLICT where it cannot be begun any more. */
  take(id: string): NonNullable<Job['prepared']>
  begun(id: string, jobId: string): void
}

/** Jobs whose logs were found not to be whole. */
export interface DamagedJobsPort {
  all(): Map<string, { entry: number | null; readable: number; message: Message }>
  keep(jobId: string, damage: { entry: number | null; readable: number; message: Message }): void
}

export interface JobLog {
  append(
    jobId: string,
    entries: { type: string; stepId: string | null; data: Json; at: string }[],
    summarise: (added: JournalEntry[]) => JobSummary
  ): JournalEntry[]
  /** Somebody else has taken it over: from now on its log takes nothing here. */
  lose(jobId: string, lost: Lost, summary: JobSummary): void
  lostOf(jobId: string): Lost | undefined
  journal(jobId: string): JournalEntry[]
  /** What can be read of a log, and which entries cannot. */
  readable(jobId: string): { entries: JournalEntry[]; unreadable: number[] }
  page(request: JobPageRequest): JobPage
  /** Newest first, read as it is walked. */
  inState(...states: JobState[]): Iterable<JobSummary>
  /** Jobs on this device that take more work: not signed off, not cancelled. Newest first. */
  openOfDevice(imei: string): JobSummary[]
}
