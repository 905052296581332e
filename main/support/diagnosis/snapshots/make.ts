import type { Json } from '../../../../preload/contract/define.ts'
import {
  snapshotVersion,
  type Snapshot,
  type SnapshotLine,
  type SnapshotReading
} from '../../../../preload/contract/support/snapshots.ts'
import { parseDeviceName } from '../../../../preload/contract/base/imei.ts'
import type { Gathered } from './gather.ts'

export interface MadeOf extends Pick<Snapshot, 'cause' | 'jobId' | 'by'> {
  gathered: Gathered
  device: { imei: string | null; model: string | null; host: string }
  /** The vehicle of the job; the gateway's data takes precedence. */
  vehicle: { id: number | null; name: string } | null
  fitterVersion: string
}

export function makeSnapshot({ gathered, cause, jobId, by, device, vehicle, fitterVersion }: MadeOf): Snapshot {
  const { takenAt, readings, gateway } = gathered
  const named = parseDeviceName(textOf(readings['system.info'], 'hostname') ?? '')
  const atGateway = gateway?.vehicle?.value
  const shown = atGateway ? { id: atGateway.id, name: atGateway.name } : vehicle
  return {
    format: 'fitter-snapshot',
    version: snapshotVersion,
    takenAt,
    cause,
    jobId,
    by: cut(by),
    device: {
      imei: device.imei ?? named?.imei ?? null,
      model: device.model ?? named?.model ?? null,
      host: cut(device.host)
    },
    vehicle: shown && { id: shown.id, name: cut(shown.name) },
    versions: {
      fitter: fitterVersion,
      os: textOf(readings['system.info'], 'osVersion'),
      kernel: textOf(readings['system.info'], 'kernelVersion'),
      accelerometer: textOf(readings['accel.state'], 'FW_VERSION')
    },
    readings,
    gateway
  }
}

function textOf(reading: SnapshotReading | undefined, field: string): string | null {
  const value = fieldOf(reading, field)
  return typeof value === 'string' && value !== '' ? cut(value) : null
}

function fieldOf(reading: SnapshotReading | undefined, field: string): Json | undefined {
  const value = reading?.value
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value[field] : undefined
}

export function uptimeOf({ readings }: Snapshot): number | null {
  const uptime = fieldOf(readings['system.info'], 'uptime')
  return typeof uptime === 'number' ? uptime : null
}

function cut(text: string): string {
  return text.slice(0, 200)
}

export function lineOf(
  snapshot: Snapshot,
  file: { id: string; sha256: string; sizeBytes: number; isOpened: boolean }
): SnapshotLine {
  const { takenAt, cause, device, jobId, vehicle, versions, by, gateway } = snapshot
  const readings = Object.values(snapshot.readings)
  return {
    ...file,
    isDamaged: false,
    takenAt,
    cause,
    imei: device.imei,
    model: device.model,
    jobId,
    vehicle,
    osVersion: versions.os,
    by,
    asked: readings.length,
    silent: readings.filter(({ value }) => value === null).length,
    withGateway: gateway?.state === 'answers'
  }
}
