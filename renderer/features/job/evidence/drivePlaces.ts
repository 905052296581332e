import type { Drive } from '../../../../preload/contract/jobs/drive.ts'
import type { TrackPoint } from '../../../../preload/contract/device/track.ts'
import type { TrackPlace, WitnessPlace } from '../../../instruments/map/mapPositions.ts'

/** A drive as the map draws it: the way that the device was read on, with its holes, and where each witness saw it last. */
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
