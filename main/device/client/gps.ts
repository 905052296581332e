import { gpsPosition, type GpsPosition, type Reading } from '../../../preload/contract/device/deviceAreas.ts'
import type { CallOptions, Wire } from './wire.ts'

export type GpsArea = ReturnType<typeof gpsArea>

export function gpsArea(wire: Wire) {
  /** `GET /gps/position`: WGS-84 degrees, km/h, metres, "GPS epoch" seconds (see `correctGpsEpoch`). */
  return {
    position: (options?: CallOptions): Promise<Reading<GpsPosition>> => wire.read('gps.position', gpsPosition, options)
  }
}
