import type { Position } from '../../../../preload/base/maps/distance.ts'
import type { FenceShape } from '../../../../preload/base/maps/geofence.ts'

/** The position from one witness. */
export interface WitnessPlace extends Position {
  /** Time of the position, epoch milliseconds by this computer's clock; without it no age is shown. */
  atMs?: number | undefined
  /** Its label, instead of the witness and the age. */
  text?: string | undefined
  /** Radius of the accuracy circle, in metres. */
  accuracyM?: number | undefined
  /** The last known position of a vehicle that has none now: grey. */
  isOld?: boolean | undefined
  /** Degrees from north; undefined for a stationary vehicle. */
  bearing?: number | undefined
}

/** Latitude, then longitude. */
export type TrackPlace = readonly [latitude: number, longitude: number]

/** A geofence; its coordinates are [longitude, latitude]. */
export interface MapFence {
  name: string
  inside: boolean | null
  shape: FenceShape
}

/** The base map under the marks. */
export type MapBase =
  | { kind: 'outline' }
  /** `address` of the offline map, answered by ranges; `maxZoom` is the highest level in the file. */
  | { kind: 'file'; address: string; maxZoom: number; language: string }
  /** `address` with {z}, {x} and {y}: requested from Fitter, which fetches the pictures. */
  | { kind: 'online'; address: string; maxZoom: number }
