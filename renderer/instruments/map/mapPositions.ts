/** A place on a map: WGS-84 degrees. */
export interface MapPosition {
  latitude: number
  longitude: number
}

/** What one witness says about where it is. */
export interface WitnessPlace extends MapPosition {
  /** When that was, epoch milliseconds by the clock of this computer; without it no age is said. */
  atMs?: number | undefined
  /** Radius of the circle in which it is, in metres. */
  accuracyM?: number | undefined
  /** Degrees from north; undefined while it stands still. */
  bearing?: number | undefined
}

/** Latitude, then longitude. */
export type TrackPlace = readonly [latitude: number, longitude: number]

/** A geofence; its coordinates are [longitude, latitude]. */
export interface MapFence {
  name: string
  inside: boolean | null
  shape:
    | { type: 'Polygon'; rings: readonly (readonly (readonly [number, number])[])[] }
    | { type: 'Circle'; center: readonly [number, number]; radiusM: number }
    | { type: 'LineString'; points: readonly (readonly [number, number])[]; radiusM: number }
}

/** A place as people compare it: five decimals are a metre. */
export function placeText({ latitude, longitude }: MapPosition): string {
  return `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`
}

/** What lies under the marks. */
export type MapBase =
  | { kind: 'outline' }
  /** `address` of the offline map, answered by ranges; `maxZoom` is the closest that is in it. */
  | { kind: 'file'; address: string; maxZoom: number; language: string }
  /** `address` with {z}, {x} and {y}: asked of Fitter, which asks outside. */
  | { kind: 'online'; address: string; maxZoom: number }
