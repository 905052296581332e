/** A place: WGS-84 degrees. */
export interface Position {
  latitude: number
  longitude: number
}

export const earthRadiusM = 6_371_008.8

/** Distance along the surface between two positions, in metres (haversine, error at most 0.5 %). */
export function distanceM(a: Position, b: Position): number {
  const latitude1 = radians(a.latitude)
  const latitude2 = radians(b.latitude)
  const halfLatitude = (latitude2 - latitude1) / 2
  const halfLongitude = radians(b.longitude - a.longitude) / 2
  const chord = Math.sin(halfLatitude) ** 2 + Math.cos(latitude1) * Math.cos(latitude2) * Math.sin(halfLongitude) ** 2
  return 2 * earthRadiusM * Math.asin(Math.min(1, Math.sqrt(chord)))
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
