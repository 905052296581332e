import type { Json } from '../../../../preload/contract/define.ts'
import type { Snapshot, SnapshotOperation, SnapshotReading } from '../../../../preload/contract/support/snapshots.ts'

const position = {
  coords: { latitude: 47.4, longitude: 8.5, speed: 0, accuracy: 2, altitude: 400, bearing: 100, altitudeAccuracy: 3 },
  timestamp: 1_800_000_000,
  extras: { hdop: 0.8, vdop: 1, pdop: 1.2, fix: 3, satsActive: 11, criteria: 'signal' }
}
const lines = {
  IGN: false,
  TIG: false,
  IN1: false,
  IN2: false,
  IN3: false,
  IN4: false,
  IN5: false,
  IN6: false,
  IN7: false,
  PWR: true,
  MOT: false,
  OUT1: false,
  OUT2: false,
  OUT3: false,
  OUT4: false,
  SO1: false,
  SO2: false,
  SO3: false,
  SO4: false,
  AN1: 12_600,
  AN2: 0,
  DAN: 0,
  BAT: 3_900
}
const modem = {
  MANUFACTURER: 'M',
  REVISION: '1',
  MODEL: 'X',
  IMEI: '861234016670005',
  SIM_IMSI: '2280',
  SIM_STATE: 'READY',
  SIM_ID: '8941',
  GSM_REG: '1',
  GPRS_REG: '1',
  RSSI: '-71',
  IP: '10.1.2.3',
  RAT: 'LTE',
  MCC_MNC: '22801',
  NO_CONN_TIME: '0',
  BAND: '20',
  OPERATOR: 'Operator One',
  MODEM_STATE: 'ok',
  eSIM_IMSI: '',
  eSIM_ID: '',
  eSIM_STATE: '',
  SIM_TYPE: 'EXTERNAL'
}
const system = {
  uptime: 5_000,
  osVersion: '24.8',
  kernelVersion: '5',
  releaseDate: '20260101000000',
  sessionCount: 4,
  hostname: 'ft4-861234016670005',
  loadAvg: [0.1, 0.2, 0.3],
  ram: { total: 8, used: 2, free: 6, available: 6 }
}

export const sampleAnswers = {
  'gps.position': position,
  'io.all': lines,
  'modem.information': modem,
  'modem.configuration': { APN: 'internet', SIM_PRIORITY: '0', SIM_SW_INTERVAL: '24', KEEP_ALIVE: '60' },
  'system.info': system,
  'accel.configuration': { MOTION_THRESHOLD: '30', CFG_CORNERING_LEFT: '350' },
  'wifi.list': { ssids: ['Yard', 'Office'] },
  'apps.list': [{ name: 'tracker', version: '3.8.0', status: 'active' }]
} satisfies Partial<Record<SnapshotOperation, Json>>
type Answers = { [Operation in SnapshotOperation]?: Json }

export function readingOf(value: Json, readAt = '2026-04-12T09:00:01.000Z'): SnapshotReading {
  return { value, raw: value, problems: [], readAt, elapsedMs: 12, failure: null }
}

/** A snapshot of a parked device, with other answers where they are given; null: that operation gave nothing. */
export function sampleSnapshot(answers: Answers = {}, more: Partial<Snapshot> = {}): Snapshot {
  const takenAt = more.takenAt ?? '2026-04-12T09:00:00.000Z'
  const readings = Object.fromEntries(
    Object.entries({ ...sampleAnswers, ...answers }).map(([operation, value]) => [
      operation,
      value === null
        ? {
            ...readingOf(null, takenAt),
            failure: { code: 'TIMEOUT', message: { id: 'plain.text', values: { text: 'silent' } } }
          }
        : readingOf(value, takenAt)
    ])
  ) as Snapshot['readings']
  return {
    format: 'fitter-snapshot',
    version: 1,
    takenAt,
    cause: 'person',
    jobId: null,
    by: 'Technician One',
    device: { imei: '861234016670005', model: 'ft4', host: '192.0.2.7:8080' },
    vehicle: null,
    versions: { fitter: '0.1.0', os: '24.8', kernel: '5', accelerometer: null },
    readings,
    gateway: null,
    ...more
  }
}
