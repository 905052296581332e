import { isWiringFault, type FaultName } from '../faults.ts'
import type { ReportListener } from '../report.ts'
import { Vehicle, type VehicleOptions } from '../vehicle.ts'
import { Reporter } from './reporter.ts'
import { startDeviceServer, type DeviceServerOptions } from './server.ts'
import { announcedNameOf, createUnit, networkApn, type UnitOptions } from './unit.ts'

export interface DeviceOptions extends VehicleOptions, UnitOptions, DeviceServerOptions {
  seed: number
  faults?: FaultName[]
  /** Time between regular reports, 10 s if omitted; 0 for none at all. */
  reportEveryMs?: number
  report?: ReportListener
}

export type SimulatedDevice = Awaited<ReturnType<typeof startDevice>>

/** How often the vehicle is computed while nobody reads it, so that its changes are reported when they happen. */
const tickMs = 100

/** Starts one device: its vehicle, its HTTP server and its reports. */
export async function startDevice(options: DeviceOptions) {
  const host = options.host === '0.0.0.0' ? '127.0.0.1' : options.host
  const vehicle = new Vehicle(options)
  const unit = createUnit(options, vehicle, host)
  const { faults, identity, record } = unit

  const renaming = new Set<() => void>()

  /** `operation` is an id of resources/endpoints.json; if omitted, the fault applies to all. */
  function setFault(name: FaultName, on: boolean, operation?: string): void {
    faults.set(name, on, operation)
    if (isWiringFault(name)) vehicle.setWiringFault(name, faults.has(name))
    // The APN of another operator.
    if (name === 'wrongApn') unit.apn = { ...unit.apn, apn: on ? 'wrong.example' : networkApn }
    if (name === 'noImei' || name === 'renamed') for (const listener of renaming) listener()
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
    model: unit.model,
    hostname: unit.hostname,
    announcedName: () => announcedNameOf(unit),
    /** The name that it announces may have changed. */
    onRenaming: (listener: () => void): void => void renaming.add(listener),
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
    kept: () =>
      structuredClone({
        apn: unit.apn,
        ecuParameters: unit.ecuParameters,
        ecuConfiguration: unit.ecuConfiguration,
        autoAlignments: unit.autoAlignments
      }),
    /** `withGoodbye: false` leaves the announcement in caches, like a device that lost power. */
    stop: async (_options?: { withGoodbye?: boolean }): Promise<void> => {
      clearInterval(tick)
      reporter?.stop()
      await server.stop()
    }
  }
}
