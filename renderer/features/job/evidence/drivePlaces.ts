import type { Drive } from '../../../../preload/contract/jobs/drive.ts'
import type { TrackPoint } from '../../../../preload/contract/device/track.ts'
import type { TrackPlace, WitnessPlace } from '../../../instruments/map/mapPositions.ts'

/** A drive for the map: the track from the device, with its gaps, and the last position of each witness. */
export function drivePlaces({ device, gateway }: Drive): { track: (TrackPlace | null)[]; device: WitnessPlace | null; gateway: WitnessPlace | null } {
  return {
    track: device.flatMap(([, latitude, longitude, , isAfterGap]): (TrackPlace | null)[] => (isAfterGap ? [null, [latitude, longitude]] : [[latitude, longitude]])),
    device: placeOf(device.at(-1)),
    gateway: placeOf(gateway.at(-1))
  }
}

function placeOf(point: TrackPoint | undefined): WitnessPlace | null {
  return point ? { atMs: point[0], latitude: point[1], longitude: point[2] } : null
}
