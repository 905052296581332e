import type { LiveOperation } from '../../../preload/contract/workspace.ts'

const areas: Readonly<Record<string, string>> = {
  gps: 'device.gps',
  eth: 'device.network',
  wifi: 'device.network',
  hotspot: 'device.network',
  modem: 'device.modem',
  io: 'device.io',
  accel: 'device.accelerometer',
  system: 'device.system',
  updates: 'device.updates',
  apps: 'device.applications'
}

/** In which area of resources/knowledge the fields of an answer are explained. */
export function areaOf(operation: LiveOperation): string {
  return areas[operation.split('.')[0] ?? ''] ?? 'device'
}
