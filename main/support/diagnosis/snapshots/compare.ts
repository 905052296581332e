import { message } from '../../../../preload/contract/messages.ts'
import type { Snapshot, SnapshotComparison, SnapshotLine } from '../../../../preload/contract/support/snapshots.ts'
import { diffSnapshots } from './diff.ts'
import { uptimeOf } from './make.ts'
import { noiseRules } from './noiseRules.ts'
import { restartsSeen, type UptimeAt } from './restarts.ts'
import { sayDifferences } from './sayDifferences.ts'

/**
 * The differences of two snapshots, and sentences for those that matter. `between`: other snapshots of the same device.
 */
export function compareSnapshots({
  before,
  after,
  between = [],
  without = []
}: {
  before: Snapshot
  after: Snapshot
  between?: readonly UptimeAt[]
  without?: readonly string[]
}): Omit<SnapshotComparison, 'before' | 'after'> {
  const { differences, unknown } = diffSnapshots(before, after, without)
  const isOneDevice = before.device.imei === after.device.imei
  const ends = [before, after].map((snapshot) => ({ takenAt: snapshot.takenAt, uptime: uptimeOf(snapshot) }))
  const restarts = isOneDevice ? restartsSeen([...ends, ...between]) : 0
  const others = isOneDevice
    ? []
    : [message('snapshots.said.otherDevice', { before: nameOf(before), after: nameOf(after) })]
  return {
    differences,
    unknown,
    sentences: [...others, ...sayDifferences({ before, after, differences, restarts })],
    rules: noiseRules.map(({ id, text }) => ({ id, text }))
  }
}

function nameOf({ device }: Snapshot): string {
  return device.imei ?? device.host
}

/** The earlier snapshot is first, in whatever order they were named. */
export function inOrder<T extends Pick<SnapshotLine, 'takenAt'>>(one: T, other: T): [T, T] {
  return Date.parse(one.takenAt) <= Date.parse(other.takenAt) ? [one, other] : [other, one]
}
