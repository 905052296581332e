import { message } from '../../../../preload/contract/messages.ts'
import type { Snapshot, SnapshotReading } from '../../../../preload/contract/support/snapshots.ts'

/** For all answers together; usual answers need a fiftieth of it. */
const mostBytes = 600_000

/**
 * Limits the file even if a device sends endless data: the largest answers lose their undocumented fields first, then
 * all content.
 */
export function fitToSize(readings: Snapshot['readings']): Snapshot['readings'] {
  const sizes = new Map(Object.entries(readings).map(([name, reading]) => [name, sizeOf(reading)]))
  const kept: Snapshot['readings'] = { ...readings }
  for (const lighter of [withoutRaw, withoutValue]) {
    for (const [name] of [...sizes].sort(([, a], [, b]) => b - a)) {
      if (sum(sizes) <= mostBytes) return kept
      const operation = name as keyof typeof readings
      const reading = kept[operation]
      if (!reading) continue
      const less = lighter(reading)
      kept[operation] = less
      sizes.set(name, sizeOf(less))
    }
  }
  return kept
}

function withoutRaw(reading: SnapshotReading): SnapshotReading {
  return {
    ...reading,
    raw: null,
    problems: [...reading.problems, message('snapshots.rawTooLarge', { sizeBytes: sizeOf(reading.raw) })]
  }
}

function withoutValue(reading: SnapshotReading): SnapshotReading {
  return {
    ...reading,
    value: null,
    problems: [message('snapshots.areaTooLarge', { sizeBytes: sizeOf(reading.value) })]
  }
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length
}

function sum(sizes: ReadonlyMap<string, number>): number {
  return [...sizes.values()].reduce((all, one) => all + one, 0)
}
