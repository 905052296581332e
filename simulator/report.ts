import type { BusParameterState } from './vehicle/bus.ts'

/**
 * A report of a simulated device to the simulated gateway. Values are as the device knows them: the gateway adds its
 * own ids, clock and delay, and converts units (the gateway API answers speed in m/s by default and shows fewer inputs
 * and outputs than the device has).
 */
export interface DeviceReport {
  imei: string
  /** Clock of the device, Unix milliseconds (without any GPS epoch that the local API may show). */
  deviceTimeMs: number
  /** Increases by one with every report of one device, from 1. */
  sequence: number
  type: ReportType
  /** Event code; depends on the device's managed configuration. */
  code: number
  /** Event label, for example `prdtst` (periodic), `ignon`, `ignoff`, `in1on`, `out1off`. */
  label: string
  /** WGS84 degrees; 0 when the device has no fix and never had one. */
  lat: number
  lon: number
  validPosition: boolean
  speedKmh: number
  /** 0 north, 90 east. */
  headDeg: number
  hdop: number
  vdop: number
  sv: number
  /** Signal as 0..31, 99 unknown; dBm = -113 + 2n. */
  csq: number
  io: ReportedLines
  /** The SIM in use; empty when there is none. */
  iccid: string
  /** Voltage of the vehicle's supply as the engine bus reports it (`ecu_battery`), millivolts. */
  supplyMv: number
  engineOn: boolean
  rpm: number
  /** Distance driven since the simulation began, metres. */
  distanceM: number
  /** Time with the ignition on, time idling (engine on, not moving) since the simulation began, seconds. */
  ignitionS: number
  idleS: number
  ecu: ReportedEngineBus
  /** As the instruments show it, metres; if omitted, the distance since the simulation began. */
  odometerM?: number
  accessories?: ReportedAccessories
}

export interface ReportedAccessories {
  /** Fields of rawdata: tyres, temperatures, tags, driver assistance. */
  fields: Record<string, unknown>
  /** Inputs 1..4; null without an expander. */
  expanderInputs: boolean[] | null
  keyFob?: string
}

/** 10 regular, 11 position and velocity, 13 backlog, 20 empty GPS event, 100 keep-alive, 110 connection message. */
export type ReportType = 10 | 11 | 13 | 20 | 100 | 110

type OutputName = `out${1 | 2 | 3 | 4}`

/** The lines as the device sees them; `Short`: an output that is shorted. */
export type ReportedLines = Record<
  'ign' | 'pwr' | `in${1 | 2 | 3 | 4 | 5 | 6 | 7}` | OutputName | `${OutputName}Short`,
  boolean
>

export interface ReportedEngineBus {
  /** True when a bus interface is configured and the engine has run: the bus answers. */
  detected: boolean
  /** PARAM_NAME of every entry that was added to the device's engine-bus list, in order. */
  parameters: string[]
  states?: Readonly<Record<string, BusParameterState>>
}

export type ReportListener = (report: DeviceReport) => void

/** Commands from the gateway to a device (the remote half of the gateway API). */
export interface RemoteOutputCommand {
  imei: string
  out: 1 | 2 | 3 | 4
  state: boolean
}
