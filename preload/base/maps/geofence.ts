import { distanceM, earthRadiusM, type Position } from './distance.ts'

/** Shapes as in the contract: coordinates are [longitude, latitude] in degrees, radius in meters. */
export type FenceShape =
  | { type: 'Polygon'; rings: readonly (readonly (readonly [number, number])[])[] }
  | { type: 'Circle'; center: readonly [number, number]; radiusM: number }
  | { type: 'LineString'; points: readonly (readonly [number, number])[]; radiusM: number }

type Coordinates = readonly [longitude: number, latitude: number]

/**
 * Whether a position is inside a geofence ("Geofence"): a polygon (holes are outside), a circle, or within the radius
 * of a line.
 */
export function isInsideFence(shape: FenceShape, position: Coordinates): boolean {
  switch (shape.type) {
    case 'Circle':
      return distanceM(placeOf(shape.center), placeOf(position)) <= shape.radiusM
    case 'LineString':
      return shape.points.some(
        (point, index) => distanceToSegmentM(point, shape.points[index + 1] ?? point, position) <= shape.radiusM
      )
    case 'Polygon':
      // Even-odd over all rings: a second ring is a hole.
      return shape.rings.reduce((inside, ring) => inside !== isInsideRing(ring, position), false)
  }
}

function placeOf([longitude, latitude]: Coordinates): Position {
  return { latitude, longitude }
}

function isInsideRing(ring: readonly Coordinates[], [lon, lat]: Coordinates): boolean {
  let inside = false
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [xi, yi] = ring[i] as Coordinates
    const [xj, yj] = ring[j] as Coordinates
    if (yi > lat !== yj > lat && lon < ((xj - xi) * (lat - yi)) / (yj - yi) + xi) inside = !inside
  }
  return inside
}

/** On a plane that touches the earth at the position: exact enough within the few kilometers of a fence. */
function distanceToSegmentM(a: Coordinates, b: Coordinates, [lon, lat]: Coordinates): number {
  const perLat = (Math.PI / 180) * earthRadiusM
  const perLon = perLat * Math.cos((lat * Math.PI) / 180)
  const [ax, ay, bx, by] = [(a[0] - lon) * perLon, (a[1] - lat) * perLat, (b[0] - lon) * perLon, (b[1] - lat) * perLat]
  const lengthSquared = (bx - ax) ** 2 + (by - ay) ** 2
  const along = lengthSquared === 0 ? 0 : Math.max(0, Math.min(1, -(ax * (bx - ax) + ay * (by - ay)) / lengthSquared))
  return Math.hypot(ax + along * (bx - ax), ay + along * (by - ay))
}
