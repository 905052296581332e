import { makeIdentity } from '../identity.ts'
import {
  deviceClockMs,
  fixOfUnit,
  gpsEpochLateS,
  hasAddress,
  identityOf,
  isRegistered,
  rssiDbmOf,
  simOf,
  type Unit
} from './unit.ts'

export function readPosition(unit: Unit): unknown {
  const fix = fixOfUnit(unit)
  const unixS = Math.floor(deviceClockMs(unit) / 1000)
  const timestamp =
    unit.gpsTimestamp === 'ms' && !unit.faults.has('gpsEpochClock') && !unit.faults.has('gpsEpochEvents')
      ? unixS * 1000
      : unit.gpsTimestamp === 'gps' || unit.faults.has('gpsEpochClock') || unit.faults.has('gpsEpochEvents')
        ? unixS - gpsEpochLateS
        : unixS
  if (!fix && unit.speaks('fix.oldPlace')) {
    const { latitude, longitude, altitudeM } = unit.vehicle.state().fix
    return {
      coords: { latitude, longitude, speed: 0, accuracy: 20_000, altitude: altitudeM, bearing: 0, altitudeAccuracy: 0 },
      timestamp,
      extras: { hdop: 99.99, vdop: 99.99, pdop: 99.99, fix: 1, satsActive: 0, criteria: 'signal' }
    }
  }
  if (!fix) {
    return {
      coords: { latitude: 0, longitude: 0, speed: 0, accuracy: 0, altitude: 0, bearing: 0, altitudeAccuracy: 0 },
      timestamp,
      extras: { hdop: 99.9, vdop: 99.9, pdop: 99.9, fix: 0, satsActive: 0, criteria: 'signal' }
    }
  }
  const leavesOut = unit.speaks('position.leftOut')
  return {
    coords: {
      latitude: fix.latitude,
      longitude: fix.longitude,
      speed: fix.speedKmh,
      accuracy: fix.accuracyM,
      altitude: fix.altitudeM,
      ...(leavesOut && fix.speedKmh === 0 ? {} : { bearing: fix.bearingDeg }),
      altitudeAccuracy: 3.8
    },
    timestamp,
    extras: {
      hdop: fix.hdop,
      vdop: fix.vdop,
      pdop: Number(Math.hypot(fix.hdop, fix.vdop).toFixed(1)),
      fix: 3,
      satsActive: fix.satellites,
      criteria: leavesOut ? false : 'signal'
    }
  }
}

export function readInputsAndOutputs(unit: Unit): unknown {
  const state = unit.vehicle.state()
  return {
    IGN: state.ignition,
    TIG: state.ignitionByRipple,
    ...state.inputs,
    PWR: state.power,
    MOT: state.isMoving && !unit.faults.has('speedStaysZero'),
    ...state.outputs,
    SO1: state.shorts.OUT1,
    SO2: state.shorts.OUT2,
    SO3: state.shorts.OUT3,
    SO4: state.shorts.OUT4,
    AN1: state.an1Mv,
    AN2: state.an2Mv,
    DAN: state.danMv,
    BAT: state.internalBatteryMv
  }
}

export function readEthernet(unit: Unit): unknown {
  return {
    state: 'Enabled',
    mac: unit.identity.mac,
    mac_address: unit.identity.mac,
    ip_address: unit.ip,
    gateway: '192.168.8.1',
    netmask: '255.255.255.0',
    connected: true,
    ip: unit.ip,
    bcast: '192.168.8.255',
    mask: '255.255.255.0',
    rx_bytes: String(1_204_511 + bytesSinceStart(unit, 610)),
    tx_bytes: String(884_120 + bytesSinceStart(unit, 240))
  }
}

export function readWifi(unit: Unit): unknown {
  const joined = unit.radios.joined()
  const heard = joined && unit.radios.scan().find(({ ssid }) => ssid === joined.ssid)
  const ip = joined ? '192.168.43.17' : ''
  return {
    state: joined ? 'Completed' : unit.radios.isWifiOn() ? 'Scanning' : 'Interface_disabled',
    mac: unit.identity.mac.replace(/^02/, '06'),
    mac_address: unit.identity.mac.replace(/^02/, '06'),
    ip_address: ip,
    gateway: joined ? '192.168.43.1' : '',
    netmask: joined ? '255.255.255.0' : '',
    connected: joined !== undefined,
    ip,
    rx_bytes: joined ? String(bytesSinceStart(unit, 120)) : '0',
    tx_bytes: joined ? String(bytesSinceStart(unit, 80)) : '0',
    ssid: joined?.ssid ?? '',
    signal: heard ? String(heard.signal) : '',
    key_mgmt: joined?.auth ?? 'None'
  }
}

export function readModem(unit: Unit): Record<string, string> {
  const sim = simOf(unit)
  const registered = isRegistered(unit)
  const isRefused = unit.faults.has('unknownSim')
  const isBuiltIn = unit.faults.has('builtInSimLocked')
  // A card for data alone, on LTE: voice is refused, the older registration is missing, and the signal is not known.
  const isDataOnly = registered && unit.faults.has('dataSim')
  const dbm = rssiDbmOf(unit)
  const rssi = unit.rssiAs === 'csq' ? String((dbm + 113) / 2) : String(dbm)
  return {
    MANUFACTURER: 'Simulated',
    REVISION: 'SIM-1.4.2',
    MODEL: 'SM-4G',
    IMEI: identityOf(unit).imei,
    SIM_IMSI: isBuiltIn ? '' : (sim?.imsi ?? ''),
    SIM_STATE: sim && !isBuiltIn ? 'READY' : 'NOT INSERTED',
    SIM_ID: sim && !isBuiltIn ? simNumberOf(unit, sim.iccid) : '',
    GSM_REG: isDataOnly || isRefused ? '3' : registered ? '1' : '0',
    GPRS_REG: isDataOnly ? '0' : registered ? '1' : isRefused ? '3' : '0',
    RSSI: isDataOnly ? '99' : registered ? rssi : unit.rssiAs === 'csq' ? '99' : '-113',
    IP: hasAddress(unit) ? '10.64.12.7' : '',
    RAT: registered ? 'LTE' : '',
    MCC_MNC: registered ? '00101' : '',
    NO_CONN_TIME: hasAddress(unit) ? '0' : String(Math.floor((unit.vehicle.now() - unit.startedMs) / 1000)),
    BAND: registered ? 'LTE BAND 4' : '',
    OPERATOR: registered ? 'Test network' : '',
    MODEM_STATE: hasAddress(unit) ? 'CONNECTED' : registered ? 'REGISTERED' : 'SEARCHING',
    eSIM_IMSI: isBuiltIn ? (sim?.imsi ?? '') : '',
    eSIM_ID: isBuiltIn && sim ? simNumberOf(unit, sim.iccid) : '',
    eSIM_STATE: isBuiltIn ? 'SIM PUK' : 'NOT PROVISIONED',
    SIM_TYPE: isBuiltIn ? 'EMBEDDED' : 'EXTERNAL'
  }
}

/** The number of the card as the modem tells it: printed, filled with F, or each pair of digits the other way round. */
function simNumberOf(unit: Unit, iccid: string): string {
  const filled = iccid.length % 2 === 0 ? iccid : `${iccid}F`
  if (unit.speaks('sim.swapped')) return filled.replace(/(.)(.)/g, '$2$1')
  return unit.speaks('sim.padded') ? filled : iccid
}

/** Name, password and PIN of the APN are accepted but never returned. */
export function readModemConfiguration(unit: Unit): Record<string, string> {
  return { APN: unit.apn.apn, SIM_PRIORITY: '0', SIM_SW_INTERVAL: '24', KEEP_ALIVE: '60' }
}

export function readAccelerometer(unit: Unit): Record<string, string> {
  return { MOTION: unit.vehicle.state().isMoving ? '1' : '0', FW_VERSION: '2.3' }
}

export const accelerometerConfiguration: Record<string, string> = {
  MOTION_THRESHOLD: '30',
  MOTION_DURATION: '2',
  MOTION_BUFF_TIME_SIZE: '4',
  CFG_FORWARD_COLLISION: '-2000',
  CFG_BACKWARD_COLLISION: '2000',
  CFG_LAT_COLLISION_FROM_RIGHT: '-2000',
  CFG_LAT_COLLISION_FROM_LEFT: '2000',
  CFG_HARSH_FWD_ACCELERATION: '260',
  CFG_HARD_BRAKING: '-260',
  CFG_CORNERING_RIGHT: '-350',
  CFG_CORNERING_LEFT: '350'
}

export function readSystem(unit: Unit): unknown {
  const upS = Math.floor((unit.vehicle.now() - unit.startedMs) / 1000) + 340
  return {
    ram: { total: 1_038_090_240, used: 402_653_184, free: 318_767_104, available: 601_882_624 },
    cpu: {
      currF: 996_000,
      usage: 12.4,
      governor: 'interactive',
      stats: { '396000': 88_110, '792000': 9_120, '996000': 31_407 }
    },
    rootfs: { total: 3_221_225_472, free: 1_610_612_736 },
    datafs: { total: 4_294_967_296, free: 3_865_470_566 },
    uptime: upS,
    loadAvg: [0.42, 0.38, 0.31],
    osVersion: unit.hasUpdated ? '4.3.0' : '4.2.1',
    releaseDate: unit.hasUpdated ? '20260903101500' : '20260412083000',
    sessionCount: unit.sessionCount,
    kernelVersion: '5.10.110',
    netLink: { name: 'eth0', ip: unit.ip },
    hostname: unit.faults.has('impostor') ? impostorName(unit) : `${unit.model}-${identityOf(unit).imei}`
  }
}

export const applications = [
  application('tracker', '3.8.0', 'active', 'Reports position and events'),
  application('bus-reader', '1.9.2', 'active', 'Reads the engine bus'),
  application('camera-link', '0.7.1', 'inactive', 'Connects cameras')
]

function application(name: string, version: string, status: 'active' | 'inactive', description: string) {
  return {
    name,
    version,
    status,
    manifest: {
      name,
      version,
      description,
      main: 'index.js',
      scripts: { start: 'node index.js' },
      keywords: ['simulated'],
      author: 'Simulator',
      license: 'MIT',
      dependencies: {}
    },
    hasReadme: true,
    hasChangelog: false,
    stable: version
  }
}

/** Another unit of the same model answers at this address. */
function impostorName(unit: Unit): string {
  return `${unit.model}-${makeIdentity(unit.seed + 1, 999).imei}`
}

function bytesSinceStart(unit: Unit, perSecond: number): number {
  return Math.floor((unit.vehicle.now() - unit.startedMs) / 1000) * perSecond
}
