import { noiseAt } from '../random.ts'
import type { SimulatedIdentity } from '../identity.ts'
import type { Faults } from '../faults.ts'
import type { Vehicle } from '../vehicle.ts'
import type { BodyOf } from './bodies.ts'
import type { DeviceRecord } from './record.ts'
import type { Radios } from './radios.ts'

/** Everything that one simulated device is and remembers; the handlers read and change it. */
export interface Unit {
  identity: SimulatedIdentity
  model: string
  hostname: string
  user: string
  password: string
  seed: number
  gpsTimestamp: 'unix' | 'gps'
  rssiAs: 'dbm' | 'csq'
  /** Address that the device believes to have. */
  ip: string
  vehicle: Vehicle
  faults: Faults
  record: DeviceRecord
  radios: Radios
  startedMs: number
  sessionCount: number
  apn: BodyOf<'modem.editApn'>
  ecuParameters: BodyOf<'ecu.addParameter'>[]
  ecuConfiguration: BodyOf<'ecu.configure'> | undefined
  autoAlignments: { at: string; state: boolean }[]
  lastAlignmentMs: number | undefined
  updateChecks: number
  hasUpdated: boolean
}

/** Signal of the cellular network in dBm, -113 + 2n. */
export function rssiDbmOf(unit: Unit): number {
  const csq = 21 + Math.round(noiseAt(unit.seed, 'rssi', Math.floor(unit.vehicle.now() / 5000)))
  return -113 + 2 * csq
}

export function isRegistered(unit: Unit): boolean {
  return !unit.faults.has('noSim') && !unit.faults.has('notRegistered')
}

/** True once a bus is configured and the engine has run. */
export function isEngineBusDetected(unit: Unit): boolean {
  return unit.ecuConfiguration !== undefined && unit.vehicle.state().engineHasRun
}
