import { gpsPosition, type GpsPosition, type Reading } from '../../preload/contract/device/deviceAreas.ts'
import type { CallOptions, Wire } from './wire.ts'

export interface GpsArea {
  /** `GET /gps/position`: WGS-84 degrees, km/h, metres, "GPS epoch" seconds (see `correctGpsEpoch`). */
  position(options?: CallOptions): Promise<Reading<GpsPosition>>
}

export function gpsArea(wire: Wire): GpsArea {
  return { position: (options) => wire.read('gps.position', gpsPosition, options) }
}
