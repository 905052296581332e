import type { SnapshotArea, SnapshotOperation } from '../../../preload/contract/snapshots.ts'

/** Where an operation stands for people: its area, and its part of it where the area has several. */
export const placeOf: Readonly<Record<SnapshotOperation, { area: SnapshotArea; part: string | null }>> = {
  'gps.position': { area: 'gps', part: null },
  'eth.state': { area: 'eth', part: null },
  'wifi.state': { area: 'wifi', part: 'state' },
  'wifi.list': { area: 'wifi', part: 'list' },
  'hotspot.state': { area: 'hotspot', part: 'state' },
  'hotspot.list': { area: 'hotspot', part: 'list' },
  'modem.information': { area: 'modem', part: 'information' },
  'modem.configuration': { area: 'modem', part: 'configuration' },
  'io.all': { area: 'io', part: null },
  'accel.state': { area: 'accelerometer', part: 'state' },
  'accel.configuration': { area: 'accelerometer', part: 'configuration' },
  'system.info': { area: 'system', part: null },
  'updates.osCheck': { area: 'updates', part: null },
  'apps.list': { area: 'apps', part: null }
}
