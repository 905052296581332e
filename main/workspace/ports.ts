import type { Json } from '../../preload/contract/define.ts'
import type {
  AccelerometerConfiguration,
  AccelerometerState,
  Applications,
  GpsPosition,
  IoState,
  ModemConfiguration,
  ModemInformation,
  OsUpdate,
  Reading,
  SystemInfo
} from '../../preload/contract/device/deviceAreas.ts'
import type { DeviceWrite, EcuEntry } from '../../preload/contract/device/workspace.ts'

export interface CallOptions {
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
}

type Read<T> = (options?: CallOptions) => Promise<Reading<T>>
type Write<Input> = (input: Input, options?: CallOptions) => Promise<Reading<unknown>>
type Act = (options?: CallOptions) => Promise<Reading<unknown>>

/** The parts of a device that the workspace uses. The device client has all of them. */
export interface DevicePort {
  exec: { run: Write<{ command: string }> }
  gps: { position: Read<GpsPosition> }
  eth: { state: Read<EthernetLike> }
  wifi: {
    state: Read<WifiLike>
    start: Act
    stop: Act
    reset: Act
    list: Read<{ ssids: string[] }>
    scan: Read<{ nets: { ssid: string; signal: number; auth: string }[] }>
    add: Write<{ ssid: string; password?: string | undefined }>
    remove: Write<{ ssid: string }>
  }
  hotspot: {
    list: Read<{ stations: unknown[] }>
    state: Read<HotspotLike>
    edit: Write<{ name: string; password: string }>
    start: Act
    stop: Act
  }
  modem: {
    information: Read<ModemInformation>
    configuration: Read<ModemConfiguration>
    editApn: Write<{ apn: string; user: string; pass: string; pin: string }>
  }
  io: { all: Read<IoState> }
  accel: {
    state: Read<AccelerometerState>
    configuration: Read<AccelerometerConfiguration>
    autoAlignment: Write<{ state: boolean }>
  }
  system: { info: Read<SystemInfo> }
  updates: { osCheck: Read<OsUpdate> }
  apps: { list: Read<Applications> }
  ecu: {
    addParameter: Write<EcuEntry>
    configure: Write<{ PRIMARY_CAN: string; SECONDARY_CAN: string; J1708: string; LISTEN_ONLY_MODE: string }>
  }
}

interface EthernetLike {
  state: string
  ip?: string | undefined
}
interface WifiLike extends EthernetLike {
  ssid?: string | undefined
}
interface HotspotLike {
  state: string
  ssid?: string | undefined
}

/** A device of the table, ready for use. */
export interface OpenedDevice {
  key: string
  imei: string | null
  model: string | null
  /** The `host:port` in use. */
  address: string
  device: DevicePort
}

/** The workspace's log; the store implements it. */
export interface WriteLog {
  begin(write: { imei: string; at: string; operation: string; input: Json; by: string; jobId: string | null }): number
  end(id: number, end: Pick<DeviceWrite, 'outcome' | 'detail' | 'answer'> & { at: string }): void
  list(filter: { imei: string; operations: readonly string[]; limit: number }): DeviceWrite[]
  names(preference: string): string[]
  keepNames(preference: string, names: readonly string[]): void
}
