import { z } from 'zod'
import type { Message } from '../messages.ts'

/** The readable areas of a device in the document's shapes and units; nothing relies on undocumented fields. */

/** `GET /gps/position`. Speed km/h, accuracy and altitude m, bearing degrees, timestamp "GPS epoch" seconds. */
export const gpsPosition = z.looseObject({
  coords: z.looseObject({
    latitude: z.number().optional(),
    longitude: z.number().optional(),
    speed: z.number().optional(),
    accuracy: z.number().optional(),
    altitude: z.number().optional(),
    bearing: z.number().optional(),
    altitudeAccuracy: z.number().optional()
  }),
  timestamp: z.number().optional(),
  extras: z.looseObject({
    hdop: z.number().optional(),
    vdop: z.number().optional(),
    pdop: z.number().optional(),
    fix: z.number(),
    satsActive: z.number().optional(),
    criteria: z.string().optional()
  })
})

/**
 * `GET /eth/state`. The document does not list the fields of a disabled interface, so only a missing `state` is an
 * error.
 */
export const ethernetState = z.looseObject({
  state: z.string(),
  mac: z.string().optional(),
  connected: z.boolean().optional(),
  ip: z.string().optional(),
  bcast: z.string().optional(),
  mask: z.string().optional(),
  rx_bytes: z.string().optional(),
  tx_bytes: z.string().optional()
})

/** `GET /wifi/state`. `signal` in dBm, as a string. As with ethernet, only a missing `state` is an error. */
export const wifiState = z.looseObject({
  state: z.string(),
  mac: z.string().optional(),
  connected: z.boolean().optional(),
  ip: z.string().optional(),
  ssid: z.string().optional(),
  signal: z.string().optional(),
  key_mgmt: z.string().optional()
})

/** `GET /wifi/list`: saved networks. */
export const wifiList = z.looseObject({ ssids: z.array(z.string()) })

/** `GET /wifi/scan`: networks heard. `signal` in dBm. */
export const wifiScan = z.looseObject({
  nets: z.array(z.looseObject({ ssid: z.string(), signal: z.number(), auth: z.string() }))
})

/** `GET /hotspot/state`. `pass` is masked by the device; only `state` is there when disabled. */
export const hotspotState = z.looseObject({
  state: z.string(),
  ssid: z.string().optional(),
  pass: z.string().optional()
})

/** `GET /hotspot/list`: clients. The shape of a station is not documented. */
export const hotspotList = z.looseObject({ stations: z.array(z.unknown()) })

/** `GET /storage/hgetall/modem_information`: all strings; the unit of RSSI is not documented. */
export const modemInformation = z.looseObject({
  MANUFACTURER: z.string(),
  REVISION: z.string(),
  MODEL: z.string(),
  IMEI: z.string(),
  SIM_IMSI: z.string(),
  SIM_STATE: z.string(),
  SIM_ID: z.string(),
  GSM_REG: z.string(),
  GPRS_REG: z.string(),
  RSSI: z.string(),
  IP: z.string(),
  RAT: z.string(),
  MCC_MNC: z.string(),
  NO_CONN_TIME: z.string(),
  BAND: z.string(),
  OPERATOR: z.string(),
  MODEM_STATE: z.string(),
  eSIM_IMSI: z.string(),
  eSIM_ID: z.string(),
  eSIM_STATE: z.string(),
  SIM_TYPE: z.string()
})

/** `GET /storage/hgetall/modem_configuration`: all strings; SIM_SW_INTERVAL in hours. */
export const modemConfiguration = z.looseObject({
  APN: z.string(),
  SIM_PRIORITY: z.string(),
  SIM_SW_INTERVAL: z.string(),
  KEEP_ALIVE: z.string()
})

/** `GET /IO/all`. AN1, AN2, DAN, BAT in mV (BAT is the internal battery); the rest booleans. */
export const ioState = z.looseObject({
  IGN: z.boolean(),
  TIG: z.boolean(),
  IN1: z.boolean(),
  IN2: z.boolean(),
  IN3: z.boolean(),
  IN4: z.boolean(),
  IN5: z.boolean(),
  IN6: z.boolean(),
  IN7: z.boolean(),
  PWR: z.boolean(),
  MOT: z.boolean(),
  OUT1: z.boolean(),
  OUT2: z.boolean(),
  OUT3: z.boolean(),
  OUT4: z.boolean(),
  SO1: z.boolean(),
  SO2: z.boolean(),
  SO3: z.boolean(),
  SO4: z.boolean(),
  AN1: z.number(),
  AN2: z.number(),
  DAN: z.number(),
  BAT: z.number()
})

/** `GET /storage/hgetall/accel_current_state`: strings; MOTION `0` or `1`. */
export const accelerometerState = z.looseObject({ MOTION: z.string(), FW_VERSION: z.string() })

/** `GET /storage/hgetall/accel_configuration`: strings; thresholds in milli-g, times in seconds. */
export const accelerometerConfiguration = z.looseObject({
  MOTION_THRESHOLD: z.string(),
  MOTION_DURATION: z.string(),
  MOTION_BUFF_TIME_SIZE: z.string(),
  CFG_FORWARD_COLLISION: z.string(),
  CFG_BACKWARD_COLLISION: z.string(),
  CFG_LAT_COLLISION_FROM_RIGHT: z.string(),
  CFG_LAT_COLLISION_FROM_LEFT: z.string(),
  CFG_HARSH_FWD_ACCELERATION: z.string(),
  CFG_HARD_BRAKING: z.string(),
  CFG_CORNERING_RIGHT: z.string(),
  CFG_CORNERING_LEFT: z.string()
})

/** `GET /system-info`. Sizes described as bytes, CPU usage in percent, uptime since the last reset. */
export const systemInfo = z.looseObject({
  ram: z.looseObject({ total: z.number(), used: z.number(), free: z.number(), available: z.number() }),
  cpu: z.looseObject({ currF: z.number(), usage: z.number(), governor: z.string(), stats: z.looseObject({}) }),
  rootfs: z.looseObject({ total: z.number(), free: z.number() }),
  datafs: z.looseObject({ total: z.number(), free: z.number() }),
  uptime: z.number(),
  loadAvg: z.array(z.number()),
  osVersion: z.string(),
  releaseDate: z.string(),
  sessionCount: z.number(),
  kernelVersion: z.string(),
  netLink: z.looseObject({ name: z.string(), ip: z.string() }),
  hostname: z.string()
})

/** `GET /updates/os/check`: one of the four update messages, or the documented error. */
export const osUpdate = z.union([z.looseObject({ mess: z.string() }), z.looseObject({ error: z.string() })])

/** `GET /apps-manager`. */
export const applications = z.array(
  z.looseObject({
    name: z.string(),
    version: z.string(),
    status: z.string(),
    manifest: z.looseObject({}),
    hasReadme: z.boolean(),
    hasChangelog: z.boolean(),
    stable: z.string()
  })
)

/** `POST /auth/login`: who signed in. */
export const signedInUser = z.looseObject({ user: z.looseObject({ name: z.string() }) })

export type GpsPosition = z.infer<typeof gpsPosition>
export type EthernetState = z.infer<typeof ethernetState>
export type WifiState = z.infer<typeof wifiState>
export type WifiList = z.infer<typeof wifiList>
export type WifiScan = z.infer<typeof wifiScan>
export type HotspotState = z.infer<typeof hotspotState>
export type HotspotList = z.infer<typeof hotspotList>
export type IoState = z.infer<typeof ioState>
export type ModemConfiguration = z.infer<typeof modemConfiguration>
export type AccelerometerState = z.infer<typeof accelerometerState>
export type AccelerometerConfiguration = z.infer<typeof accelerometerConfiguration>
export type OsUpdate = z.infer<typeof osUpdate>
export type Applications = z.infer<typeof applications>
export type SignedInUser = z.infer<typeof signedInUser>
export type ModemInformation = z.infer<typeof modemInformation>
export type SystemInfo = z.infer<typeof systemInfo>
export type OutputLine = `OUT${1 | 2 | 3 | 4}`

/** Every field is optional: a reading contains the readable fields and names the others. */
export type Sparse<T> = T extends readonly (infer U)[]
  ? Sparse<U>[]
  : T extends object
    ? { [K in keyof T]?: Sparse<T[K]> | undefined }
    : T

/**
 * A parsed answer: the readable fields, a problem for each other field, the raw answer, and the time of the reading.
 */
export interface Reading<T> {
  operation: string
  status: number
  value: Sparse<T>
  problems: Message[]
  raw: unknown
  readAt: string
  elapsedMs: number
}
