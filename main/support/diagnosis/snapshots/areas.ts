import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { Snapshot, SnapshotArea, SnapshotOperation } from '../../../../preload/contract/support/snapshots.ts'

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

/** Each area with the time of its reading and its failures: for several parts, the oldest time. */
export function areasOf(
  readings: Snapshot['readings']
): Partial<Record<SnapshotArea, { readAt: string; problems: Message[] }>> {
  const areas: Partial<Record<SnapshotArea, { readAt: string; problems: Message[] }>> = {}
  for (const [operation, { readAt, problems, failure }] of Object.entries(readings)) {
    const { area, part } = placeOf[operation as SnapshotOperation]
    const own = [...problems, ...(failure ? [failure.message] : [])].map((problem) =>
      part === null ? problem : message('reading.ofPart', { part, problem })
    )
    const known = areas[area]
    areas[area] = known
      ? { readAt: known.readAt < readAt ? known.readAt : readAt, problems: [...known.problems, ...own] }
      : { readAt, problems: own }
  }
  return areas
}
