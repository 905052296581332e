import type { VoltagePoint } from '../../../preload/contract/device/lines.ts'

/** Every reading of the last minutes; for older times the minimum and maximum of each ten seconds. */
export const fineMs = 10 * 60_000
const bucketMs = 10_000

/** A day of one voltage in bounded memory. No dip is lost: older periods keep their minimum and maximum. */
export type VoltageTiers = ReturnType<typeof createVoltageTiers>

export function createVoltageTiers() {
  const coarse: VoltagePoint[] = []
  const fine: VoltagePoint[] = []
  let last: number | null | undefined

  return {
    /** An unreadable value is recorded once. */
    add(atMs: number, valueMv: number | null): void {
      if (valueMv === null && last === null) return
      last = valueMv
      fine.push([atMs, valueMv, valueMv])
    },
    /** Combines old readings, and forgets those before `fromMs`. */
    fold(nowMs: number, fromMs: number): void {
      const edgeMs = Math.floor((nowMs - fineMs) / bucketMs) * bucketMs
      if (fine[0] && fine[0][0] < edgeMs) {
        coarse.push(...coarsePoints(fine.splice(0, countBefore(fine, edgeMs))))
      }
      for (const points of [coarse, fine]) {
        if (points[0] && points[0][0] < fromMs) points.splice(0, countBefore(points, fromMs))
      }
    },
    after: (atMs: number): VoltagePoint[] => [...coarse, ...fine].filter((point) => point[0] > atMs)
  }
}

function countBefore(points: readonly VoltagePoint[], atMs: number): number {
  const first = points.findIndex((point) => point[0] >= atMs)
  return first === -1 ? points.length : first
}

function coarsePoints(points: readonly VoltagePoint[]): VoltagePoint[] {
  const made: VoltagePoint[] = []
  for (const [bucket, all] of Map.groupBy(points, ([atMs]) => Math.floor(atMs / bucketMs))) {
    const values = all.flatMap(([, leastMv, mostMv]) => (leastMv === null || mostMv === null ? [] : [leastMv, mostMv]))
    const first = all[0]?.[0] ?? bucket * bucketMs
    const end = all.at(-1)
    if (values.length > 0) made.push([first, Math.min(...values), Math.max(...values)])
    // A line never connects across an unreadable period.
    if (end && end[1] === null) made.push([end[0], null, null])
  }
  return made
}
