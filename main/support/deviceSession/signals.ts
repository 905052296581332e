import type {
  GpsPosition,
  IoState,
  ModemInformation,
  Sparse,
  SystemInfo,
  WifiState
} from '../../../preload/contract/device/deviceAreas.ts'
import type { SignalName } from '../../../preload/contract/device/signals.ts'
import { hasPosition } from '../../../preload/base/maps/position.ts'
import { fixDoubts } from '../../base/reading/contradictions.ts'
import { readSignal } from '../../device/client/facts.ts'

type Signals = Partial<Record<SignalName, number | undefined>>

/**
 * The numbers of a position. Without a fix, or with one that its satellites contradict, an unchanged value says nothing
 * about movement.
 */
function ofPosition({ coords, extras }: Sparse<GpsPosition>): Signals {
  const hasFix = hasPosition({ coords, extras }) && fixDoubts({ coords, extras }).length === 0
  return {
    satellites: extras?.satsActive,
    hdop: extras?.hdop,
    vdop: extras?.vdop,
    pdop: extras?.pdop,
    speedKmh: hasFix ? coords?.speed : undefined,
    accuracyM: hasFix ? coords?.accuracy : undefined,
    altitudeM: hasFix ? coords?.altitude : undefined
  }
}

const readers: Readonly<Record<string, { names: readonly SignalName[]; read(value: unknown): Signals }>> = {
  'gps.position': {
    names: ['satellites', 'hdop', 'vdop', 'pdop', 'speedKmh', 'accuracyM', 'altitudeM'],
    read: (value) => ofPosition(value as Sparse<GpsPosition>)
  },
  'modem.information': {
    names: ['signalDbm'],
    read: (value) => ({ signalDbm: readSignal((value as Sparse<ModemInformation>).RSSI)?.dBm })
  },
  'wifi.state': {
    names: ['wifiDbm'],
    read: (value) => ({ wifiDbm: readSignal((value as Sparse<WifiState>).signal)?.dBm })
  },
  'io.all': {
    names: ['an1Mv', 'an2Mv', 'danMv', 'batteryMv'],
    read(value) {
      const { AN1, AN2, DAN, BAT } = value as Sparse<IoState>
      return { an1Mv: AN1, an2Mv: AN2, danMv: DAN, batteryMv: BAT }
    }
  },
  'system.info': {
    names: ['processorPercent', 'memoryFreeBytes', 'memoryUsedBytes', 'load', 'uptimeS'],
    read(value) {
      const { cpu, ram, loadAvg, uptime } = value as Sparse<SystemInfo>
      return {
        processorPercent: cpu?.usage,
        memoryFreeBytes: ram?.available ?? ram?.free,
        memoryUsedBytes: ram?.used,
        load: loadAvg?.[0],
        uptimeS: uptime
      }
    }
  }
}

/** The numbers in a device's answer; null for each missing number, or if nothing could be read. */
export function signalsOf(operation: string, value: unknown): [SignalName, number | null][] {
  const reader = readers[operation]
  if (!reader) return []
  const read = value === null || typeof value !== 'object' ? {} : reader.read(value)
  return reader.names.map((name) => [name, read[name] ?? null])
}
