import type { EventPicture } from '../../../../preload/contract/gateway/vehicles/eventLog.ts'
import type { TimeSpan } from '../../../../preload/base/signals/points.ts'
import type { Stretches } from '../useEventLog.ts'

export interface CommonTrouble {
  kind: 'kept' | 'silent'
  fromMs: number
  toMs: number
}

/** A shorter overlap is chance. */
const leastMs = 60_000
/** The longest time in which both vehicles buffered their events, or in which both were silent; null: none. */
export function findCommonTrouble(one: Stretches, other: Stretches): CommonTrouble | null {
  const kept = (stretches: Stretches): TimeSpan[] => stretches.kept.filter(({ kind }) => kind === 'kept')
  // Before the first and after the last event nothing is known of a vehicle.
  const silent = (stretches: Stretches): TimeSpan[] => stretches.gaps.filter(({ open }) => open === null)
  const found = [
    ...overlaps(kept(one), kept(other)).map((span) => ({ kind: 'kept' as const, ...span })),
    ...overlaps(silent(one), silent(other)).map((span) => ({ kind: 'silent' as const, ...span }))
  ]
  return found.reduce<CommonTrouble | null>(
    (longest, next) => (!longest || next.toMs - next.fromMs > longest.toMs - longest.fromMs ? next : longest),
    null
  )
}

function overlaps(one: readonly TimeSpan[], other: readonly TimeSpan[]): TimeSpan[] {
  return one
    .flatMap((a) => other.map((b) => ({ fromMs: Math.max(a.fromMs, b.fromMs), toMs: Math.min(a.toMs, b.toMs) })))
    .filter(({ fromMs, toMs }) => toMs - fromMs >= leastMs)
}

/** The last value of a field at or before a moment, unless a silence is between; null: none. */
export function valueAt(picture: EventPicture | null, field: string, atMs: number, silentFromS: number): number | null {
  const series = picture?.series.find((one) => one.field === field)
  if (!series) return null
  const index = series.atMs.findLastIndex((at, place) => at <= atMs && series.values[place] !== null)
  const at = series.atMs[index]
  return at === undefined || atMs - at > silentFromS * 1000 ? null : (series.values[index] ?? null)
}

/** The average delay of the events around a moment, in seconds; null: none. */
export function delayAt(picture: EventPicture | null, atMs: number): number | null {
  if (!picture || picture.delayMs.length === 0) return null
  const column = Math.floor(
    ((atMs - picture.fromMs) / Math.max(1, picture.toMs - picture.fromMs)) * picture.delayMs.length
  )
  const delayMs = picture.delayMs[column] ?? null
  return delayMs === null ? null : Math.round(delayMs / 100) / 10
}
