import { Faults, isWiringFault, type FaultName } from '../faults.ts'
import type { SimulatedIdentity } from '../identity.ts'
import type { ReportListener } from '../report.ts'
import { Vehicle, type VehicleOptions } from '../vehicle.ts'
import { Radios } from './radios.ts'
import { DeviceRecord } from './record.ts'
import { Reporter } from './reporter.ts'
import { startDeviceServer, type DeviceServerOptions } from './server.ts'
import { networkApn, type Unit } from './unit.ts'

export interface DeviceOptions extends VehicleOptions, DeviceServerOptions {
  identity: SimulatedIdentity
  model: string
  user: string
  password: string
  seed: number
  faults?: FaultName[]
  /** The form of the documented `timestamp` and `RSSI`, which the document leaves open. */
  gpsTimestamp?: 'unix' | 'gps'
  rssiAs?: 'dbm' | 'csq'
  /** Time between regular reports, 10 s if omitted; 0 for none at all. */
  reportEveryMs?: number
  report?: ReportListener
}

export type SimulatedDevice = Awaited<ReturnType<typeof startDevice>>

/** How often the vehicle is computed while nobody reads it, so that its changes are reported when they happen. */
const tickMs = 100

/** Starts one device: its vehicle, its HTTP server and its reports. */
export async function startDevice(options: DeviceOptions) {
  const { identity, model } = options
  const host = options.host === '0.0.0.0' ? '127.0.0.1' : options.host
  const hostname = `${model}-${identity.imei}`
  const vehicle = new Vehicle(options)
  const record = new DeviceRecord()
  const faults = new Faults()
  const unit: Unit = {
    identity,
    model,
    hostname,
    user: options.user,
    password: options.password,
    seed: options.seed,
    gpsTimestamp: options.gpsTimestamp ?? 'unix',
    rssiAs: options.rssiAs ?? 'dbm',
    ip: host,
    vehicle,
    faults,
    record,
    radios: new Radios(options.seed, `${model}-${identity.imei.slice(-6)}`, () => vehicle.now()),
    startedMs: vehicle.now(),
    sessionCount: 0,
    apn: { apn: networkApn, user: '', pass: '', pin: '' },
    ecuParameters: [],
    ecuConfiguration: undefined,
    autoAlignments: [],
    lastAlignmentMs: undefined,
    updateChecks: 0,
    hasUpdated: false
  }

  /** `operation` is an id of resources/endpoints.json; if omitted, the fault applies to all. */
  function setFault(name: FaultName, on: boolean, operation?: string): void {
    faults.set(name, on, operation)
    if (isWiringFault(name)) vehicle.setWiringFault(name, faults.has(name))
    // The APN of another operator.
    if (name === 'wrongApn') unit.apn = { ...unit.apn, apn: on ? 'wrong.example' : networkApn }
  }
  for (const name of options.faults ?? []) setFault(name, true)

  const server = await startDeviceServer(unit, options)
  const everyMs = options.reportEveryMs ?? 10_000
  const reporter = options.report && everyMs > 0 ? new Reporter(unit, everyMs, options.report) : undefined
  reporter?.start()
  const tick = setInterval(() => vehicle.advance(), tickMs)
  tick.unref()

  return {
    imei: identity.imei,
    iccid: identity.iccid,
    model,
    hostname,
    host,
    port: server.port,
    url: `http://${host}:${server.port}`,
    user: options.user,
    password: options.password,
    vehicle,
    violations: record.violations,
    requests: record.requests,
    networks: unit.radios.networks,
    faults: () => faults.names(),
    setFault,
    /** A copy of the settings that cannot be read back over the API. */
    kept: () => structuredClone({ apn: unit.apn, ecuParameters: unit.ecuParameters, ecuConfiguration: unit.ecuConfiguration, autoAlignments: unit.autoAlignments }),
    /** `withGoodbye: false` leaves the announcement in caches, like a device that lost power. */
    stop: async (_options?: { withGoodbye?: boolean }): Promise<void> => {
      clearInterval(tick)
      reporter?.stop()
      await server.stop()
    }
  }
}
