import type { Trend } from '../../../../preload/contract/support/diagnosis.ts'
import type { SeenEvent } from '../../../../preload/contract/support/evidence.ts'
import { isPlaced, isPowerLoss, isOfReceiver } from '../../../base/reading/reportedEvents.ts'
import { momentOf } from '../events.ts'
import { isoAt } from '../linkVerdict.ts'
import { ageOf, type EvidenceView } from '../evidenceView.ts'

/** With fewer points nothing can be seen. */
const fewestPoints = 3

/** A value of the events, and whether it shows the condition. */
interface Condition {
  /** Undefined: this event does not contain the value. */
  of(event: SeenEvent): number | null | undefined
  isWrong(value: number): boolean
  /** An event that says of itself that it is the change: nothing before it has to be known. */
  isChange?(event: SeenEvent): boolean
  /** The dates of the device are what is wrong, or late: the arrival counts. */
  isByArrival?: boolean
}

interface Measured extends Condition {
  measure: Trend['measure']
  limit: number
}

/** Each event with the value, oldest first, by its moment on our clock. */
function pointsOf(sight: EvidenceView, events: readonly SeenEvent[], { of, isByArrival = false }: Condition) {
  return events
    .flatMap((event) => {
      const [value, atMs] = [of(event), momentOf(event, sight, isByArrival)]
      return value === null || value === undefined || ageOf(event, sight) === null || atMs === null
        ? []
        : [{ event, value, atMs }]
    })
    .sort((a, b) => a.atMs - b.atMs)
}

/**
 * When a condition began that still lasts: the first event that shows it, after one that was in order. Null where no
 * event shows the change, so it never moves while the condition lasts.
 */
export function beganAt(sight: EvidenceView, condition: Condition): string | null {
  const { isWrong, isChange = () => false } = condition
  const points = pointsOf(sight, [...sight.events, ...(sight.gateway?.earlier ?? [])], condition)
  const lastRight = points.findLastIndex(({ value }) => !isWrong(value))
  const run = points.slice(lastRight + 1)
  const first = lastRight < 0 ? run.find(({ event }) => isChange(event)) : run[0]
  return first === undefined ? null : isoAt(first.atMs)
}

/** Since when the events have no external power. */
export function powerGoneSince(sight: EvidenceView): string | null {
  return beganAt(sight, {
    of: ({ hasPower }) => (typeof hasPower === 'boolean' ? Number(hasPower) : null),
    isWrong: (power) => power === 0,
    isChange: isPowerLoss
  })
}

/** Since when the events have no position. */
export function noPlaceSince(sight: EvidenceView): string | null {
  return beganAt(sight, {
    of: (event) => (isOfReceiver(event) ? Number(isPlaced(event)) : null),
    isWrong: (placed) => placed === 0
  })
}

/** A value over the gateway's events, and since when it is wrong. */
export function trendOf(sight: EvidenceView, measured: Measured): { sinceAt: string | null; trend?: Trend } {
  const { measure, limit } = measured
  const sinceAt = beganAt(sight, measured)
  const points = pointsOf(sight, sight.events, measured).map(({ atMs, value }): [number, number] => [atMs, value])
  return points.length < fewestPoints ? { sinceAt } : { sinceAt, trend: { measure, limit, points } }
}
