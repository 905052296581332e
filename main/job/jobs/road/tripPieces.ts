import { z } from 'zod'
import type { Evidence } from '../../../../preload/contract/job/jobs.ts'
import { trackPoint, type TrackPoint } from '../../../../preload/contract/device/track.ts'

/** A part of a trip in the log: written during the drive, so that it survives a crash. */
const piece = z.object({ tripBeganMs: z.number(), clockOffS: z.number(), points: z.array(trackPoint) })
export type TripPiece = z.infer<typeof piece>

export interface KeptTrip {
  points: TrackPoint[]
  clockOffS: number
  writtenMs: number
}

/** The last trip, assembled from its parts; undefined without one. */
export function keptTrip(evidence: readonly Pick<Evidence, 'raw' | 'at'>[]): KeptTrip | undefined {
  const pieces = evidence.flatMap(({ raw, at }) => {
    const parsed = piece.safeParse(raw)
    return parsed.success ? [{ ...parsed.data, atMs: Date.parse(at) }] : []
  })
  const last = pieces.at(-1)
  if (!last) return undefined
  const points = pieces.filter(({ tripBeganMs }) => tripBeganMs === last.tripBeganMs).flatMap((one) => one.points)
  return points.length === 0 ? undefined : { points, clockOffS: last.clockOffS, writtenMs: last.atMs }
}
