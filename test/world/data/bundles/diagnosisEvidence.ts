import { join } from 'node:path'
import { diagnosisLimits } from '../../../../main/support/diagnosis/limits.ts'
import { loadShipped } from '../../../../main/job/jobs/checklists/shipped.ts'
import {
  evidence as evidenceSchema,
  type DeviceEvidence,
  type Evidence,
  type GatewayEvidence,
  type SeenEvent
} from '../../../../preload/contract/support/evidence.ts'

const { standardProfile } = loadShipped(join(import.meta.dirname, '..', '..', '..', '..', 'resources'))
export const limits = diagnosisLimits(standardProfile)
export const tolerances = standardProfile.comparison
export const imei = '867698040023056'
export const at = '2026-11-20T10:00:00.000Z'
export const nowMs = Date.parse(at)

const good = {
  'io.all': { PWR: true, IGN: false, TIG: false, MOT: false, OUT1: false, SO1: false, BAT: 4_100 },
  'modem.information': {
    IMEI: imei,
    SIM_STATE: 'READY',
    SIM_ID: '89570000000000000017',
    SIM_TYPE: 'EXTERNAL',
    GSM_REG: '1',
    GPRS_REG: '1',
    RSSI: '-71',
    IP: '10.64.12.7',
    RAT: 'LTE',
    OPERATOR: 'Test network'
  },
  'modem.configuration': { APN: 'internet.example', KEEP_ALIVE: '60' },
  'gps.position': {
    coords: { latitude: 47.4, longitude: 8.5, speed: 0 },
    timestamp: nowMs / 1000,
    extras: { fix: 3, satsActive: 11, hdop: 0.8 }
  },
  'system.info': { hostname: `ft4-${imei}`, uptime: 86_400 }
} as const
type Operation = keyof typeof good

/** A device that is well, with these changes of its readings; null: not read. */
export function device(
  changes: Partial<Record<Operation, object | null>> = {},
  more: Partial<DeviceEvidence> = {}
): DeviceEvidence {
  const readings = Object.fromEntries(
    Object.entries(good).flatMap(([operation, value]) => {
      const change = changes[operation as Operation]
      if (change === null) return []
      return [
        [
          operation,
          {
            value: JSON.parse(JSON.stringify({ ...value, ...change })) as object,
            raw: null,
            problems: [],
            readAt: at,
            elapsedMs: 20,
            failure: null
          }
        ]
      ]
    })
  )
  return { state: 'answers', why: null, host: '192.168.8.10:8080', readings, lately: null, ...more }
}

/** A position that arrived so long ago. */
export function event(agoS: number, more: Partial<SeenEvent> = {}): SeenEvent {
  const eventAtMs = nowMs - agoS * 1000
  return {
    eventAtMs,
    arrivedAtMs: eventAtMs + 1_000,
    type: 10,
    label: 'prdtst',
    imei,
    vehicleId: 7,
    latitude: 47.4,
    longitude: 8.5,
    isPositionValid: true,
    speedKmh: 0,
    headingDeg: 0,
    satellites: 11,
    hdop: 0.8,
    signalDbm: -71,
    raw: { id: agoS },
    ...more
  }
}

/** As the gateway said it at the time of the evidence. */
export const kept = <T>(value: T) => ({ value, readAt: at })

/** A gateway where all is well, with these changes. */
export function gateway(more: Partial<GatewayEvidence> = {}): GatewayEvidence {
  return {
    state: 'answers',
    why: null,
    aheadS: 0,
    user: kept({
      name: 'support@example.com',
      isStaff: false,
      scopes: { vehicles: 'r', rawdata: 'r', devices: 'r' },
      groups: [1]
    }),
    vehicle: kept({ id: 7, name: 'Unit 0007', plate: null, groups: [1], imei }),
    elsewhere: null,
    stays: [],
    record: kept({ imei, simIds: ['89570000000000000017'], raw: {} }),
    sim: null,
    lines: kept({ values: { io_pwr: true, io_ign: false }, atMs: nowMs - 10_000, raw: {} }),
    engineBus: null,
    distanceM: null,
    events: kept([event(10), event(20), event(30)]),
    eventsSinceAt: new Date(nowMs - 86_400_000).toISOString(),
    refused: {},
    ...more
  }
}

/** Reports every few minutes: half an hour without one is a silence. */
export const fewMinutes = { driving: 450, parked: 450, unknown: 450 }

export function seen(parts: {
  imei?: null
  device?: DeviceEvidence | null
  gateway?: GatewayEvidence | null
  expected?: Partial<Evidence['expected']>
  vehicleText?: string
  rhythm?: Evidence['rhythm']
}): Evidence {
  return evidenceSchema.parse({
    at,
    imei: parts.imei === null ? null : imei,
    vehicleText: parts.vehicleText ?? null,
    device: parts.device ?? null,
    gateway: parts.gateway ?? null,
    expected: { apn: null, simId: null, from: null, ...parts.expected },
    ...(parts.rhythm ? { rhythm: parts.rhythm } : {})
  })
}
