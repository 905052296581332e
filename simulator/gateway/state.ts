import { speakerOf, type SimulatedForm } from '../forms.ts'
import { createRandom } from '../random.ts'
import type { DeviceReport } from '../report.ts'

export type JsonRecord = Record<string, unknown>

export interface User {
  id: number
  username: string
  password: string
  first_name: string | null
  last_name: string | null
  phone: string | null
  is_superuser: boolean
  is_staff: boolean
  scopes: Record<string, 'r' | 'w'>
  groups: number[]
  prefs: JsonRecord
  lastLogin: number
  joined: number
}

export interface Session {
  token: string
  userId: number
  scheme: 'normal' | 'finite' | 'infinite'
  app: string | null
  origin: string
  scopesText: string
  /** Null: all groups and scopes of the user. */
  groups: number[] | null
  scopes: Record<string, 'r' | 'w'> | null
  lastUsedMs: number
  /** For `finite`. */
  endsMs: number | null
  expires: number
  isApplication: boolean
}

export interface Group {
  id: number
  name: string
}

export interface Vehicle {
  id: number
  name: string
  info: JsonRecord
  device: number | null
  groups: number[]
  /** Its devices over time; the last one without `end` is the present one. */
  deviceHistory: { imei: number; startMs: number; endMs: number | null }[]
}

export interface Asset {
  id: number
  name: string
  type: string
  info: JsonRecord
  ibuttons: string[]
  groups: number[]
  device: number | null
  counters: JsonRecord | null
}

export interface Link {
  primary: number
  secondary: number
  startMs: number
  endMs: number | null
  userId: number
}

export interface Sim {
  id: number
  iccid: string
  line_number: string
  imei: number | null
}

export interface Device {
  imei: number
  model: string
  iccid: string
  lastReportMs: number | null
  reportCount: number
  latest: JsonRecord | null
  io: Record<string, boolean | null>
  ioEpoch: number
  /** The newest visible report, for engine bus state and counters. */
  report: DeviceReport | null
  /** Commands that wait for the device to come online. */
  waitingOutputs: { out: 1 | 2 | 3 | 4; state: boolean }[]
}

/** An event in base units: m/s, metres, seconds, litres, Celsius. */
export interface RawEvent {
  id: number
  vid: number
  imei: number
  deviceTimeMs: number
  systemTimeMs: number
  /** 0..999, the digits below the millisecond. */
  systemMicros: number
  visibleMs: number
  fields: JsonRecord
}

export interface OutputLogItem {
  imei: number
  state: boolean
  otype: string
  out: number
  user: string
  time: number
}

export interface Photo {
  id: number
  imei: number
  vid: number
  source: number
  requestedMs: number
  readyMs: number
  eventId: number
  /** Base64 JPEG. */
  picture: string
  failsWith: number | null
}

export interface NavMessage {
  id: number
  msg: string
  type: string
  user: string
  time: number
  imei: number
  isread: boolean
  deleted: boolean
  update_time: number
}

export interface NavUnit {
  mode: number
  pending: number
  messages: NavMessage[]
  jobs: { id: number; message: string; flat: number; flon: number; time: number }[]
}

export interface UserCounter {
  id: number
  vid: number
  counter: string
  description: string
  set_at: number
  value: number
  offset: number
}

export interface AsyncJob {
  id: number
  user_id: number
  app: string | null
  params: JsonRecord
  readyMs: number
  format: string
  text: string
}

export interface ReportJob extends JsonRecord {
  id: number
  state: 'created' | 'running' | 'error' | 'done'
  owner: number
}

export interface Receiver {
  token: string
  origin: string
  app: string
  app_scheme: string
  scheme: 'infinite'
  owner: number
  items: JsonRecord[]
}

export interface StoredRecord extends JsonRecord {
  id: number
  owner: number
}

/** All data of the gateway. Tests may read it; changing it simulates support staff. */
export type GatewayState = ReturnType<typeof createState>

/** A state without any record. */
export function createState(seed: number, form: SimulatedForm = 'document') {
  const counters = new Map<string, number>()
  return {
    seed,
    form,
    speaks: speakerOf(form, seed),
    users: [] as User[],
    sessions: [] as Session[],
    receivers: [] as Receiver[],
    groups: [] as Group[],
    vehicles: [] as Vehicle[],
    assets: [] as Asset[],
    links: [] as Link[],
    devices: [] as Device[],
    sims: [] as Sim[],
    ibuttons: [] as { id: string; entity: number }[],
    btTags: [] as { mac: string; asset_id: number; atMs: number }[],
    events: [] as RawEvent[],
    outputLog: [] as OutputLogItem[],
    photos: [] as Photo[],
    navUnits: new Map<number, NavUnit>(),
    /**
     * Keyed `<vehicle id> <counter>`: the offset to the raw value, and the offset before, until the next report of the
     * device.
     */
    counterOffsets: new Map<string, { value: number; base: number; afterReports: number }>(),
    userCounters: [] as UserCounter[],
    jobs: [] as AsyncJob[],
    geofences: [] as StoredRecord[],
    routes: [] as (StoredRecord & { primary_id: number })[],
    triggers: [] as StoredRecord[],
    tasks: [] as StoredRecord[],
    reportJobs: [] as ReportJob[],
    /** Applied effects, counted for tests: one entry per write that changed something. */
    effects: [] as { at: string; operation: string; user: string; detail: JsonRecord }[],
    nextId(kind: string): number {
      const next = (counters.get(kind) ?? 0) + 1
      counters.set(kind, next)
      return next
    },
    random: createRandom(seed),
    /** Where the document does not show a shape, the seed chooses one. */
    shape: (name: string, count: number): number => chooseShape(seed, name, count)
  }
}

/** A stable choice 0..count-1 for a name and a seed. */
function chooseShape(seed: number, name: string, count: number): number {
  let hash = 2166136261 ^ seed
  for (const letter of name) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619)
  return (hash >>> 8) % count
}
