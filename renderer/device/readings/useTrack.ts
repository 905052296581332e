import { shallowRef, watch, type ShallowRef } from 'vue'
import type { TrackPoint } from '../../../preload/contract/device/track.ts'
import type { Drive } from '../../../preload/contract/job/drive.ts'
import { call } from '../../base/bridge.ts'
import type { TrackPlace, WitnessPlace } from '../../base/instruments/map/mapPositions.ts'
import { isFrozen } from '../../base/ui/time/frozen.ts'
import { useRepeated } from './useRepeated.ts'

export interface Track {
  points: readonly TrackPoint[]
  drivenM: number
}

/** More points than the core keeps: then the whole track is loaded again, thinned out by the core. */
const mostPoints = 6_000
const none: Track = { points: [], drivenM: 0 }

/**
 * The track of a device since Fitter began to read it, refreshed every second while the component is mounted; none
 * without a key.
 */
export function useTrack(key: () => string): Readonly<ShallowRef<Track>> {
  const track = shallowRef<Track>(none)
  let sinceMs = 0
  let round = 0

  // Other readings of the device show the error; a missing part of the track comes with the next answer.
  const { again } = useRepeated(
    async () => {
      if (key() === '' || isFrozen.value) return
      const mine = round
      const answer = await call('workspace.track', { key: key(), sinceMs })
      if (mine !== round) return
      if (answer.points.length > 0)
        track.value = {
          points: sinceMs === 0 ? answer.points : [...track.value.points, ...answer.points],
          drivenM: answer.drivenM
        }
      sinceMs = track.value.points.length > mostPoints ? 0 : answer.nowMs
    },
    { everyMs: 1_000 }
  )
  watch(key, () => {
    round += 1
    track.value = none
    sinceMs = 0
    void again()
  })
  return track
}

/** A track for the map: with a gap where nobody read the position. */
export function wayOf(points: readonly TrackPoint[]): (TrackPlace | null)[] {
  return points.flatMap(([, latitude, longitude, , isAfterGap]): (TrackPlace | null)[] =>
    isAfterGap ? [null, [latitude, longitude]] : [[latitude, longitude]]
  )
}

/** A drive for the map: the track from the device, and the last position of each witness. */
export function drivePlaces({ device, gateway }: Drive): {
  track: (TrackPlace | null)[]
  device: WitnessPlace | null
  gateway: WitnessPlace | null
} {
  const last = ([point]: readonly TrackPoint[]): WitnessPlace | null =>
    point ? { atMs: point[0], latitude: point[1], longitude: point[2] } : null
  return { track: wayOf(device), device: last(device.slice(-1)), gateway: last(gateway.slice(-1)) }
}
