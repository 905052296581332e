import type { FactName } from '../../../preload/contract/support/facts.ts'

/** The term that explains a fact, if any. */
export function termOf(fact: FactName): string | undefined {
  const line = /^(in|out|so)\d$/.exec(fact)
  return line ? `device.io.${line[1]?.toUpperCase() ?? ''}` : terms[fact]
}

const terms: Partial<Record<FactName, string>> = {
  lastContact: 'gateway.rawdata.event_time',
  position: 'device.gps.coords',
  validFix: 'device.gps.fix',
  satellites: 'device.gps.satsActive',
  hdop: 'device.gps.hdop',
  speed: 'device.gps.speed',
  heading: 'device.gps.bearing',
  ignition: 'device.io.IGN',
  engine: 'device.io.TIG',
  power: 'device.io.PWR',
  signal: 'device.modem.RSSI',
  operator: 'device.modem.OPERATOR',
  sim: 'device.modem.SIM_ID',
  address: 'device.modem.IP',
  apn: 'device.modem.APN',
  clock: 'device.gps.timestamp',
  imei: 'device.modem.IMEI',
  hostName: 'device.system.hostname',
  vehicleDevice: 'gateway.records.vehicle',
  ecu: 'gateway.ecu.state',
  distance: 'gateway.counters.dev_dist',
  os: 'device.system.osVersion',
  accelerometer: 'device.accelerometer.FW_VERSION'
}
