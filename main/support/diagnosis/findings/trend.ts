import type { Trend } from '../../../../preload/contract/support/diagnosis.ts'
import type { SeenEvent } from '../../../../preload/contract/support/evidence.ts'
import { isoAt } from '../linkVerdict.ts'
import { ageOf, type EvidenceView } from '../evidenceView.ts'

/** With fewer points nothing can be seen. */
const fewestPoints = 3

interface Measured {
  measure: Trend['measure']
  limit: number
  /** Undefined: this event does not contain the value. */
  of(event: SeenEvent): number | null | undefined
  isWrong(value: number): boolean
}

/**
 * A value over the gateway's events, and since when it is wrong; the start is known only after an event that was in
 * order.
 */
export function trendOf(
  sight: EvidenceView,
  { measure, limit, of, isWrong }: Measured
): { sinceAt: string | null; trend?: Trend } {
  const points = sight.events
    .flatMap((event): [number, number][] => {
      const [value, ageS] = [of(event), ageOf(event, sight)]
      return value === null || value === undefined || ageS === null ? [] : [[sight.nowMs - ageS * 1000, value]]
    })
    .sort((a, b) => a[0] - b[0])
  const lastRight = points.findLastIndex(([, value]) => !isWrong(value))
  const first = lastRight < 0 ? undefined : points[lastRight + 1]
  const sinceAt = first === undefined ? null : isoAt(first[0])
  return points.length < fewestPoints ? { sinceAt } : { sinceAt, trend: { measure, limit, points } }
}
