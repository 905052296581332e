import type { TrackPlace } from './mapPositions.ts'

/** Points too close to tell apart are not drawn: one every three metres is enough for a street. */
const leastApartDegrees = 0.000027

/**
 * A track with at most `most` points: first without points at the same place as the previous one, then every second,
 * fourth, ... point. The first and the last stay, so that the track begins and ends where it did.
 */
export function thinTrack(track: readonly TrackPlace[], most: number): TrackPlace[] {
  const apart = dropRepeated(track)
  const step = Math.ceil((apart.length - 1) / Math.max(1, most - 1))
  if (step <= 1) return apart
  const last = apart.length - 1
  return apart.filter((_, index) => index === last || (index % step === 0 && last - index >= step / 2))
}

function dropRepeated(track: readonly TrackPlace[]): TrackPlace[] {
  const kept: TrackPlace[] = []
  for (const [index, place] of track.entries()) {
    const before = kept.at(-1)
    const isNear =
      before !== undefined &&
      Math.abs(before[0] - place[0]) < leastApartDegrees &&
      Math.abs(before[1] - place[1]) < leastApartDegrees
    if (!isNear) kept.push(place)
    else if (index === track.length - 1 && kept.length > 1) kept[kept.length - 1] = place
  }
  return kept
}

/** The parts of a track between its gaps (null): an unobserved stretch is not drawn as driven. */
export function partsOf(track: readonly (TrackPlace | null)[]): TrackPlace[][] {
  const parts: TrackPlace[][] = [[]]
  for (const place of track) {
    if (place === null) parts.push([])
    else parts.at(-1)?.push(place)
  }
  return parts.filter((part) => part.length > 0)
}
