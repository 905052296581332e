import { z } from 'zod'

/**
 * The records of the gateway API document ("Resources and their fields"). Loose: other fields are kept, but nothing
 * relies on them. Every field may be missing, except what identifies a record.
 */

const record = z.record(z.string(), z.unknown())
const numberOrNull = z.number().nullable()
const textOrNull = z.string().nullable()

/** `GET {base_url}`. `live-url` in the earlier revision, `live_url` in the later one. */
export const versionRecord = z.looseObject({
  date: z.string().optional(),
  'live-url': z.string().optional(),
  live_url: z.string().optional(),
  tag: z.string().optional(),
  name: z.string().optional(),
  domain: z.string().optional(),
  gateway_id: z.number().optional(),
  _deprecated: z.array(z.string()).optional()
})
export type VersionRecord = z.infer<typeof versionRecord>

/** `GET /tz`. */
export const timeZones = z.looseObject({ server_utc_epoch: z.number(), allowed: z.array(z.string()).optional() })
export type TimeZones = z.infer<typeof timeZones>

/** `POST /login`: `auth` is the token. */
export const loginAnswer = z.looseObject({ message: z.string().optional(), app: textOrNull.optional(), auth: z.string() })
export type LoginAnswer = z.infer<typeof loginAnswer>

export const messageAnswer = z.looseObject({ message: z.string().optional() })
export type MessageAnswer = z.infer<typeof messageAnswer>

/** `expires` in seconds. */
export const sessionRecord = z.looseObject({
  origin: z.string().optional(),
  scopes: z.string().optional(),
  app: z.string().optional(),
  expires: z.number().optional(),
  token: z.string().optional(),
  app_scheme: z.string().optional(),
  scheme: z.string().optional()
})
export type SessionRecord = z.infer<typeof sessionRecord>

export const sessionList = z.looseObject({ tokens: z.array(sessionRecord).optional(), session: sessionRecord.optional() })
export type SessionList = z.infer<typeof sessionList>

export const receiverToken = z.looseObject({
  origin: z.string().optional(),
  app: z.string().optional(),
  token: z.string().optional(),
  app_scheme: z.string().optional(),
  scheme: z.string().optional()
})
export type ReceiverToken = z.infer<typeof receiverToken>

export const receiverStream = z.looseObject({
  size: z.number().optional(),
  items: z
    .array(
      z.looseObject({
        body: z.string().optional(),
        url: z.string().optional(),
        headers: z.string().optional(),
        time: z.string().optional(),
        method: z.string().optional(),
        remote_ip: z.string().optional()
      })
    )
    .optional()
})
export type ReceiverStream = z.infer<typeof receiverStream>

/** Times in epoch seconds. `scopes`: scope name to `r` or `w`. */
export const user = z.looseObject({
  id: z.number(),
  username: z.string().optional(),
  email: z.string().optional(),
  first_name: textOrNull.optional(),
  last_name: textOrNull.optional(),
  phone: textOrNull.optional(),
  is_superuser: z.boolean().optional(),
  is_active: z.boolean().optional(),
  is_staff: z.boolean().optional(),
  scopes: z.record(z.string(), z.string()).optional(),
  groups: z.array(z.number()).optional(),
  prefs: record.optional(),
  last_login: z.number().optional(),
  date_joined: z.number().optional(),
  __updated: z.number().optional()
})
export type User = z.infer<typeof user>

export const group = z.looseObject({ id: z.number(), name: z.string().optional() })
export type Group = z.infer<typeof group>

/** `device` is kept as it came: whether it is an IMEI, a record or null is not shown for vehicles. */
export const vehicle = z.looseObject({
  id: z.number(),
  name: z.string().optional(),
  info: record.optional(),
  device: z.unknown().optional(),
  groups: z.array(z.unknown()).optional()
})
export type Vehicle = z.infer<typeof vehicle>

/** `GET /devices/:imei?select=ios_state`: false or true by line, `_epoch` in seconds. */
export const iosState = z.looseObject({
  io_pwr: z.boolean().optional(),
  io_ign: z.boolean().optional(),
  io_in1: z.boolean().optional(),
  io_in2: z.boolean().optional(),
  io_in3: z.boolean().optional(),
  io_out1: z.boolean().optional(),
  io_out2: z.boolean().optional(),
  io_out1_short: z.boolean().nullable().optional(),
  io_out2_short: z.boolean().nullable().optional(),
  io_exp_in1: z.boolean().optional(),
  io_exp_in2: z.boolean().optional(),
  io_exp_in3: z.boolean().optional(),
  io_exp_in4: z.boolean().optional(),
  io_exp_out1: z.boolean().optional(),
  io_exp_out2: z.boolean().optional(),
  io_exp_out3: z.boolean().optional(),
  io_exp_out4: z.boolean().optional(),
  io_exp_out1_short: z.boolean().nullable().optional(),
  io_exp_out2_short: z.boolean().nullable().optional(),
  io_exp_out3_short: z.boolean().nullable().optional(),
  io_exp_out4_short: z.boolean().nullable().optional(),
  io_exp_state: z.boolean().optional(),
  _epoch: z.number().optional()
})
export type IosState = z.infer<typeof iosState>

/** Keyed by IMEI (a number). `latest`: last reported data, its shape is not shown. */
export const device = z.looseObject({
  imei: z.number(),
  ios_state: iosState.optional(),
  latest: record.nullable().optional()
})
export type Device = z.infer<typeof device>

/** `id` / `resource_id` is the API id; `iccid` the 20-digit id. */
export const sim = z.looseObject({
  id: z.number().optional(),
  resource_id: z.number().optional(),
  iccid: z.string().optional(),
  line_number: textOrNull.optional()
})
export type Sim = z.infer<typeof sim>

export const asset = z.looseObject({
  id: z.number(),
  name: z.string().optional(),
  type: z.string().optional(),
  info: record.optional(),
  ibuttons: z.array(z.string()).optional(),
  groups: z.array(z.number()).optional(),
  device: numberOrNull.optional(),
  counters: record.nullable().optional()
})
export type Asset = z.infer<typeof asset>

/** A vehicle or an asset (`GET /entities/:id`). */
export const entity = z.looseObject({ id: z.number(), name: z.string().optional(), info: record.optional() })
export type Entity = z.infer<typeof entity>

/** `id`: 16 letters and digits; `entity`: asset id. */
export const ibutton = z.looseObject({ id: z.string(), entity: numberOrNull.optional() })
export type Ibutton = z.infer<typeof ibutton>

/** Times of the device (`event_time`) and of the gateway (`system_time`) in ISO 8601; `comdelay` in seconds. */
export const rawdataEvent = z.looseObject({
  id: z.number().optional(),
  vid: z.number().optional(),
  aid: numberOrNull.optional(),
  device_id: z.number().optional(),
  event_time: z.string().optional(),
  system_time: z.string().optional(),
  type: z.number().optional(),
  code: z.number().optional(),
  label: textOrNull.optional(),
  lat: numberOrNull.optional(),
  lon: numberOrNull.optional(),
  valid_position: z.boolean().nullable().optional(),
  speed: numberOrNull.optional(),
  mph: numberOrNull.optional(),
  head: numberOrNull.optional(),
  hdop: numberOrNull.optional(),
  vdop: numberOrNull.optional(),
  sv: numberOrNull.optional(),
  cf_rssi: numberOrNull.optional(),
  ecu_battery: numberOrNull.optional(),
  ecu_distance: numberOrNull.optional(),
  ecu_idle_fuel: numberOrNull.optional(),
  pid: z.number().optional(),
  metric: numberOrNull.optional(),
  metric_value: numberOrNull.optional(),
  comdelay: numberOrNull.optional(),
  event_hour: numberOrNull.optional(),
  system_hour: numberOrNull.optional(),
  system_minute: numberOrNull.optional(),
  event_wkday: numberOrNull.optional(),
  event_epoch: numberOrNull.optional(),
  system_epoch: numberOrNull.optional(),
  dphoto_ptr: numberOrNull.optional()
})
export type RawdataEvent = z.infer<typeof rawdataEvent>

export const units = z.looseObject({
  volume: z.string().optional(),
  distance: z.string().optional(),
  speed: z.string().optional(),
  time: z.string().optional()
})

/** `GET /rawdata`: events, or with `async` the id of the background job. */
export const rawdataAnswer = z.looseObject({
  units: units.optional(),
  events: z.array(rawdataEvent).optional(),
  message: z.string().optional(),
  job_id: z.union([z.string(), z.number()]).optional()
})
export type RawdataAnswer = z.infer<typeof rawdataAnswer>

/** `GET /rawdata` without parameters: field name to its description. */
export const rawdataKeys = z.looseObject({
  keys: z.record(
    z.string(),
    z.looseObject({
      short_desc: textOrNull.optional(),
      long_desc: textOrNull.optional(),
      type: textOrNull.optional(),
      group: textOrNull.optional()
    })
  )
})
export type RawdataKeys = z.infer<typeof rawdataKeys>

/** `en` and `es`: `<short description>:<long description>`. */
export const label = z.looseObject({
  label: z.string().optional(),
  en: textOrNull.optional(),
  es: textOrNull.optional(),
  created_at: textOrNull.optional(),
  edited_at: textOrNull.optional()
})
export type Label = z.infer<typeof label>
export const labels = z.record(z.string(), label)
export type Labels = z.infer<typeof labels>

/** A background job. */
export const asyncJob = z.looseObject({
  id: z.union([z.number(), z.string()]),
  user_id: z.number().optional(),
  app: textOrNull.optional(),
  control: textOrNull.optional(),
  stdout: z.unknown().optional(),
  notice: z.unknown().optional(),
  state: z.string().optional(),
  params: record.optional()
})
export type AsyncJob = z.infer<typeof asyncJob>

export const countersDescription = z.looseObject({ base: z.unknown().optional(), derived: z.unknown().optional() })
export type CountersDescription = z.infer<typeof countersDescription>

export const countersAnswer = z.looseObject({
  units: units.optional(),
  counters: z
    .array(
      z.looseObject({
        vid: z.number().optional(),
        from: textOrNull.optional(),
        to: textOrNull.optional(),
        event_time: textOrNull.optional()
      })
    )
    .optional(),
  message: z.string().optional(),
  job_id: z.union([z.string(), z.number()]).optional()
})
export type CountersAnswer = z.infer<typeof countersAnswer>

/** `GET /vehicles/:vid/counters`: meters, seconds, liters. */
export const vehicleCounters = z.looseObject({
  user: z
    .array(
      z.looseObject({
        id: z.number().optional(),
        description: textOrNull.optional(),
        set_at: numberOrNull.optional(),
        counter: z.string().optional(),
        value: numberOrNull.optional(),
        offset: numberOrNull.optional()
      })
    )
    .optional(),
  vehicle: z
    .looseObject({
      plain: z.record(z.string(), z.number()).optional(),
      calculated: record.optional(),
      counters: record.optional()
    })
    .optional()
})
export type VehicleCounters = z.infer<typeof vehicleCounters>

export const trip = z.looseObject({
  distance: numberOrNull.optional(),
  mean_speed: numberOrNull.optional(),
  duration: numberOrNull.optional(),
  moving: z.boolean().nullable().optional(),
  ignition: z.unknown().optional(),
  idle: z.unknown().optional(),
  start_time: textOrNull.optional()
})
export type Trip = z.infer<typeof trip>

const position = z.array(z.number())
/** Coordinates are [lon, lat]; radius in meters. */
export const geometry = z.union([
  z.looseObject({ type: z.literal('Polygon'), coordinates: z.array(z.array(position)) }),
  z.looseObject({ type: z.literal('Circle'), radius: z.number(), coordinates: position }),
  z.looseObject({ type: z.literal('LineString'), radius: z.number(), coordinates: z.array(position) })
])
export type Geometry = z.infer<typeof geometry>

export const geofence = z.looseObject({
  id: z.number().optional(),
  type: z.string().optional(),
  geometry: geometry.optional(),
  properties: z
    .looseObject({
      name: z.string().optional(),
      description: textOrNull.optional(),
      visibility: z.string().optional(),
      groups: z.array(z.number()).optional(),
      owner: numberOrNull.optional(),
      id: z.number().optional(),
      types: z.array(z.number()).optional(),
      custom: record.nullable().optional()
    })
    .optional(),
  encoding: textOrNull.optional(),
  centroid: position.optional(),
  bbox: position.optional(),
  __updated: z.number().optional()
})
export type Geofence = z.infer<typeof geofence>

export const route = z.looseObject({
  id: z.number().optional(),
  uuid: z.string().optional(),
  primary_id: z.number().optional(),
  name: textOrNull.optional(),
  description: textOrNull.optional(),
  color: textOrNull.optional(),
  options: record.nullable().optional(),
  active: z.boolean().optional(),
  enforce: z.boolean().nullable().optional(),
  checkpoints: z
    .array(
      z.looseObject({
        lat: z.number().optional(),
        lon: z.number().optional(),
        buffer: z.number().optional(),
        name: textOrNull.optional()
      })
    )
    .optional(),
  schedules: z.array(z.looseObject({})).optional(),
  path: z.looseObject({}).nullable().optional()
})
export type Route = z.infer<typeof route>

export const routeState = z.looseObject({
  name: textOrNull.optional(),
  color: textOrNull.optional(),
  route_id: z.number().optional(),
  start_epoch: numberOrNull.optional(),
  end_epoch: numberOrNull.optional(),
  finalized: z.boolean().optional(),
  finalized_cpt: numberOrNull.optional(),
  is_outside_path: z.boolean().nullable().optional(),
  exited_path: z.boolean().nullable().optional(),
  checkpoints: z.array(z.looseObject({ id: z.string().optional() })).optional()
})
export type RouteState = z.infer<typeof routeState>

export const trigger = z.looseObject({
  id: z.number().optional(),
  name: textOrNull.optional(),
  description: textOrNull.optional(),
  type: z.string().optional(),
  category: z.string().optional(),
  timezone: textOrNull.optional(),
  rules: z.array(z.looseObject({ id: z.string().optional(), key: textOrNull.optional(), operator: z.string().optional() })).optional(),
  postfix: z.array(z.string()).optional(),
  groups: z.unknown().optional(),
  vehicles: z.array(z.number()).optional(),
  options: record.optional(),
  processes: z.array(z.unknown()).optional()
})
export type Trigger = z.infer<typeof trigger>

export const triggerStructure = z.looseObject({ structure: record })
export type TriggerStructure = z.infer<typeof triggerStructure>

export const task = z.looseObject({
  id: z.number().optional(),
  name: textOrNull.optional(),
  processes: z.array(z.unknown()).optional(),
  schedule: z.unknown().optional()
})
export type Task = z.infer<typeof task>

/** A job of the report job manager. */
export const reportJob = z.looseObject({
  id: z.union([z.number(), z.string()]),
  engine: textOrNull.optional(),
  transaction: z.unknown().optional(),
  name: textOrNull.optional(),
  script: textOrNull.optional(),
  created_at: z.unknown().optional(),
  expires: z.unknown().optional(),
  state: z.string().optional(),
  params: z.unknown().optional(),
  result: z
    .looseObject({ files: z.array(z.string()).optional(), error: textOrNull.optional() })
    .nullable()
    .optional(),
  done_at: z.unknown().optional(),
  owner: z.unknown().optional(),
  progress: z.unknown().optional(),
  cache_key: z.unknown().optional()
})
export type ReportJob = z.infer<typeof reportJob>

/** Answer to a command for the device: `oids` are the ids of what was queued. */
export const commandAnswer = z.looseObject({
  msg: z.string().optional(),
  device_is_online: z.boolean().optional(),
  oids: z.array(z.number()).optional(),
  ts_message_id: z.number().optional(),
  job_message_id: z.number().optional()
})
export type CommandAnswer = z.infer<typeof commandAnswer>

/** `time` in epoch seconds. */
export const outputLogItem = z.looseObject({
  state: z.boolean().optional(),
  otype: textOrNull.optional(),
  out: z.number().optional(),
  user: textOrNull.optional(),
  time: z.number().optional()
})
export type OutputLogItem = z.infer<typeof outputLogItem>

export const ecuState = z.looseObject({
  protocol_name: textOrNull.optional(),
  protocol: z.unknown().optional(),
  upgrading: z.boolean().optional(),
  ecu_fw: numberOrNull.optional(),
  ecu_fw_full: textOrNull.optional(),
  detected: z.boolean().optional(),
  engineison: z.boolean().optional(),
  ecu_parameters_0: numberOrNull.optional(),
  ecu_parameters_1: numberOrNull.optional(),
  params_numbers: z.array(z.unknown()).optional(),
  /** [name, description] pairs; some descriptions state a divisor. */
  params: z.array(z.array(z.unknown())).optional(),
  _epoch: numberOrNull.optional(),
  ecu_updateepoch: numberOrNull.optional()
})
export type EcuState = z.infer<typeof ecuState>

/** `b64data`: base64 JPEG; `source`: camera 0..3, 99 the flash camera; `epoch` in seconds. */
export const photo = z.looseObject({
  status: z.string().optional(),
  status_no: z.number().optional(),
  source: z.number().optional(),
  photo_id: z.union([z.number(), z.string()]).optional(),
  debug: textOrNull.optional(),
  epoch: z.number().optional(),
  imei: z.number().optional(),
  b64data: z.string().optional(),
  size: z.number().optional()
})
export type Photo = z.infer<typeof photo>

export const photoEvent = z.looseObject({
  id: z.number().optional(),
  vid: z.number().optional(),
  device_id: z.number().optional(),
  dphoto_ptr: z.number().optional(),
  code: z.number().optional(),
  label: textOrNull.optional(),
  system_time: z.string().optional(),
  event_time: z.string().optional(),
  lat: numberOrNull.optional(),
  lon: numberOrNull.optional()
})
export type PhotoEvent = z.infer<typeof photoEvent>

/** `photocam/last`, `from_event`: one photo that is under way, or a list of photos and their event. */
export const photoAnswer = z.looseObject({
  status: z.string().optional(),
  status_no: z.number().optional(),
  source: z.number().optional(),
  photos: z.array(photo).optional(),
  event: photoEvent.nullable().optional()
})
export type PhotoAnswer = z.infer<typeof photoAnswer>

export const navscreenState = z.looseObject({ state: z.number().optional(), pending: z.number().optional() })
export type NavscreenState = z.infer<typeof navscreenState>

/** `time` in epoch milliseconds. */
export const navscreenMessages = z.looseObject({
  skip: z.number().optional(),
  set: z.number().optional(),
  total: z.number().optional(),
  data: z
    .array(
      z.looseObject({
        id: z.number().optional(),
        msg: z.string().optional(),
        type: textOrNull.optional(),
        user: textOrNull.optional(),
        time: z.number().optional(),
        imei: z.number().optional(),
        isread: z.boolean().nullable().optional(),
        deleted: z.boolean().nullable().optional(),
        update_time: z.unknown().optional()
      })
    )
    .optional()
})
export type NavscreenMessages = z.infer<typeof navscreenMessages>

/** Manifest of a report job engine. */
export const engineManifest = z.looseObject({ definitions: record.optional(), scripts: z.array(z.looseObject({})).optional() })
export type EngineManifest = z.infer<typeof engineManifest>

/** A file that the gateway or an engine sent: text where it is text, else base64. */
export interface GatewayFile {
  mediaType: string
  text?: string
  base64?: string
}

/** The envelope of a page ("Conventions" 8). The page numbers are missing where a plain list came. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.looseObject({
    set: z.number().optional(),
    page: z.number().optional(),
    pages: z.number().optional(),
    total: z.number().optional(),
    data: z.array(item)
  })
}
export interface Page<Item> {
  set?: number | undefined
  page?: number | undefined
  pages?: number | undefined
  total?: number | undefined
  data: Item[]
}
